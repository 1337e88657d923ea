"""A copy of the project in which generated tests are run before they are written."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from unknot.app.configuration import ProjectConfiguration, read_configuration
from unknot.app.detect import Detection, DetectOptions, detect
from unknot.app.generate.suite_directory import SuiteDirectory
from unknot.app.options import ProjectFiles, RunnerOptions
from unknot.app.page_files import PageCode
from unknot.app.progress import ProgressListener
from unknot.app.recording.trace import TraceOptions
from unknot.app.session.session import Session, open_session, pytest_session, settings_from
from unknot.model.errors import CollectionError, UsageError
from unknot.runners.sandbox.sandbox import make_home
from unknot.runners.sandbox.tree import remove_if_possible
from unknot.runners.sandbox.working_copy import WorkingCopy, project_root, why_not_copy

LOCK = "unknot.lock.json"
_TEST_SECONDS = 120.0
"""A test that waits for something that never comes is not to hold up the others."""


@contextmanager
def open_scratch(suite: SuiteDirectory, options: RunnerOptions) -> "Iterator[Scratch]":
    """The copy is removed at the end, whatever happens. Raises UsageError for a project that is too large to be
    copied."""
    root = project_root(suite.project)
    if reason := why_not_copy(root):
        raise UsageError(
            f"generated tests are proved in a copy of the project, and {reason}",
            hint="Keep the tests in a project of their own, with an [instance] of the application.",
            slug="project-not-copied",
        )
    home = make_home()
    try:
        copy = WorkingCopy.make(root, home / "project").copy
        yield Scratch(root, copy, home / "state", suite, options)
    finally:
        remove_if_possible(home)


@dataclass(frozen=True)
class Scratch:
    """`copy` is that of the project's `root`; `state` a state directory of its own."""

    root: Path
    copy: Path
    state: Path
    suite: SuiteDirectory
    options: RunnerOptions

    def write(self, files: Mapping[str, str]) -> None:
        """In place of the generated files that are there."""
        directory = self._in_copy(self.suite.path)
        directory.mkdir(parents=True, exist_ok=True)
        for name in self.suite.generated():
            (directory / name).unlink(missing_ok=True)
        for path in directory.glob("test_*.py"):
            if path.name not in files and not (self.suite.path / path.name).exists():
                path.unlink()
        for name, text in files.items():
            (directory / name).write_text(text, encoding="utf-8")

    def write_pages(self, code: PageCode) -> None:
        """As they will be in the project."""
        code.write(self._in_copy(self.suite.pages))

    @contextmanager
    def session(self, files: Sequence[str], listener: ProgressListener) -> Iterator[Session]:
        """With the tests of these files. Raises UsageError if they cannot be imported."""
        options = self._runner(files)
        settings = settings_from(options, listener)
        with _collected(), open_session(settings, options, listener, all_workers=True) as session:
            yield session

    def check_imports(self, texts: Mapping[str, str], listener: ProgressListener) -> None:
        """Whether pytest can collect these files, and what they import: starts nothing. Raises UsageError if not."""
        self.write(texts)
        options = self._runner([name for name in texts if name.startswith("test_")])
        settings = replace(settings_from(options, listener), instance=None, workers=1)
        with _collected():
            pytest_session(settings, options.runner, listener).resources.close()

    def detect(self, files: Sequence[str], listener: ProgressListener) -> Detection:
        """Writes the lock file in the copy."""
        options = DetectOptions(
            runner=self._runner(files),
            files=ProjectFiles(lock=self.lock, state_dir=self.state),
            tracing=TraceOptions(trace=False),
        )
        self.lock.unlink(missing_ok=True)
        return detect(options, listener)

    @property
    def lock(self) -> Path:
        return self._in_copy(self.suite.path) / LOCK

    def _runner(self, files: Sequence[str]) -> RunnerOptions:
        directory = self._in_copy(self.options.directory)
        place = self._in_copy(self.suite.path)
        return replace(
            self.options,
            directory=directory,
            configuration=only_instance(read_configuration(directory)),
            paths=tuple(str((place / name).relative_to(directory)) for name in files),
            timeout=_TEST_SECONDS,
        )

    def _in_copy(self, path: Path) -> Path:
        return self.copy / path.relative_to(self.root)


@contextmanager
def _collected() -> Iterator[None]:
    try:
        yield
    except CollectionError as problem:
        raise UsageError(
            f"pytest cannot collect the generated tests: {problem.message.strip()}",
            hint="Correct the page object, the login or the conftest.py that it names, and run the command again.",
            slug="generate-not-collected",
        ) from problem


def only_instance(configuration: ProjectConfiguration) -> ProjectConfiguration:
    """A generated suite is pytest's, whatever else the project has."""
    tables = {name: table for name, table in configuration.tables.items() if name == "instance"}
    return replace(configuration, tables=tables)
