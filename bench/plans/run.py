"""`python bench/plans/run.py [--small]`: makespans of every maker over the lower bound, and what planning costs."""

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.kit.environment import DEFAULT_CACHE
from bench.kit.result import machine
from bench.kit.say import say
from bench.plans.measure import Row, measure
from bench.plans.subjects import real, synthetic
from bench.plans.tables import claims_table, makespans_table, speed_up_table

_RESULTS = Path(__file__).resolve().parent / "results"
_WORKERS = (2, 4, 8, 16, 32, 64)
_SMALL_WORKERS = (2, 8, 32)
_SIZES = (100, 1_000, 10_000)
_SMALL_SIZES = (100,)


def main() -> int:
    options = _options()
    began = time.monotonic()
    directory = DEFAULT_CACHE / "plans" if options.small else _RESULTS
    directory.mkdir(parents=True, exist_ok=True)
    rows = _measured(options)
    text = _text(rows, options.seed, time.monotonic() - began)
    (directory / "README.md").write_text(text, encoding="utf-8")
    sys.stdout.write(text)
    return 0


def _measured(options: argparse.Namespace) -> list[Row]:
    rows = []
    workers = _SMALL_WORKERS if options.small else _WORKERS
    for subject in (*real(), *synthetic(_SMALL_SIZES if options.small else _SIZES, options.seed)):
        say(f"{subject.family}, {len(subject.dependencies.suite):,} tests")
        rows += [measure(subject, count) for count in workers]
    return rows


def _text(rows: list[Row], seed: int, took: float) -> str:
    about = machine()
    return (
        "# Plans\n\n"
        f"Seed {seed}; Python {about['python']}, {about['cores']} cores; {took:.0f} s. All makespans are computed\n"
        "from the seconds of the tests; a clean state costs nothing here. Every plan passed the independent check.\n\n"
        f"## Limits\n\n{claims_table(rows)}\n"
        "## Makespan over max(longest closure, work / workers)\n\n"
        "`proven` is the best bound known for lanes that share nothing: the solver's where it was asked, otherwise\n"
        "the one that counts what must be run again.\n\n"
        f"{makespans_table(rows)}\n"
        f"## Speed-up on 32 simulated workers\n\n{speed_up_table(rows)}"
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="fewer and smaller suites; into the cache directory")
    parser.add_argument("--seed", type=int, default=2025)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
