"""`unknot fix TEST`: a change of the tests that removes a dependency, shown or applied after it was tried."""

import argparse
import os
import sys
from collections.abc import Mapping

from unknot.app.fix.fix import TRIAL_SECONDS, TrialOptions, find_fixes, write_fixes
from unknot.app.options import options_from
from unknot.cli.options import OptionGroup, seconds
from unknot.cli.terminal import TerminalProgress
from unknot.fix.source_file import unified_diff_bytes
from unknot.model.errors import ExitCode, UsageError
from unknot.model.sanitise import shown

DESCRIPTION = """\
Finds a change of the tests that removes the dependencies of a test: a fixture that restores what
another test leaves behind, or that sets up what this one needs. Every change is tried in a copy of
the project: the dependency must be gone in both proof orders, and no other test may change its
outcome in suite order. A change that works is printed as a diff.

Uses the recording of the last `unknot detect`. Without one, it records the suite first.

  unknot fix test_total                   show the change
  unknot fix test_total | git apply       the same as --write
  unknot fix test_total --write
  unknot fix --all

Exit code 0 if every dependency in question can be removed, 1 if not.
"""


def add_options(parser: OptionGroup) -> None:
    parser.add("test", metavar="TEST", nargs="?", help="a node id, or a part of one that matches no other test")
    parser.flag("--all", "fix all dependencies of all tests, one after another")
    parser.flag("--write", "change the files")
    add_trial(parser)
    parser.files()


def add_trial(parser: OptionGroup) -> None:
    """After the verb's own positional argument: the paths for pytest come last."""
    parser.value("--seconds", "N", "start no new trial after so long", seconds, TRIAL_SECONDS)
    parser.pytest_runner()


def run(given: argparse.Namespace, progress: TerminalProgress) -> ExitCode:
    if given.all:
        # The first word is then a path for pytest.
        given.paths = [*filter(None, [given.test]), *given.paths]
        given.test = None
    elif given.test is None:
        hint = "Run `unknot report` for a list of the tests that depend on others."
        raise UsageError("name a test, or give --all", hint=hint, slug="no-test-named")
    fixes = find_fixes(given.test, options_from(TrialOptions, vars(given)), progress)
    if given.write:
        for path in write_fixes(fixes):
            progress.result(f"written: {shown(os.path.relpath(path))}")
        if fixes.changes:
            progress.result("Run `unknot detect` to update the lock file.")
    else:
        _print_diff(fixes.changes)
    return ExitCode.CLEAN if fixes.complete else ExitCode.FOUND


def _print_diff(changes: Mapping[str, tuple[bytes | None, bytes]]) -> None:
    whole = b"".join(unified_diff_bytes(path, before or b"", after) for path, (before, after) in changes.items())
    sys.stdout.flush()
    if sys.stdout.isatty():
        text = whole.decode("utf-8", "replace")
        sys.stdout.write("".join("\t".join(map(shown, line.split("\t"))) + "\n" for line in text.splitlines()))
    else:
        # For `git apply`: exact to the byte.
        sys.stdout.buffer.write(whole)
