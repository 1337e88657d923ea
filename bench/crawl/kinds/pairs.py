"""Pairs of observations, each the same page or not, from names that a person gave their screenshots."""

import json
import random
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

LABELS = Path(__file__).parent / "labels"
PAIRS = 200
_UNDECIDED = "?"


@dataclass(frozen=True)
class LabelledPair:
    """Two numbers of screenshots."""

    one: int
    other: int
    is_same: bool


def labels(application: str) -> dict[int, str]:
    """Without what could not be decided; empty if the screenshots have no names yet."""
    path = LABELS / f"{application}.json"
    if not path.exists():
        return {}
    named = json.loads(path.read_text(encoding="utf-8"))
    return {int(number): name for number, name in named.items() if name != _UNDECIDED}


def pairs(named: dict[int, str], seed: int = 0) -> list[LabelledPair]:
    """Half of them the same page, if there are so many. No page has more than its share: one that was seen often would
    be most of them otherwise."""
    everything = [LabelledPair(*pair, named[pair[0]] == named[pair[1]]) for pair in combinations(sorted(named), 2)]
    chance = random.Random(seed)
    same = _spread([each for each in everything if each.is_same], named, PAIRS // 2, chance)
    different = _spread([each for each in everything if not each.is_same], named, PAIRS - len(same), chance)
    return same + different


def _spread(of: list[LabelledPair], named: dict[int, str], count: int, chance: random.Random) -> list[LabelledPair]:
    """Round after round, one pair of each page, or of each two pages."""
    groups: dict[tuple[str, str], list[LabelledPair]] = {}
    for each in of:
        names = sorted((named[each.one], named[each.other]))
        groups.setdefault((names[0], names[1]), []).append(each)
    for group in groups.values():
        chance.shuffle(group)
    order = list(groups.values())
    chance.shuffle(order)
    rounds = (
        group[number] for number in range(max(map(len, order), default=0)) for group in order if number < len(group)
    )
    return [each for each, _ in zip(rounds, range(count), strict=False)]
