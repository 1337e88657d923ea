"""A copy of the project in which changed test files are tried. The user's own files are only read."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from unknot.app.progress import ProgressListener
from unknot.app.session.session import pytest_session
from unknot.fix.access_path import ProjectModules
from unknot.model.errors import UsageError
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import Order, TestId
from unknot.runners.sandbox.sandbox import make_home
from unknot.runners.sandbox.tree import remove_if_possible
from unknot.runners.sandbox.working_copy import WorkingCopy, project_root, why_not_copy
from unknot.runners.settings import Settings


@dataclass(frozen=True)
class TrialResults:
    """The run of each order, and the files of all tests that were collected, from the project's root."""

    runs: Mapping[Order, Run]
    homes: Mapping[TestId, str]


@contextmanager
def open_workspace(settings: Settings, runner: str) -> "Iterator[TrialWorkspace]":
    """The copy is removed at the end, whatever happens."""
    root = project_root(settings.directory)
    if reason := why_not_copy(root):
        raise UsageError(
            f"changes are tried in a copy of the project, and {reason}",
            hint="Run `unknot explain --no-try` for an explanation without trials.",
            slug="project-not-copied",
        )
    home = make_home()
    try:
        yield TrialWorkspace(root, settings, runner, WorkingCopy.make(root, home / "project").copy)
    finally:
        remove_if_possible(home)


@dataclass(frozen=True)
class TrialWorkspace:
    """`root` is the user's own project, `copy` the directory in which changes are tried."""

    root: Path
    settings: Settings
    runner: str
    copy: Path

    def modules(self) -> ProjectModules:
        """Of the project's own files. What is linked into the copy, such as environments, is not part of the
        project."""
        found = []
        for directory, inner, files in os.walk(self.copy):
            inner[:] = [name for name in inner if name != "__pycache__"]
            here = Path(directory).relative_to(self.copy)
            found += [(here / name).as_posix() for name in files]
        return ProjectModules.of(found)

    def read(self, path: str) -> bytes | None:
        """A file of the project as it was when the copy was made, from the project's root."""
        try:
            return (self.copy / path).read_bytes()
        except (OSError, ValueError):
            return None

    def run(self, changes: Mapping[str, bytes], orders: Sequence[Order]) -> TrialResults:
        """Runs the orders with these files changed. Tests that are not collected are left out of every order. Raises
        what the runner raises, a CollectionError if a changed file cannot be imported."""
        kept = {path: self.read(path) for path in changes}
        try:
            for path, content in changes.items():
                self._write(path, content)
            return self._run_orders(orders)
        finally:
            for path, old in kept.items():
                if old is not None:
                    self._write(path, old)

    def _write(self, path: str, content: bytes) -> None:
        target = self.copy / path
        if target.is_symlink():
            # It may point to the user's own file.
            target.unlink()
        target.write_bytes(content)

    def _run_orders(self, orders: Sequence[Order]) -> TrialResults:
        with pytest_session(self._in_copy(), self.runner, ProgressListener()) as session:
            collected = session.listing
            there = {self._original(test): test for test in collected.suite.tests}
            wanted = {order: tuple(there[test] for test in order if test in there) for order in orders}
            runs: dict[Order, Run] = {}
            for run in session.runner.run_orders([OrderRequest(order) for order in dict.fromkeys(wanted.values())]):
                runs[run.order] = run
            homes = {
                self._original(test): file.relative_to(self.copy).as_posix()
                if file.is_relative_to(self.copy)
                else str(file)
                for test, file in zip(collected.suite.tests, collected.files, strict=True)
            }
            return TrialResults({order: self._renamed(runs[here]) for order, here in wanted.items()}, homes)

    def _in_copy(self) -> Settings:
        settings = self.settings
        return replace(
            settings,
            directory=self.copy / settings.directory.relative_to(self.root),
            paths=tuple(self._in_copy_path(path) for path in settings.paths),
        )

    def _renamed(self, run: Run) -> Run:
        request = replace(run.request, order=tuple(map(self._original, run.order)))
        return replace(run, request=request)

    def _original(self, test: str) -> TestId:
        """An id may hold the path of the project."""
        return TestId(test.replace(str(self.copy), str(self.root)))

    def _in_copy_path(self, text: str) -> str:
        return text.replace(str(self.root), str(self.copy)) if os.path.isabs(text) else text
