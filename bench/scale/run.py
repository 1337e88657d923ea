"""What a detection would cost on a suite and a cluster that are not here: from the simulated oracle, nothing is run.

    python -m bench.scale.run                        # 11,000 tests of 5 s on 200 workers; six minutes of CPU
    python -m bench.scale.run --tests 1000 --workers 20

For each number of dependencies (each a test that needs one other, both drawn at random): the detection from nothing,
and the day after, on which some tests have changed, some are new and some are gone. Proofs are counted; the one run of
the suite in its own order, which both need, is not. Wall time is predicted: an order takes a clean state and its tests,
orders that are asked together run at the same time, the next are asked when all of them have ended.
"""

import argparse
import random
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.kit.result import markdown, publish
from bench.kit.say import say
from unknot.detect.engine.options import Options
from unknot.detect.incremental.detector import detect_incrementally
from unknot.detect.sieve.sieve import sieve
from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.suite import Reference, Suite, TestId
from unknot.oracle.count import CountingOracle, PredictedOracle
from unknot.oracle.simulated import HiddenTruth, SimulatedOracle

Needs = Mapping[TestId, tuple[frozenset[TestId], ...]]

_HEAD = (
    "dependencies", "when", "orders", "test runs", "worker hours", "wall hours", "in suite runs", "CPU s of the caller"
)  # fmt: skip


@dataclass(frozen=True)
class Size:
    """`seconds` is what each test takes, `clean_state` what an order takes besides."""

    tests: int
    seconds: float
    workers: int
    clean_state: float
    reorders: bool = False

    @property
    def suite_hours(self) -> float:
        return self.tests * self.seconds / 3600


class Measured:
    """One detection on a hidden suite, counted and timed by a simulated clock."""

    def __init__(self, suite: Suite, needs: Needs, size: Size) -> None:
        seconds = dict.fromkeys(suite.tests, size.seconds)
        truth = HiddenTruth(needs=needs, seconds=seconds)
        self._size = size
        self._predicted = PredictedOracle(SimulatedOracle(truth, clean_state=size.clean_state, workers=size.workers))
        self.oracle = CountingOracle(self._predicted)
        reference = Reference(dict.fromkeys(suite.tests, Outcome.PASSED), seconds)
        self.options = Options(reorders=size.reorders, reference=reference)

    def row(self, cpu: float) -> list[str]:
        orders, tests, size = self.oracle.orders, self.oracle.tests, self._size
        work = (orders * size.clean_state + tests * size.seconds) / 3600
        wall = self._predicted.seconds(orders) / 3600
        in_runs = wall / size.suite_hours
        return [f"{orders:,}", f"{tests:,}", f"{work:,.0f}", f"{wall:,.1f}", f"{in_runs:.2f}", f"{cpu:,.0f}"]


def main() -> None:
    options = _options()
    size = Size(options.tests, options.seconds, options.workers, options.clean_state, options.orders == "any")
    rows: list[list[str]] = []
    for count in options.dependencies:
        rows += _both_days(size, count, options.seed)
        say(" | ".join(rows[-2]))
        say(" | ".join(rows[-1]))
    publish(markdown(_HEAD, rows), {"size": vars(size), "rows": rows}, options.json)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", type=int, default=11_000)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--workers", type=int, default=200)
    parser.add_argument("--clean-state", type=float, default=10.0)
    parser.add_argument("--dependencies", type=int, nargs="*", default=[0, 50, 500])
    parser.add_argument("--orders", choices=("reference", "any"), default="reference")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, default=None)
    return parser.parse_args()


def _both_days(size: Size, count: int, seed: int) -> list[list[str]]:
    chance = random.Random(seed)
    suite = Suite(tuple(TestId(f"test_{place:05}") for place in range(size.tests)))
    needs = _drawn(suite.tests, count, chance)
    first = Measured(suite, needs, size)
    started = time.process_time()
    found = sieve(suite, first.oracle, first.options)
    rows = [[str(count), "from nothing", *first.row(time.process_time() - started)]]
    _check(found, needs)
    later, changed, needs = _next_day(suite, needs, chance)
    second = Measured(later, needs, size)
    started = time.process_time()
    _check(detect_incrementally(later, second.oracle, found, changed, second.options), needs)
    rows.append([str(count), "a day later", *second.row(time.process_time() - started)])
    return rows


def _drawn(tests: Sequence[TestId], count: int, chance: random.Random) -> Needs:
    """So many different dependents, each in need of one earlier test."""
    places = sorted(chance.sample(range(1, len(tests)), count))
    return {tests[place]: (frozenset({tests[chance.randrange(place)]}),) for place in places}


def _next_day(suite: Suite, needs: Needs, chance: random.Random) -> tuple[Suite, Collection[TestId], Needs]:
    """Of a thousand tests two have changed, one is new and one is gone. A changed one does as before; every other new
    one needs a test that is there."""
    tests = list(suite.tests)
    each = max(1, len(tests) // 1000)
    wanted = {option for clauses in needs.values() for clause in clauses for option in clause}
    free = [test for test in tests if test not in wanted]
    gone = set(chance.sample(free, each))
    changed = chance.sample([test for test in tests if test not in gone], 2 * each)
    later = {test: clauses for test, clauses in needs.items() if test not in gone}
    left = [test for test in tests if test not in gone]
    for number in range(each):
        place = chance.randrange(1, len(left))
        new = TestId(f"test_new_{number:03}")
        if number % 2:
            later[new] = (frozenset({left[chance.randrange(place)]}),)
        left.insert(place, new)
    return Suite(tuple(left)), changed, later


def _check(found: Dependencies, needs: Needs) -> None:
    """A cost is worth nothing if what was found is wrong."""
    told = {need.dependent: frozenset(need.any_of) for need in found.needs}
    if not found.complete or told != {test: clause for test, (clause,) in needs.items()}:
        raise SystemExit("the detection did not find the hidden dependencies")


if __name__ == "__main__":
    main()
