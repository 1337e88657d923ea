"""`unknot select`: the tests that a change can affect, with what they need, in order."""

import argparse
import os
import sys
from pathlib import Path

from rich.text import Text

from unknot.app.options import options_from
from unknot.app.select import SelectedTests, SelectOptions, select
from unknot.cli.options import OptionGroup
from unknot.cli.terminal import TerminalProgress, write_json, write_rich
from unknot.model.errors import ExitCode
from unknot.model.sanitise import shown
from unknot.report.text.lines import Lines
from unknot.report.wording import counted

DESCRIPTION = """\
Selects the tests that a change can affect, by what each test covers, and the tests that they need,
in an order in which they behave as in the whole suite. Runs nothing but pytest's collection.

What a test covers is recorded by `unknot detect --coverage`, or read from a data file of
coverage.py with a context for each test (`pytest --cov --cov-context=test`), recorded at REV.
A file counts as changed if it differs from REV, or from what was recorded, or is named.

  unknot select                          since the last commit
  unknot select --since main
  unknot select --changed src/shop/cart.py tests/data/prices.csv
  unknot select --since main --format ids > ids && pytest @ids

Exit code 0, or 5, as in pytest, if no test is selected.
"""

_MOST_NOTES = 10
_MOST_REASONS = 3


def add_options(parser: OptionGroup) -> None:
    change = parser.group("what has changed")
    change.value("--since", "REV", "commit to compare with (default: HEAD, unless files are named)")
    change.add("--changed", nargs="+", action="extend", default=[], metavar="FILE", help="files that count as changed")
    change.value("--coverage", "FILE", "what each test covers (default: .unknot/coverage)", Path)
    parser.output(("text", "json"), ids="test", quiet="print no notes")
    parser.pytest_runner()
    parser.files(durations=True)


def run(given: argparse.Namespace, progress: TerminalProgress) -> ExitCode:
    options = options_from(SelectOptions, vars(given))
    selected = select(options, progress)
    if not given.quiet:
        for note in selected.notes[:_MOST_NOTES]:
            progress.note(shown(note))
        if len(selected.notes) > _MOST_NOTES:
            progress.note(f"and {len(selected.notes) - _MOST_NOTES} more")
    _write(selected, given.format)
    return ExitCode.CLEAN if selected.tests else ExitCode.NO_TESTS


def _write(selected: SelectedTests, form: str) -> None:
    affected, selection = selected.affected, selected.selection
    if form == "json":
        document = {
            "tests": list(selected.tests),
            "affected": list(selection.wanted),
            "needed": list(selection.needed),
            "new": list(selected.suite.new),
            "everything": affected.everything or None,
            "reasons": {test: affected.reasons[test] for test in selection.wanted if test in affected.reasons},
        }
        write_json(document)
    elif form == "ids":
        sys.stdout.flush()
        sys.stdout.buffer.write(b"".join(os.fsencode(test) + b"\n" for test in selected.ids_for_pytest))
    else:
        write_rich(_text(selected))


def _text(selected: SelectedTests) -> Text:
    """First how many, then the tests in groups, each group in the order in which it is to be run, with the reasons."""
    selection = selected.selection
    lines = Lines()
    lines.line(_headline(selected), "bold")
    if selection.wanted:
        lines.line()
        lines.line("affected")
        for test in selection.wanted:
            lines.line(f"  {test}")
            reasons = selected.affected.reasons.get(test, [])
            for reason in reasons[:_MOST_REASONS]:
                lines.line(f"      {reason}", "dim")
            if len(reasons) > _MOST_REASONS:
                lines.line(f"      and {counted(len(reasons) - _MOST_REASONS, 'more reason')}", "dim")
    for title, tests in (("needed by them", selection.needed), ("new", selected.suite.new)):
        if tests:
            lines.line()
            lines.line(title)
            for test in tests:
                lines.line(f"  {test}")
    return lines.text


def _headline(selected: SelectedTests) -> str:
    selection, new = selected.selection, selected.suite.new
    if selected.affected.everything:
        size = counted(len(selection.wanted) + len(new), "test")
        return f"Everything is selected, {size}. {selected.affected.everything}"
    parts = [f"{len(selection.wanted):,} of {counted(selected.known_tests, 'test')} affected"]
    parts += [f"{len(selection.needed):,} more needed by them"] if selection.needed else []
    parts += [f"{len(new):,} new"] if new else []
    return ", ".join(parts) + "."
