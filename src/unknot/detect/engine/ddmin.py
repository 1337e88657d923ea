"""ddmin: reduces a sufficient set to one of which no member can be left out.

Reference
    Zeller, Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", TSE 2002.
Idea
    Cut into parts; continue with a part that is sufficient, or with all but one part; if there is none, cut finer.
Assumptions
    All candidates together are sufficient, none at all are not. The property need not be monotone: unlike QuickXplain,
    ddmin has tried the set that it returns.
Guarantee
    1-minimal: without any single member, the set was tried and not sufficient.
Cost
    About 2k log2 n orders for k members close together, k^2 + 3n at worst.
"""

from collections.abc import Sequence
from itertools import pairwise

from unknot.detect.engine.parallel import Search
from unknot.detect.engine.subsets import Holds, Probe


def ddmin(candidates: Sequence[int], probe: Probe, holds: Holds) -> Search[tuple[int, ...]]:
    """Keeps the sequence of the candidates."""
    current = tuple(candidates)
    count = 2
    while len(current) > 1:
        parts = _cut(current, count)
        part = yield from _first_enough(parts, probe, holds)
        if part is not None:
            current, count = part, 2
            continue
        # Of two parts, each is all but the other.
        rests = [_without(current, part) for part in parts] if count > 2 else []
        rest = yield from _first_enough(rests, probe, holds)
        if rest is not None:
            current, count = rest, count - 1
        elif count < len(current):
            count = min(2 * count, len(current))
        else:
            break
    return current


def _first_enough(groups: Sequence[tuple[int, ...]], probe: Probe, holds: Holds) -> Search[tuple[int, ...] | None]:
    for group in groups:
        (run,) = yield [probe(group)]
        if holds(run):
            return group
    return None


def _cut(whole: tuple[int, ...], count: int) -> list[tuple[int, ...]]:
    borders = [len(whole) * number // count for number in range(count + 1)]
    return [whole[start:end] for start, end in pairwise(borders)]


def _without(whole: tuple[int, ...], part: tuple[int, ...]) -> tuple[int, ...]:
    gone = set(part)
    return tuple(member for member in whole if member not in gone)
