"""`python -m bench.web.truth_check [--orders N]`: does `truth.json` foretell what tests do in orders at random?

Each test alone; all tests at random, each after what it needs; half of the tests in any sequence. Each outcome is
compared with what the truth says of that order. The exit code is 1 if one differs.
"""

import argparse
import os
import random
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.kit.say import say
from bench.web.suites import OURS, SUBJECTS, copy_into, truth_document, truth_of
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import Order, TestId
from unknot.oracle.simulated import HiddenConflict, HiddenTruth
from unknot.runners.pytest.open_suite import open_suite
from unknot.runners.settings import Settings
from unknot.runners.sut.config import instance_spec


def main() -> int:
    options = _options()
    os.environ["PATH"] = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    differ = 0
    for suite in options.suites:
        hidden = _hidden(suite)
        for asked, run in enumerate(_runs(suite, hidden, options.orders, options.seed), start=1):
            wanted = hidden.outcomes(run.order, random.Random(0))
            differences = _differences(run, wanted)
            differ += len(differences)
            say(f"{suite}: {asked} orders asked, {differ} outcomes differ")
            for test, foretold, outcome, story in differences:
                sys.stdout.write(f"{test}: {outcome}, not {foretold}, in {' '.join(run.order)}\n{story}\n")
    return 1 if differ else 0


def _hidden(suite: str) -> HiddenTruth:
    truth = truth_of(suite)
    needs: dict[TestId, tuple[frozenset[TestId], ...]] = {}
    for dependent, any_of in truth.needs:
        clause = frozenset(map(TestId, any_of))
        needs[TestId(dependent)] = (*needs.get(TestId(dependent), ()), clause)
    conflicts = [
        HiddenConflict(TestId(victim), frozenset(map(TestId, polluters)), frozenset(map(TestId, cleaners)))
        for victim, polluters, cleaners in truth.conflicts
    ]
    return HiddenTruth(needs, tuple(conflicts))


def _runs(suite: str, hidden: HiddenTruth, orders: int, seed: int) -> Iterator[Run]:
    subject = SUBJECTS[suite]
    table = tomllib.loads((subject.example / "unknot.toml").read_text(encoding="utf-8"))
    tests = truth_document(suite)["tests"]
    with tempfile.TemporaryDirectory() as directory:
        settings = Settings(
            copy_into(Path(directory), suite),
            paths=(subject.tests,),
            instance=instance_spec(table["instance"], "unknot.toml"),
            workers=2,
        )
        with open_suite(settings, fork=True) as opened:
            yield from opened.runner.run_orders(
                [OrderRequest(order) for order in _orders(tuple(map(TestId, tests)), hidden, orders, seed)]
            )


def _orders(tests: Order, hidden: HiddenTruth, count: int, seed: int) -> list[Order]:
    chance = random.Random(seed)
    alone: list[Order] = [(test,) for test in tests]
    half = len(tests) // 2
    return alone + [
        tuple(chance.sample(tests, half)) if number % 2 else _after_needs(tests, hidden, chance)
        for number in range(count)
    ]


def _after_needs(tests: Order, hidden: HiddenTruth, chance: random.Random) -> Order:
    """At random, but each test after what it needs: there conflicts show most."""
    order: list[TestId] = []
    while len(order) < len(tests):
        there = set(order)
        ready = [test for test in tests if test not in there and _is_ready(test, hidden, there)]
        order.append(chance.choice(ready))
    return tuple(order)


def _is_ready(test: TestId, hidden: HiddenTruth, there: set[TestId]) -> bool:
    return all(clause & there for clause in hidden.needs.get(test, ()))


def _differences(run: Run, wanted: list[Outcome]) -> list[tuple[TestId, Outcome, Outcome, str]]:
    return [
        (test, foretold, result.outcome, result.story)
        for test, foretold, result in zip(run.order, wanted, run.results, strict=True)
        if foretold is not result.outcome
    ]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suites", nargs="+", default=OURS, choices=tuple(SUBJECTS), metavar="NAME")
    parser.add_argument("--orders", type=int, default=40, metavar="N", help="at random, for each suite")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
