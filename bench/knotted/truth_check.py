"""`python -m bench.knotted.truth_check [--only a,d]`: whether the known truth predicts what pytest says, on orders of
two and three tests of every planted dependency and on random ones.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.kit.say import say
from bench.knotted.judge import hidden_truth
from bench.knotted.suites import SUITES, Planted
from bench.knotted.written import FIXED_PATH
from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.suite import Order

_RANDOM = 3
_MOST = 12
_LINE = re.compile(r"^(\S+::\S+) (PASSED|FAILED)", re.MULTILINE)


def main() -> int:
    parser = argparse.ArgumentParser(description="Whether the known truth predicts what pytest says.")
    parser.add_argument("--only", metavar="a,d", help="only these suites (default: all)")
    only = parser.parse_args().only
    wrong = sum(_wrong(planted) for planted in SUITES if only is None or planted.letter in only.split(","))
    return 1 if wrong else 0


def _wrong(planted: Planted) -> int:
    """The number of orders with an outcome that was not predicted; each in a new directory and with a new HOME."""
    wrong = 0
    with tempfile.TemporaryDirectory() as place:
        truth = planted.write(Path(place) / "truth")
        hidden = hidden_truth(truth, fails_first=planted.fails_first)
        orders = list(_orders(truth))
        for number, order in enumerate(orders):
            predicted = [outcome is Outcome.PASSED for outcome in hidden.outcomes(order, random.Random(0))]
            seen = _run(planted, Path(place) / str(number), order)
            if seen != predicted:
                differing = [test for test, a, b in zip(order, seen, predicted, strict=True) if a != b]
                say(f"  {planted.name}: {differing} in {order}")
                wrong += 1
    say(f"{planted.letter} {planted.name}: {len(orders) - wrong} of {len(orders)} orders as predicted")
    return wrong


def _orders(truth: Dependencies) -> Iterator[Order]:
    chance = random.Random(0)
    tests = truth.suite.tests
    yield tests
    for _ in range(_RANDOM):
        yield tuple(chance.sample(tests, len(tests)))
    for need in chance.sample(truth.needs, min(_MOST, len(truth.needs))):
        yield (need.dependent,)
        yield truth.closure(need.dependent)
    for conflict in chance.sample(truth.conflicts, min(_MOST, len(truth.conflicts))):
        yield (*conflict.polluters, conflict.victim)
        yield from ((*conflict.polluters, cleaner, conflict.victim) for cleaner in conflict.cleaners[:1])


def _run(planted: Planted, directory: Path, order: Order) -> list[bool]:
    planted.write(directory)
    home = directory / "home"
    home.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-vv", "-p", "no:cacheprovider", *order],
        cwd=directory,
        env={**os.environ, "HOME": str(home), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    Path(FIXED_PATH).unlink(missing_ok=True)
    outcomes = dict(_LINE.findall(done.stdout))
    return [outcomes[test] == "PASSED" for test in order]


if __name__ == "__main__":
    raise SystemExit(main())
