"""`unknot fix TEST`: a change of the tests that removes a dependency, shown or applied after it was tried."""

import argparse
import os
import sys
from collections.abc import Mapping

from rich.console import Console

from unknot.app.fix.fix import TRIAL_SECONDS, TrialOptions, find_fixes, write_fixes
from unknot.app.options import options_from
from unknot.cli.options import add_files, add_pytest_runner, project_files, runner_options, seconds
from unknot.cli.terminal import terminal_progress
from unknot.fix.source_file import unified_diff_bytes
from unknot.model.errors import ExitCode, UsageError
from unknot.model.sanitise import shown

DESCRIPTION = """\
Finds a change of the tests that removes the dependencies of a test: a fixture that restores what
another test leaves behind, or that sets up what this one needs. Every change is tried in a copy of
the project: the dependency must be gone in both proof orders, and no other test may change its
outcome in suite order. A change that works is printed as a diff.

Needs a recording of the suite: run `unknot detect --trace` first.

  unknot fix test_total                   show the change
  unknot fix test_total | git apply       the same as --write
  unknot fix test_total --write
  unknot fix --all

Exit code 0 if every dependency in question can be removed, 1 if not.
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "test", metavar="TEST", nargs="?", help="a node id, or a part of one that matches no other test"
    )
    parser.add_argument("--all", action="store_true", help="fix all dependencies of all tests, one after another")
    parser.add_argument("--write", action="store_true", help="change the files")
    add_trial(parser)
    add_files(parser)
    parser.set_defaults(verb=run_fix)


def add_trial(parser: argparse.ArgumentParser) -> None:
    """After the verb's own positional argument: the paths for pytest come last."""
    parser.add_argument(
        "--seconds",
        type=seconds,
        default=TRIAL_SECONDS,
        metavar="N",
        help=f"start no new trial after so long (default: {TRIAL_SECONDS:g})",
    )
    add_pytest_runner(parser)


def trial_options(given: argparse.Namespace) -> TrialOptions:
    return options_from(TrialOptions, vars(given), runner=runner_options(given), files=project_files(given))


def run_fix(given: argparse.Namespace, console: Console) -> ExitCode:
    if given.all:
        # The first word is then a path for pytest.
        given.paths = [*filter(None, [given.test]), *given.paths]
        given.test = None
    elif given.test is None:
        hint = "Run `unknot report` for a list of the tests that depend on others."
        raise UsageError("name a test, or give --all", hint=hint, slug="no-test-named")
    fixes = find_fixes(given.test, trial_options(given), terminal_progress(given, console))
    if given.write:
        for path in write_fixes(fixes):
            console.print(f"written: {shown(os.path.relpath(path))}", markup=False)
        if fixes.changes:
            console.print("Run `unknot detect` to update the lock file.", markup=False)
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
