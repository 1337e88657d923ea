"""`unknot select`: the tests that a change can affect, with what they need, in order."""

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from rich.console import Console

from unknot.app.configuration import only_pytest
from unknot.app.recording.coverage import DATA_FILE
from unknot.app.select import PresentSuite, present_suite
from unknot.cli.options import add_files, add_pytest_runner, add_verb
from unknot.cli.selection_text import selection_text
from unknot.coverage.affected import Affected, affected_tests
from unknot.coverage.changed_project import ChangedProject
from unknot.coverage.project_files import environment_now
from unknot.model.dependencies import Dependencies
from unknot.model.errors import ExitCode
from unknot.model.sanitise import shown
from unknot.model.suite import Order, TestId
from unknot.plan.constraints.components import affected_through
from unknot.plan.select import TestSelection, select_tests
from unknot.report.text.lines import print_text
from unknot.runners.sandbox.workdir import project_root
from unknot.store.lock import read_lock

_DESCRIPTION = """\
Says which tests a change can affect, by what each test covers, and which others they need;
in one order in which they do as in the whole suite. Nothing is run but pytest's collection.

What a test covers is recorded by `unknot detect --coverage`, or given as a data file of
coverage.py with a context for each test (`pytest --cov --cov-context=test`), recorded at REV.
A file counts as changed if it differs from REV, or from what was recorded, or is named.

  unknot select                          since the last commit
  unknot select --since main
  unknot select --changed src/shop/cart.py tests/data/prices.csv
  unknot select --since main --format ids > ids && pytest @ids

Exit code 0, or 5, as pytest's, if no test is selected.
"""

_MOST_NOTES = 10


def add_parser(verbs: Any) -> None:
    parser = add_verb(verbs, "select", "the tests that a change can affect, with what they need", _DESCRIPTION)
    change = parser.add_argument_group("what has changed")
    change.add_argument(
        "--since",
        default=None,
        metavar="REV",
        help="the commit to compare with (default: HEAD, unless files are named)",
    )
    change.add_argument(
        "--changed", nargs="+", action="extend", default=[], metavar="FILE", help="files to take as changed"
    )
    change.add_argument(
        "--coverage", type=Path, default=None, metavar="FILE", help="what tests cover (default: .unknot/coverage)"
    )
    output = parser.add_argument_group("output")
    output.add_argument(
        "--format", choices=("text", "json", "ids"), default="text", help="ids: one test a line, for pytest"
    )
    output.add_argument("-q", "--quiet", action="store_true", help="no notes")
    add_pytest_runner(parser)
    add_files(parser)
    parser.set_defaults(verb=select)


def select(options: argparse.Namespace, console: Console) -> ExitCode:
    only_pytest(options, "select")
    dependencies = read_lock(options.lock)
    root = project_root(Path.cwd())
    data_file = options.coverage or options.state_dir / DATA_FILE
    project = ChangedProject.open(root, data_file, options.since, options.changed, ours=[options.lock])
    suite = present_suite(options, dependencies, root, console)
    found = affected_tests(
        {test: home for test, home in suite.homes.items() if test in suite.known.suite.index},
        project.changes,
        project.coverage,
        project.sources,
        project.recording,
        dependencies.failing,
    )
    for test, through in affected_through(suite.known, found.reasons).items():
        found.add(test, f"depends on {through}, which is affected")
    if difference := _difference(project):
        found.everything = found.everything or difference
    wanted = suite.known.suite.tests if found.everything else tuple(found.reasons)
    selection = select_tests(suite.known, wanted)
    if not options.quiet:
        _tell(console, [*project.notes, *suite.notes, *_idle(found)])
    _write(options, dependencies, found, selection, suite)
    return ExitCode.CLEAN if selection.order or suite.new else ExitCode.NO_TESTS


def _difference(project: ChangedProject) -> str:
    """Whether the tests would meet other packages now than when they were measured."""
    if project.recording is None:
        return ""
    before, now = set(project.recording.environment), set(environment_now())
    if before == now:
        return ""
    named = sorted((before | now) - (before & now))
    return f"other packages are installed than were then: {', '.join(named[:4])}{' …' if len(named) > 4 else ''}"


def _idle(found: Affected) -> list[str]:
    return [] if found.everything else [f"{path}: no test is known to run or read it" for path in found.idle]


def _tell(console: Console, notes: list[str]) -> None:
    for note in notes[:_MOST_NOTES]:
        console.print(f"note: {shown(note)}", markup=False)
    if len(notes) > _MOST_NOTES:
        console.print(f"note: and {len(notes) - _MOST_NOTES} more", markup=False)


def _write(
    options: argparse.Namespace,
    dependencies: Dependencies,
    found: Affected,
    selection: TestSelection,
    suite: PresentSuite,
) -> None:
    tests: Order = (*selection.order, *suite.new)
    if options.format == "json":
        document = {
            "tests": list(tests),
            "affected": list(selection.wanted),
            "needed": list(selection.needed),
            "new": list(suite.new),
            "everything": found.everything or None,
            "reasons": {test: found.reasons[test] for test in selection.wanted if test in found.reasons},
        }
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
    elif options.format == "ids":
        sys.stdout.flush()
        sys.stdout.buffer.write(b"".join(os.fsencode(test) + b"\n" for test in _for_pytest(tests, suite)))
    else:
        print_text(Console(highlight=False), selection_text(found, selection, suite.new, len(dependencies.suite)))


def _for_pytest(tests: Order, suite: PresentSuite) -> list[str]:
    """Of tests that share an id the later ones have a number here, which pytest does not know: it runs all of them."""
    names = []
    for test in tests:
        shared, _, number = test.rpartition("#")
        names.append(shared if number.isdigit() and TestId(shared) in suite.homes else test)
    return list(dict.fromkeys(names))
