"""`python bench/recorder/run.py [--small] [names…]`: what recording a suite costs, and what it finds."""

import argparse
import json
import sys
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.kit.environment import DEFAULT_CACHE, unknot_wheel
from bench.kit.failure import BenchFailure
from bench.kit.process import end_when_asked
from bench.kit.result import machine, markdown
from bench.kit.say import say
from bench.recorder.measure import Measured, measure
from bench.recorder.prepare import NAMES, SMALL, prepare

_RESULTS = Path(__file__).resolve().parent / "results"
_HEAD = (
    *("suite", "tests", "plain CPU s", "first pass", "both passes", "plain MB", "first pass", "both passes"),
    *("data dependencies", "harmless", "pairs", "of", "left behind", "outcomes changed"),
)
_MOST_TIMES_CPU = 2.0
_MOST_TIMES_CPU_AT_THE_MEDIAN = 1.5
_MOST_TIMES_MEMORY = 1.5


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
            prepared = prepare(name, options.cache, wheel)
            done.append(measure(prepared, times=options.times, timeout=options.timeout))
        except BenchFailure as problem:
            say(f"  {problem}")
            problems[name] = str(problem)
        # After each suite: what was measured is kept, whatever happens to the next.
        _write(done, problems, options.output)
    sys.stdout.write(_text(done, problems))
    return 1 if problems else 0


def _write(done: list[Measured], problems: dict[str, str], output: Path) -> None:
    output.mkdir(parents=True, exist_ok=True)
    result = {"machine": machine(), "suites": [measured.to_json() for measured in done], "problems": problems}
    (output / "samples.json").write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    (output / "README.md").write_text(f"# Recording, and plain pytest\n\n{_text(done, problems)}", encoding="utf-8")


def _text(done: list[Measured], problems: dict[str, str]) -> str:
    notes = "".join(f"\n{name}: not measured: {problem}\n" for name, problem in problems.items())
    return markdown(_HEAD, [_cells(measured) for measured in done]) + "\n" + _limits(done) + notes


def _limits(done: list[Measured]) -> str:
    """What was aimed at, and whether it was reached."""
    if not done:
        return ""
    rows = [measured.row() for measured in done]
    lines = []
    for looks, words in (("first", "first pass"), ("both", "both passes")):
        ratios = [row[f"{looks}_ratio"] for row in rows]
        memory = max(row[f"{looks}_mb_ratio"] for row in rows)
        checks = (
            ("CPU of the slowest", max(ratios), _MOST_TIMES_CPU),
            ("CPU at the median", median(ratios), _MOST_TIMES_CPU_AT_THE_MEDIAN),
            ("memory of the largest", memory, _MOST_TIMES_MEMORY),
        )
        lines += [
            f"- {words}, {what}: {value:.2f} times plain, limit {limit:g}: "
            + ("reached\n" if value <= limit else "not reached\n")
            for what, value, limit in checks
        ]
    return "".join(lines)


def _cells(measured: Measured) -> list[str]:
    row = measured.row()
    return [
        row["suite"],
        f"{row['tests']:,}",
        f"{row['plain_seconds']:.2f}",
        f"{row['first_ratio']:.2f}",
        f"{row['both_ratio']:.2f}",
        f"{row['plain_mb']:.0f}",
        f"{row['first_mb_ratio']:.2f}",
        f"{row['both_mb_ratio']:.2f}",
        f"{row['dependencies']:,}",
        f"{row['harmless']:,}",
        f"{row['pairs']:,}",
        f"{row['tests'] * (row['tests'] - 1) // 2:,}",
        f"{row['left']:,}",
        str(row["changed"]),
    ]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Plain pytest, the first pass and both passes, alternating.")
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(NAMES)} (default: all)")
    parser.add_argument("--small", action="store_true", help=f"only {' and '.join(SMALL)}, once")
    parser.add_argument("-n", "--times", type=int, default=None, help="rounds (default: 3; small: 1)")
    parser.add_argument("--timeout", type=float, default=1800.0, help="seconds for one run (default: 1800)")
    parser.add_argument(
        "--cache", type=Path, default=DEFAULT_CACHE, help="archives, environments, logs (default: bench/.cache)"
    )
    parser.add_argument(
        "--output", type=Path, default=None, help="where results go (default: bench/recorder/results; small: the cache)"
    )
    options = parser.parse_args()
    options.cache = options.cache.resolve()
    options.names = options.names or list(SMALL if options.small else NAMES)
    options.times = (1 if options.small else 3) if options.times is None else options.times
    options.output = options.output or (options.cache / "trace" / "results" if options.small else _RESULTS)
    if unknown := sorted(set(options.names) - set(NAMES)):
        parser.error(f"unknown suites: {', '.join(unknown)}")
    if options.times < 1:
        parser.error("--times must be at least 1")
    return options


if __name__ == "__main__":
    raise SystemExit(main())
