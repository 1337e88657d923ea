"""Selects the tests that a change can affect, with what they need."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from unknot.app.baseline import from_root
from unknot.app.configuration import require_pytest
from unknot.app.find_tests import first_few
from unknot.app.known_result import planning_result
from unknot.app.options import ProjectFiles, RunnerOptions
from unknot.app.progress import ProgressListener
from unknot.app.session.session import pytest_session, settings_from
from unknot.coverage.affected import Affected, affected_tests
from unknot.coverage.changed_project import ChangedProject
from unknot.coverage.project_files import environment_now
from unknot.model.dependencies import Dependencies
from unknot.model.errors import CollectionError
from unknot.model.suite import Order, TestId
from unknot.plan.constraints.components import affected_through
from unknot.plan.select import ClosedSelection, select_tests
from unknot.runners.sandbox.working_copy import project_root
from unknot.store.state_directory import StateDirectory

_NOT_RECORDED = "No coverage was recorded: `unknot detect --coverage` records which test runs which line."


@dataclass(frozen=True, kw_only=True)
class SelectOptions:
    """`since` is the commit to compare with; `changed` are files that count as changed."""

    runner: RunnerOptions
    files: ProjectFiles = field(default_factory=ProjectFiles)
    since: str | None = None
    changed: tuple[str, ...] = ()
    coverage: Path | None = None


@dataclass(frozen=True)
class PresentSuite:
    """The suite as it is now. `known` is what is known of the tests that still exist; `new` are tests that the lock
    file does not have; `homes` are the files of all of them, counted from the project's root."""

    known: Dependencies
    new: Order
    homes: Mapping[TestId, str]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class SelectedTests:
    """The affected tests with the reasons, what to run for them, and what the user should know."""

    affected: Affected
    selection: ClosedSelection
    suite: PresentSuite
    known_tests: int
    notes: tuple[str, ...]

    @property
    def tests(self) -> Order:
        """In an order in which they behave as in the whole suite."""
        return (*self.selection.order, *self.suite.new)

    @property
    def ids_for_pytest(self) -> list[str]:
        """Of tests that share an id the later ones have a number here, which pytest does not know: it runs all."""
        names = []
        for test in self.tests:
            shared, _, number = test.rpartition("#")
            names.append(shared if number.isdigit() and TestId(shared) in self.suite.homes else test)
        return list(dict.fromkeys(names))


def select(options: SelectOptions, listener: ProgressListener) -> SelectedTests:
    """Runs nothing but pytest's collection. Raises UsageError and StorageError."""
    require_pytest(options.runner.configuration, "select", options.runner.runner)
    dependencies = planning_result(options.files, listener)
    root = project_root(options.runner.directory)
    data_file = options.coverage or StateDirectory(options.files.state_dir).coverage
    if options.coverage is None and not data_file.exists():
        # As in a fresh clone. To record it takes longer than to run everything.
        suite = present_suite(options.runner, dependencies, root, listener)
        everything = Affected(everything=_NOT_RECORDED)
        selection = select_tests(suite.known, suite.known.suite.tests)
        return SelectedTests(everything, selection, suite, len(dependencies.suite), suite.notes)
    project = ChangedProject.open(root, data_file, options.since, options.changed, ours=[options.files.lock])
    suite = present_suite(options.runner, dependencies, root, listener)
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
    unused = [] if found.everything else [f"{path}: no test is known to run or read it" for path in found.idle]
    notes = (*project.notes, *suite.notes, *unused)
    return SelectedTests(found, select_tests(suite.known, wanted), suite, len(dependencies.suite), notes)


def _difference(project: ChangedProject) -> str:
    """Whether other packages are installed now than when the tests were measured."""
    if project.recording is None:
        return ""
    before, now = set(project.recording.environment), set(environment_now())
    if before == now:
        return ""
    return f"other packages are installed than were then: {first_few(sorted(before ^ now), 4)}"


def present_suite(
    options: RunnerOptions, dependencies: Dependencies, root: Path, listener: ProgressListener
) -> PresentSuite:
    """Collects the suite. If pytest cannot collect it, because of a syntax error for example, the tests of the lock
    file whose files still exist are used, and new tests are not known."""
    settings = replace(settings_from(options, listener), workers=1)
    try:
        with pytest_session(settings, "fresh", listener) as session:
            tests = session.listing.suite.tests
            homes = {test: from_root(path, root) for test, path in zip(tests, session.listing.files, strict=True)}
            notes: tuple[str, ...] = ()
    except CollectionError as problem:
        tests = tuple(test for test in dependencies.suite.tests if (root / _home(test)).exists())
        homes = {test: _home(test) for test in tests}
        first = " ".join(line.strip() for line in problem.message.splitlines()[:2]).rstrip(":")
        notes = (f"{first}: the tests of the lock file are used instead, and new tests are not known",)
    gone = len(dependencies.suite) - sum(test in dependencies.suite.index for test in tests)
    if gone:
        notes = (*notes, f"{gone} tests of the lock file are not collected now")
    new = tuple(test for test in tests if test not in dependencies.suite.index)
    return PresentSuite(_still_present(dependencies, frozenset(tests)), new, homes, notes)


def _home(test: TestId) -> str:
    return test.partition("::")[0]


def _still_present(dependencies: Dependencies, tests: frozenset[TestId]) -> Dependencies:
    """In the order of the lock file, in which they are known to behave as expected. A need that no test can meet any
    more, or a cleaner that is gone, leaves only what comes before as safe."""
    if tests.issuperset(dependencies.suite.tests):
        return dependencies
    return dependencies.among(tuple(test for test in dependencies.suite.tests if test in tests))
