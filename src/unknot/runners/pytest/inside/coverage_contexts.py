"""The pytest plugin that records which test ran which line and read which file.

Loaded with `-p`; does nothing unless the environment names a request. One process, the suite's own order. Every test
is a context of coverage.py, its set-up and tear-down included. Two things are done by one test but for others too, and
get contexts of their own, which `parts` joins to the tests again: fixtures that tests share, and imports.
"""

import sys
from collections.abc import Generator
from typing import Any

import pytest
from _pytest.assertion.rewrite import AssertionRewritingHook

from unknot.runners.pytest.inside.coverage_setup import start_measuring
from unknot.runners.pytest.inside.files_read import FilesRead
from unknot.runners.pytest.inside.import_watch import ImportWatch
from unknot.runners.pytest.inside.whole_run_tests import WholeRunTests, configure, take_request

REQUEST = "UNKNOT_COVERAGE"
FIXTURE = "unknot:fixture:"
IMPORT = "unknot:import:"
_DOWN = ":down"


class CoverageRecorder:
    """One per process; registered before the first conftest is imported."""

    def __init__(self, request: dict[str, Any]) -> None:
        roots = tuple(request["roots"])
        self._tests = WholeRunTests(request)
        self._contexts = [""]
        self._importing: list[str] = []
        self._parts: dict[str, set[str]] = {}
        self._fixtures: dict[int, tuple[str, Any]] = {}
        self._unmeasured: set[str] = set()
        self._rootdir = ""
        self._files = FilesRead(roots, self._owner)
        self._imports = ImportWatch(roots, self._begin_import, self._end_import)
        self._coverage = start_measuring(request["data"], roots)
        # Test files are loaded by pytest itself.
        self._imports.install(AssertionRewritingHook)
        self._files.install()
        self._files.start()

    # What is running.

    def _owner(self) -> str:
        """A file that is read while a module is imported is read for all that import the module."""
        return IMPORT + self._importing[-1] if self._importing else self._contexts[-1]

    def _enter(self, context: str) -> None:
        if self._contexts[-1] and context != self._contexts[-1]:
            self._parts.setdefault(self._contexts[-1], set()).add(context)
        self._contexts.append(context)
        self._coverage.switch_context(context)

    def _leave(self) -> None:
        self._contexts.pop()
        self._coverage.switch_context(self._contexts[-1])

    def _begin_import(self, file: str) -> None:
        self._importing.append(file)
        current = self._contexts[-1]
        self._enter(current if not current or current.startswith(IMPORT) else IMPORT + current)

    def _end_import(self) -> None:
        self._importing.pop()
        self._leave()

    # Events of pytest.

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, session: Any, items: list[Any]) -> None:
        self._rootdir = str(session.config.rootpath)
        self._tests.take(items)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: Any) -> Generator[None, object, object]:
        test = self._tests.begin(item)
        depth = len(self._contexts)
        self._enter(test)
        tracer = sys.gettrace()
        try:
            return (yield)
        finally:
            if sys.gettrace() is not tracer:
                # A test that traces by itself has put our tracer out; it is set again for the next one.
                self._unmeasured.add(test)
                self._coverage.stop()
                self._coverage.start()
            # One more than there should be, if a set-up was left without its tear-down.
            del self._contexts[depth + 1 :]
            self._leave()
            self._tests.end()

    def pytest_runtest_logreport(self, report: Any) -> None:
        self._tests.add(report)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_teardown(self, item: Any) -> None:
        """Now the test has all its fixtures, those too that it requested by name while it ran."""
        for definition in _definitions(getattr(item, "_request", None)):
            if id(definition) in self._fixtures:
                self._parts.setdefault(self._tests.name(item), set()).add(self._fixtures[id(definition)][0])

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Generator[None, object, object]:
        if fixturedef.scope == "function":
            return (yield)
        # The definition is kept, so that no other object can get its number.
        context, _ = self._fixtures.setdefault(id(fixturedef), (f"{FIXTURE}{len(self._fixtures)}", fixturedef))
        before = {id(definition) for definition in _definitions(request)}
        # What was added last is done first: the tear-down runs between the two.
        fixturedef.addfinalizer(self._leave)
        self._enter(context)
        try:
            return (yield)
        finally:
            self._leave()
            # The last test happens to do the tear-down, but has no part in the set-up.
            self._parts.setdefault(context, set()).add(context + _DOWN)
            fixturedef.addfinalizer(lambda: self._enter(context + _DOWN))
            for definition in _definitions(request):
                if id(definition) not in before and id(definition) in self._fixtures and definition is not fixturedef:
                    self._parts.setdefault(context, set()).add(self._fixtures[id(definition)][0])

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        if self._tests.is_in_child:
            return
        self._files.stop()
        self._coverage.stop()
        self._coverage.save()
        self._coverage.get_data().close()
        self._write()

    def _write(self) -> None:
        names = {module.__name__: source for module in list(sys.modules.values()) if (source := _source(module))}
        document = {
            "rootdir": self._rootdir,
            "tests": {test: [verdict.outcome, verdict.story] for test, verdict in self._tests.verdicts.items()},
            "parts": {context: sorted(parts) for context, parts in self._parts.items()},
            "read": {path: sorted(owners) for path, owners in self._files.read.items()},
            "modules": {**names, **self._imports.modules},
            "started_processes": sorted(self._files.started_processes),
            "unmeasured": sorted(self._unmeasured),
        }
        self._tests.answer(document)


def _definitions(request: Any) -> list[Any]:
    return list((getattr(request, "_fixture_defs", None) or {}).values())


def _source(module: Any) -> str:
    file = getattr(module, "__file__", None)
    return file if isinstance(file, str) and isinstance(getattr(module, "__name__", None), str) else ""


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: Any) -> None:
    request = take_request(REQUEST, early_config)
    if request is not None:
        early_config.pluginmanager.register(CoverageRecorder(request), "unknot-recorder")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: Any) -> None:
    configure(config)
