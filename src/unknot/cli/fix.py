"""`unknot fix TEST`: a change of the tests that cuts a dependency, shown or made after it was tried."""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from unknot.app.configuration import only_pytest
from unknot.app.fix.edges import Edge, all_edges, edges_of
from unknot.app.fix.trial import Cut, FixTrial
from unknot.app.test_names import named_test
from unknot.cli.options import add_files, add_verb
from unknot.cli.trial_options import add_trial, recorded_or_hint, trial
from unknot.fix.diff import unified
from unknot.model.dependencies import Dependencies
from unknot.model.errors import ExitCode, StorageError, UsageError
from unknot.model.sanitise import shown
from unknot.store.atomic import write_bytes_atomically
from unknot.store.lock import read_lock

_DESCRIPTION = """\
Looks for a change of the tests that cuts what the test depends on: a fixture that puts back
what another test leaves behind, or that makes what this one needs. Every change is tried in a
copy of the project: the dependency must be gone in both proof orders, and no other test may do
other than before in the suite's own order. What passes is printed as a diff.

Needs a recording of the suite: `unknot detect --trace`.

  unknot fix test_total                   show the change
  unknot fix test_total | git apply       the same as --write
  unknot fix test_total --write
  unknot fix --all

Exit code 0 if every dependency asked about can be cut, 1 if not.
"""


def add_parser(verbs: Any) -> None:
    parser = add_verb(verbs, "fix", "a change that cuts a dependency, tried before it is shown", _DESCRIPTION)
    parser.add_argument("test", metavar="TEST", nargs="?", help="a node id, or a part of one that fits no other test")
    parser.add_argument("--all", action="store_true", help="all dependencies of all tests, one after another")
    parser.add_argument("--write", action="store_true", help="change the files")
    add_trial(parser)
    add_files(parser)
    parser.set_defaults(verb=fix)


def fix(options: argparse.Namespace, console: Console) -> ExitCode:
    only_pytest(options, "fix")
    dependencies = read_lock(options.lock)
    edges = _edges(options, dependencies)
    recording = recorded_or_hint(options.state_dir)
    with trial(options, dependencies, recording, console) as attempt:
        for cut in attempt.cut_all(edges):
            _tell(cut, console)
        changes = {path: (attempt.ground.read(path), content) for path, content in attempt.changes.items()}
        if options.write:
            _write(attempt, console)
        else:
            _show(changes)
    return ExitCode.CLEAN if len(attempt.done) == len(edges) else ExitCode.FOUND


def _edges(options: argparse.Namespace, dependencies: Dependencies) -> Sequence[Edge]:
    if options.all:
        # The first word is then a path for pytest.
        options.paths = [*filter(None, [options.test]), *options.paths]
        return all_edges(dependencies)
    if options.test is None:
        raise UsageError("name a test, or give --all", hint="`unknot report` lists the tests that depend on others")
    test = named_test(dependencies, options.test)
    if test not in dependencies.suite.index:
        raise UsageError(f"no such test: {shown(test)}", hint="`unknot report` lists the tests that depend on others")
    edges = edges_of(dependencies, test)
    if not edges:
        raise UsageError(f"{shown(test)} depends on no other", hint="`unknot report` lists the tests that do")
    return edges


def _tell(cut: Cut, console: Console) -> None:
    """On standard error: standard output is the diff."""
    end = cut.note or "cut; both proof orders and the whole suite were run with the change"
    console.print(f"{shown(cut.edge.told)}: {shown(end)}", markup=False)


def _show(changes: Mapping[str, tuple[bytes | None, bytes]]) -> None:
    whole = b"".join(unified(path, before or b"", after) for path, (before, after) in changes.items())
    sys.stdout.flush()
    if sys.stdout.isatty():
        text = whole.decode("utf-8", "replace")
        sys.stdout.write("".join("\t".join(map(shown, line.split("\t"))) + "\n" for line in text.splitlines()))
    else:
        # For `git apply`: exact to the byte.
        sys.stdout.buffer.write(whole)


def _write(attempt: FixTrial, console: Console) -> None:
    root = attempt.ground.root
    for path in attempt.changes:
        _check_unchanged(root / path, attempt.ground.read(path))
    for path, content in attempt.changes.items():
        write_bytes_atomically(root / path, content)
        console.print(f"written: {shown(os.path.relpath(root / path))}", markup=False)
    if attempt.changes:
        console.print("`unknot detect` brings the lock file up to date", markup=False)


def _check_unchanged(path: Path, read: bytes | None) -> None:
    try:
        now = path.read_bytes()
    except OSError as problem:
        raise StorageError(f"cannot read {path}: {problem.strerror}", hint="nothing was written") from problem
    if now != read:
        raise StorageError(f"{path} was changed meanwhile", hint="nothing was written: run it again")
