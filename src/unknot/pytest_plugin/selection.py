"""Which tests run, and in which order: the collected tests with their prerequisites, in a safe order."""

from collections.abc import Collection, Generator, Mapping
from pathlib import Path
from typing import Any

import pytest

from unknot.model.dependencies import Dependencies
from unknot.model.errors import UsageError
from unknot.model.suite import Order, TestId
from unknot.plan.constraints.subset import close_tests
from unknot.pytest_plugin.arguments import CollectionArguments, names_of
from unknot.pytest_plugin.lanes import lanes_for
from unknot.pytest_plugin.messages import WITH_NEEDS, added_line, header, usage_error

LOCK_FOR_WORKERS = "unknot_lock"
ADDED_BY_WORKER = "unknot_added"
"""The keys of messages between controller and workers."""

_SKIPPING_OF_LAST_FAILED = ("lfplugin-collwrapper", "lfplugin-collskip")
"""With --lf pytest does not even collect tests that did not fail; its later selection among collected tests is
enough."""


class SelectionPlugin:
    """The plugin in the process that collects: pytest itself, or each of pytest-xdist's workers. All workers get the
    same result. They only select and sort; the controller makes the plan and reports errors."""

    def __init__(self, config: pytest.Config, dependencies: Dependencies, lock: Path) -> None:
        self._config = config
        self._dependencies = dependencies
        self._lock = lock
        self._with_needs = bool(config.getoption("unknot_with_needs"))
        self._arguments = CollectionArguments(config.args, config.invocation_params.dir, config.rootpath)
        self._added_files: set[Path] = set()
        self._lines: list[str] = []
        if self._with_needs:
            for name in _SKIPPING_OF_LAST_FAILED:
                config.pluginmanager.set_blocked(name)

    def pytest_report_header(self) -> str:
        return header(self._dependencies, self._lock, "tests run in a safe order")

    def pytest_report_collectionfinish(self) -> list[str]:
        return self._lines

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """Also collects files with tests that may be needed. Which of their tests stay is decided afterwards."""
        if self._with_needs and not self._config.getoption("pyargs", False):
            files = self._arguments.files_to_add(self._dependencies)
            self._added_files.update(files)
            self._config.args += map(str, files)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Generator[None, Any, Any]:
        """Registered after pytest's own plugins, and wrapped around all that select or shuffle: this hook decides
        last."""
        items[:] = self._without_repetitions(items)
        names = dict(zip(items, names_of(item.nodeid for item in items), strict=True))
        result = yield
        # Another plugin may have added items of its own.
        by_name = {names.get(item, TestId(item.nodeid)): item for item in (*names, *items)}
        chosen = [names.get(item, TestId(item.nodeid)) for item in items if self._is_requested(item)]
        added = self._needed(chosen, by_name)
        items[:] = [by_name[name] for name in self._in_order((*chosen, *added))]
        self._uncount_deselected([by_name[name] for name in added])
        return result

    def _without_repetitions(self, items: list[pytest.Item]) -> list[pytest.Item]:
        """If a file is added after some of its own tests, pytest before version 9 collects these tests twice."""
        seen: set[str] = set()
        kept = []
        for item in items:
            if item.path not in self._added_files or item.nodeid not in seen:
                kept.append(item)
            seen.add(item.nodeid)
        return kept

    def _is_requested(self, item: pytest.Item) -> bool:
        return item.path not in self._added_files or self._arguments.includes(item.nodeid)

    def _needed(self, chosen: Collection[TestId], collected: Mapping[TestId, pytest.Item]) -> Order:
        if not self._with_needs:
            return ()
        there = set(chosen)
        added = tuple(test for test in close_tests(self._dependencies, chosen, collected) if test not in there)
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput[ADDED_BY_WORKER] = list(added)
        if added:
            self._lines.append(added_line(added))
        return added

    def _in_order(self, tests: Order) -> Order:
        if hasattr(self._config, "workerinput"):
            index = self._dependencies.suite.index
            return tuple(sorted(tests, key=lambda test: index.get(test, len(index))))
        try:
            lanes = lanes_for(self._dependencies, tests, workers=1, with_needs=self._with_needs)
        except UsageError as error:
            raise usage_error(error, WITH_NEEDS) from None
        self._lines += lanes.notes
        return lanes.orders[0] if lanes.orders else ()

    def _uncount_deselected(self, items: list[pytest.Item]) -> None:
        """Tests that -k or -m deselected but that are needed do not count as deselected."""
        reporter = self._config.pluginmanager.getplugin("terminalreporter")
        if reporter is not None and "deselected" in reporter.stats:
            reporter.stats["deselected"] = [item for item in reporter.stats["deselected"] if item not in items]
