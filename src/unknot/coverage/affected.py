"""Which tests a change can affect, and why."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import PurePosixPath

from unknot.coverage.blocks import SourceChange
from unknot.coverage.changed_files import FileChange
from unknot.coverage.contexts import LineCoverage
from unknot.coverage.coverage_recording import CoverageRecording, ReadFile
from unknot.coverage.imports import ImportGraph
from unknot.model.suite import TestId

_MODULE_LEVEL = "module level"


@dataclass
class Affected:
    """`reasons` has the affected tests; `everything` is the reason if all tests are affected, empty otherwise; `idle`
    are changed files that affect no test."""

    reasons: dict[TestId, list[str]] = field(default_factory=dict)
    everything: str = ""
    idle: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        return sum(map(len, self.reasons.values()))

    def add(self, test: TestId, reason: str) -> None:
        known = self.reasons.setdefault(test, [])
        if reason not in known:
            known.append(reason)


def affected_tests(
    homes: Mapping[TestId, str],
    changes: Mapping[str, FileChange],
    coverage: LineCoverage,
    sources: Mapping[str, str],
    recording: CoverageRecording | None = None,
    failing: Collection[TestId] = (),
) -> Affected:
    """The tests whose behaviour these changes may have altered since they were measured.

    - A changed function affects the tests that ran a line of it; if it ran while its module was imported, all tests
      that import the module.
    - A change around functions (module level, class bodies, signatures, decorators, defaults, imports) affects all
      tests that ran anything of the file, or import it, directly or not.
    - A changed data file affects the tests that read it; a changed directory, those that listed it.
    - A new file affects the tests with an import that would find it; a new conftest.py, all tests below it.
    - Configuration affects everything.
    - A test that was measured only partly is affected by any change. One that was not measured, or that failed (it may
      have looked for something that did not exist), is always affected.

    `homes` are the files of the tests, `sources` those that were measured, `failing` the tests that failed last time.
    Never fewer tests than pytest-testmon selects for the same change. Not covered is what happens without a line of
    Python or an open file: environment variables, the network, checks whether a file exists, packages changed without a
    new version.
    Cost: linear in the tests and the files that they ran, times the changed files.
    """
    assessment = _Assessment(homes, coverage, sources, recording)
    assessment.assess(changes)
    measured = recording.outcomes if recording is not None else coverage.tests
    found = assessment.found
    for test in homes:
        if test not in measured:
            found.add(test, "it was not measured")
        elif test in failing or (recording is not None and recording.outcomes[test].is_bad):
            found.add(test, "it failed last time")
    return found


class _Assessment:
    def __init__(
        self,
        homes: Mapping[TestId, str],
        coverage: LineCoverage,
        sources: Mapping[str, str],
        recording: CoverageRecording | None,
    ) -> None:
        self._homes = homes
        self._coverage = coverage
        self._recording = recording
        self._graph = ImportGraph(sources, recording.modules if recording else None)
        self._reach = cache(lambda file: self._graph.reach([file]))
        self._around = cache(lambda home: _around(home, sources))
        self._unclaimed = frozenset(coverage.at_import) - self._claimed()
        self.found = Affected()

    def assess(self, changes: Mapping[str, FileChange]) -> None:
        for path, change in changes.items():
            before = self.found.count
            self._assess(path, change)
            if self.found.count == before and not change.is_configuration:
                self.found.idle.append(path)
        if any(not change.is_configuration for change in changes.values()):
            self._add_blind()

    def _assess(self, path: str, change: FileChange) -> None:
        if change.is_configuration:
            self.found.everything = self.found.everything or f"{path}: configuration of the whole suite"
        elif change.is_new:
            self._assess_new(path)
        elif change.source is not None:
            self._assess_source(path, change.source)
        # A Python file may be read as data too.
        self._add_readers(path, f"{path}: read by it")
        for test, home in self._homes.items():
            # A text file with tests in it, or a test file of which nothing was measured.
            if home == path and (change.source is None or path not in self._coverage.files):
                self.found.add(test, f"{path}: its own file")

    def _assess_source(self, path: str, change: SourceChange) -> None:
        by_test = self._coverage.lines.get(path, {})
        for block in change.blocks:
            lines = frozenset(block.wide_lines)
            what = f"{path}: {_MODULE_LEVEL if block.is_module else block.name}"
            for test, ran in by_test.items():
                if test in self._homes and not ran.isdisjoint(lines):
                    self.found.add(test, what)
        if change.whole:
            for test in by_test:
                if test in self._homes:
                    self.found.add(test, f"{path}: {change.whole}")
        if why := self._matters_to_importers(path, change):
            self._add_importers(path, f"{path}: {why}")

    def _matters_to_importers(self, path: str, change: SourceChange) -> str:
        """The reason why importing the file may behave differently now; empty if it does not."""
        if change.whole:
            return change.whole
        at_import = self._coverage.at_import.get(path, frozenset())
        for block in change.blocks:
            if block.is_module or path not in self._coverage.files:
                return _MODULE_LEVEL if block.is_module else block.name
            if not at_import.isdisjoint(block.lines):
                return f"{block.name}, which runs at import"
        return ""

    def _assess_new(self, path: str) -> None:
        name = PurePosixPath(path).name
        if name in ("conftest.py", "__init__.py"):
            above = PurePosixPath(path).parent
            for test, home in self._homes.items():
                if PurePosixPath(home).is_relative_to(above):
                    self.found.add(test, f"{path}: did not exist when it was recorded")
        for importer in self._graph.could_import(path):
            self._add_importers(importer, f"{path}: {importer} looks for a module of that name")

    def _add_readers(self, path: str, reason: str) -> None:
        known = self._recording.data.get(path, ReadFile("")) if self._recording else ReadFile("")
        for test in self._homes:
            if known.everyone or test in known.tests:
                self.found.add(test, reason)
        for module in known.modules:
            self._add_importers(module, reason)

    def _add_importers(self, path: str, reason: str) -> None:
        roots = {root for test in self._homes for root in self._roots(test)}
        importers = frozenset(root for root in roots if path in self._reach(root))
        for test in self._homes:
            if path in self._unclaimed or not importers.isdisjoint(self._roots(test)):
                self.found.add(test, reason)

    def _roots(self, test: TestId) -> frozenset[str]:
        return self._around(self._homes[test]) | self._coverage.files_of.get(test, frozenset())

    def _claimed(self) -> frozenset[str]:
        """Files that a present or deleted test is known to import. Any other imported file, such as a plugin, may
        affect every test."""
        roots = frozenset[str]().union(*(self._roots(test) for test in self._homes), *self._coverage.files_of.values())
        return frozenset[str]().union(*(self._reach(root) for root in roots))

    def _add_blind(self) -> None:
        for test, why in (self._recording.blind if self._recording else {}).items():
            if test in self._homes:
                self.found.add(test, why)


def _around(home: str, files: Collection[str]) -> frozenset[str]:
    """The file of a test, the conftest files in its directories, and its packages."""
    directories = PurePosixPath(home).parents
    beside = (str(directory / name) for directory in directories for name in ("conftest.py", "__init__.py"))
    return frozenset({home, *(path for path in beside if path in files)})
