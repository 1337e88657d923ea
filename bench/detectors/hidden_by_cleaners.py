"""How often sieve finds a polluter that a cleaner hides; and what that costs.

    python -m bench.detectors.hidden_by_cleaners

Prints a Markdown table over 50 drawn suites of 40 tests for each row. In each, one test breaks another unless a third
ran since. *plain*: that third test needs no other, and eight others need one. *undo*: it needs the polluter, as
whatever undoes something does. *web*: besides, four in five need the first test, and the last one breaks six of them,
as a test that deletes what all others work in. *in order*: like plain, but the reference order is
kept, in which the victim comes last of the three.
"""

import random
import sys
from dataclasses import dataclass

from unknot.detect.engine.options import Options
from unknot.detect.sieve.sieve import sieve
from unknot.model.suite import Suite, TestId
from unknot.oracle.simulated import HiddenConflict, HiddenTruth, SimulatedOracle

IN_ORDER = "in order"
SUITES = 50
SIZE = 40
PRICES = ((0.1, 0.01), (1.0, 0.01), (0.5, 0.5))
"""Seconds of a test, and of a clean state."""

Needs = dict[TestId, tuple[frozenset[TestId], ...]]


@dataclass
class Tally:
    found: int = 0
    orders: int = 0
    tests: int = 0
    wrong: int = 0


def main() -> None:
    _tell("suites", "test (s)", "clean state (s)", "found", "orders", "tests run", "wrong")
    _tell(*["---"] * 7)
    for kind in ("plain", "undo", "web", IN_ORDER):
        for seconds, clean_state in PRICES:
            tally = _tally(kind, seconds, clean_state)
            averages = (str(round(total / SUITES)) for total in (tally.orders, tally.tests))
            _tell(kind, str(seconds), str(clean_state), f"{tally.found} of {SUITES}", *averages, str(tally.wrong))


def _tell(*cells: str) -> None:
    sys.stdout.write("| " + " | ".join(cells) + " |\n")
    sys.stdout.flush()


def _tally(kind: str, seconds: float, clean_state: float) -> Tally:
    tally = Tally()
    tests = tuple(TestId(f"file{number // 8}.py::test{number}") for number in range(SIZE))
    options = Options(reorders=kind != IN_ORDER)
    for seed in range(SUITES):
        needs, conflicts = _drawn(tests, kind, random.Random(seed))
        truth = HiddenTruth(needs, conflicts, seconds=dict.fromkeys(tests, seconds))
        dependencies = sieve(Suite(tests), SimulatedOracle(truth, clean_state=clean_state, workers=2), options)
        claimed = {(each.victim, frozenset(each.polluters)) for each in dependencies.conflicts}
        hidden = conflicts[-1]
        tally.found += (hidden.victim, hidden.polluters) in claimed
        tally.orders += dependencies.cost.orders
        tally.tests += dependencies.cost.tests
        tally.wrong += len(claimed - {(each.victim, each.polluters) for each in conflicts})
    return tally


def _drawn(tests: tuple[TestId, ...], kind: str, chance: random.Random) -> tuple[Needs, tuple[HiddenConflict, ...]]:
    """The last conflict is the hidden one. Its victim comes first or last of the three, as often as not."""
    needs: Needs = {}
    tearing: list[HiddenConflict] = []
    first, last = tests[0], tests[-1]
    if kind == "web":
        needs = {test: (frozenset({first}),) for test in tests[1:-1] if chance.random() < 0.8}
        tearing = [HiddenConflict(victim, frozenset({last})) for victim in chance.sample(sorted(needs), 6)]
        needs[last] = (frozenset({first}),)
    else:
        needs = {test: (frozenset({chance.choice(tests[:8])}),) for test in chance.sample(tests[8:], 8)}
    early, middle, late = (tests[place] for place in sorted(chance.sample(range(1, SIZE - 1), 3)))
    victim, polluter, cleaner = (
        (early, middle, late) if kind != IN_ORDER and chance.random() < 0.5 else (late, early, middle)
    )
    if kind in ("undo", "web"):
        needs[cleaner] = (*needs.get(cleaner, ()), frozenset({polluter}))
    return needs, (*tearing, HiddenConflict(victim, frozenset({polluter}), frozenset({cleaner})))


if __name__ == "__main__":
    main()
