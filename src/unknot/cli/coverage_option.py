"""`--coverage FILE`, for the verbs that go by what tests cover; and what is to be said about such a file."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from unknot.coverage.elements import read_elements
from unknot.model.coverage import Coverage
from unknot.model.dependencies import Dependencies
from unknot.model.errors import UsageError
from unknot.model.sanitise import shown
from unknot.report.wording import counted

_MOST_NAMED = 3

FORMATS = """\
FILE is a data file of coverage.py with contexts (`pytest --cov --cov-context=test`), its JSON report
(`coverage json --show-contexts`), CSV with a row `test,element` for each, or JSON {"test": ["element", ...]}.
Elements can be anything; of coverage.py's files they are lines outside the tests' own files."""


def add_coverage(parser: argparse.ArgumentParser, *, required: bool) -> None:
    what = parser.add_argument_group("what counts")
    what.add_argument("--coverage", type=Path, required=required, default=None, metavar="FILE", help="what tests cover")
    what.add_argument(
        "--branches", action="store_true", help="branches count, not lines (coverage.py's data file only)"
    )


def coverage_from(
    options: argparse.Namespace, dependencies: Dependencies, console: Console, *, without: str
) -> Coverage:
    """What the file says about the tests of the lock file. What does not fit is said in one line each; `without` is
    what happens to a test that the file does not know."""
    found = read_elements(options.coverage, branches=options.branches)
    known = Coverage(
        found.elements, {test: found.rows[test] for test in dependencies.suite.tests if test in found.rows}
    )
    if not known.covered:
        example = next(iter(found.rows), "")
        raise UsageError(
            f"no test of {shown(str(options.coverage))} that covers anything is in {shown(str(options.lock))};"
            f" it has, for example, {shown(example)}",
            hint="record both from the same directory, with the same test ids",
        )

    def note(tests: Sequence[str], text: str) -> None:
        if tests:
            console.print(f"note: {text}: {_named(tests)}", markup=False)

    strangers = [test for test in found.rows if test not in dependencies.suite.index]
    note(strangers, f"{counted(len(strangers), 'test')} of the coverage not in the lock file, passed over")
    silent = [test for test in dependencies.suite.tests if not known.rows.get(test)]
    note(silent, f"{counted(len(silent), 'test')} of the lock file without coverage, {without}")
    missed = known.uncovered
    note(missed, f"{counted(len(missed), 'element')} of {len(found.elements):,} covered by no test, passed over")
    return known


def _named(names: Sequence[str]) -> str:
    more = [f"and {len(names) - _MOST_NAMED:,} more"] if len(names) > _MOST_NAMED else []
    return ", ".join([*map(shown, names[:_MOST_NAMED]), *more])
