"""The MySQL experiment of the PFAST paper (Table 4), repeated on the suites of an installed MariaDB.

    python -m bench.mariadb.run                                  # seven suites, about an hour on two cores
    python -m bench.mariadb.run json gcol --algorithms pfast mem-fast sieve
    python -m bench.mariadb.run innodb_zip innodb_gis --max-seconds 3600

Each order has a new server. Results are written after each detection; a run that was interrupted goes on where it
stopped, but then its seconds are only those of the last part.
"""

import argparse
import json
import sys
from pathlib import Path

from bench.kit.environment import DEFAULT_CACHE
from bench.kit.result import markdown
from bench.kit.say import say
from bench.mariadb.measure import Measured, Subject
from bench.mariadb.published import PUBLISHED
from unknot.model.errors import UnknotError

_SUITES = ("heap", "json", "jp", "innodb_i_s", "gcol", "roles", "sysschema")
_ALGORITHMS = ("pfast", "mem-fast", "sieve")
_EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "mariadb"
_HEAD = (
    "suite", "tests", "passed", "one run s", "algorithm", "dependencies", "orders", "test runs", "seconds",
    "paper: tests", "dependencies", "orders", "seconds",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", default=_SUITES)
    parser.add_argument("--algorithms", nargs="+", default=_ALGORITHMS)
    parser.add_argument("--server", choices=("fresh", "extern"), default="fresh")
    parser.add_argument("--skip", nargs="*", default=[], help="patterns of tests to leave out")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--max-seconds", type=float, default=3600.0, help="for each detection")
    parser.add_argument("--state", type=Path, default=DEFAULT_CACHE / "mariadb", help="journals and results")
    parser.add_argument("--table", action="store_true", help="run nothing; print what is known")
    given = parser.parse_args()
    given.state.mkdir(parents=True, exist_ok=True)
    results = given.state / "results.json"
    for suite in () if given.table else given.suites:
        try:
            _one_suite(suite, given, results)
        except UnknotError as problem:
            say(f"{suite}: {problem.message}")
    sys.stdout.write(table_of(_known(results)))


def _one_suite(suite: str, given: argparse.Namespace, results: Path) -> None:
    table = {"server": given.server, "skip": list(given.skip)}
    with Subject(suite, table, _EXAMPLE, given.state, given.workers) as subject:
        reference = subject.reference()
        say(f"{suite}: {len(reference.results)} tests in {reference.seconds:.0f} s")
        for algorithm in given.algorithms:
            row = subject.detect(algorithm, reference, given.max_seconds)
            found = len(row.needs) + len(row.conflicts)
            say(f"  {algorithm}: {row.orders} orders, {row.seconds:.0f} s, {found} found")
            _keep(row, results)


def _known(results: Path) -> list[Measured]:
    if not results.exists():
        return []
    return [Measured(**row) for row in json.loads(results.read_text(encoding="utf-8"))]


def _keep(row: Measured, results: Path) -> None:
    """At once: an hour's work must not be lost with the next. Takes the place of an earlier measurement."""
    others = [one for one in _known(results) if one.key != row.key]
    text = json.dumps([one.to_json() for one in (*others, row)], indent=1)
    results.write_text(f"{text}\n", encoding="utf-8")


def table_of(rows: list[Measured]) -> str:
    body = []
    for row in rows:
        paper = PUBLISHED.get(row.suite)
        theirs = ["", "", "", ""]
        if paper is not None and row.algorithm in paper.orders:
            theirs = [
                str(paper.tests),
                str(paper.dependencies),
                f"{paper.orders[row.algorithm]:g}",
                f"{paper.seconds[row.algorithm]:,.0f}",
            ]
        body.append(
            [
                row.suite,
                str(row.tests),
                str(row.outcomes.get("passed", 0)),
                f"{row.suite_seconds:.0f}",
                row.algorithm + ("" if row.complete else " (stopped)"),
                str(len(row.needs) + len(row.conflicts)),
                str(row.orders),
                str(row.tests_run),
                f"{row.seconds:,.0f}",
                *theirs,
            ]
        )
    return markdown(_HEAD, body)


if __name__ == "__main__":
    main()
