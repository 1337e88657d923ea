"""`python bench/pytest_suite/run.py [names…]`: what a detection costs, in plain runs of the same suite."""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.kit.environment import DEFAULT_CACHE, unknot_wheel
from bench.kit.failure import BenchFailure
from bench.kit.process import end_when_asked
from bench.kit.result import markdown, publish
from bench.kit.say import say
from bench.pytest_suite.measure import Measured, measure
from bench.pytest_suite.prepare import prepare
from bench.pytest_suite.suites import SUITES

_HEAD = (
    *("suite", "tests", "plain s", "detect s", "ratio", "plain MB", "detect MB", "ratio"),
    *("orders", "test runs", "complete", "result"),
)


def main() -> int:
    """Measures the suites one after the other; one that cannot be measured is named and does not stop the rest."""
    options = _options()
    end_when_asked()
    done: list[Measured] = []
    problems: dict[str, str] = {}
    try:
        wheel = unknot_wheel(options.cache)
    except BenchFailure as problem:
        say(f"unknot cannot be built: {problem}")
        return 1
    for name in options.names:
        try:
            prepared = prepare(SUITES[name], options.cache, wheel)
            done.append(measure(prepared, times=options.times, timeout=options.timeout))
        except BenchFailure as problem:
            say(f"  {problem}")
            problems[name] = str(problem)
    result = {"suites": [measured.to_json() for measured in done], "problems": problems}
    publish(_table(done, problems), result, options.json)
    return 1 if problems else 0


def _table(done: list[Measured], problems: dict[str, str]) -> str:
    rows = [_cells(measured) for measured in done]
    notes = "".join(f"\n{name}: not measured: {problem}\n" for name, problem in problems.items())
    return markdown(_HEAD, rows) + notes


def _cells(measured: Measured) -> list[str]:
    row = measured.row()
    return [
        str(row["suite"]),
        str(row["tests"]),
        f"{row['plain_seconds']:.1f}",
        f"{row['detect_seconds']:.1f}",
        f"{row['seconds_ratio']:.2f}",
        f"{row['plain_mb']:.0f}",
        f"{row['detect_mb']:.0f}",
        f"{row['mb_ratio']:.2f}",
        str(row["orders"]),
        str(row["test_runs"]),
        "yes" if row["complete"] else "no",
        str(row["verdict"]),
    ]


def _options() -> argparse.Namespace:
    usual = [suite.name for suite in SUITES.values() if suite.always]
    parser = argparse.ArgumentParser(description="One plain pytest run and one `unknot detect`, side by side.")
    parser.add_argument(
        "names", nargs="*", metavar="name", help=f"of {', '.join(SUITES)} (default: {', '.join(usual)})"
    )
    parser.add_argument("-n", "--times", type=int, default=3, help="pairs of runs; the median counts (default: 3)")
    parser.add_argument("--timeout", type=float, default=1800.0, help="seconds for one run (default: 1800)")
    parser.add_argument(
        "--cache", type=Path, default=DEFAULT_CACHE, help="archives, environments, logs (default: bench/.cache)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="all samples, for machines")
    options = parser.parse_args()
    options.cache = options.cache.resolve()
    options.names = options.names or usual
    if unknown := sorted(set(options.names) - set(SUITES)):
        parser.error(f"unknown suites: {', '.join(unknown)}")
    if options.times < 1:
        parser.error("--times must be at least 1")
    return options


if __name__ == "__main__":
    raise SystemExit(main())
