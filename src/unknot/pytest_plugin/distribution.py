"""The plugin in pytest-xdist's controller: distributes tests by unknot's plan."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from unknot.model.dependencies import Dependencies
from unknot.model.errors import UsageError
from unknot.model.suite import Order, TestId
from unknot.pytest_plugin.failed_run import advice, unexpected
from unknot.pytest_plugin.lanes import lanes_for, rest_of
from unknot.pytest_plugin.messages import WITH_NEEDS, added_line, header, list_few, usage_error
from unknot.pytest_plugin.scheduler import PlanScheduling, Worker
from unknot.pytest_plugin.selection import ADDED_BY_WORKER, LOCK_FOR_WORKERS
from unknot.report.wording import counted


class DistributionPlugin:
    def __init__(self, config: pytest.Config, dependencies: Dependencies, lock: Path) -> None:
        self._config = config
        self._dependencies = dependencies
        self._lock = lock
        self._scheduler: PlanScheduling | None = None
        self._added: list[TestId] = []

    def pytest_report_header(self) -> str:
        return header(self._dependencies, self._lock, "workers run safe lanes")

    def pytest_configure_node(self, node: Worker) -> None:
        node.workerinput[LOCK_FOR_WORKERS] = str(self._lock)

    def pytest_xdist_make_scheduler(self, config: pytest.Config) -> PlanScheduling:
        from xdist.workermanage import parse_tx_spec_config  # type: ignore[import-untyped]

        workers = len(parse_tx_spec_config(config))
        self._scheduler = PlanScheduling(config, workers, self._lanes, partial(rest_of, self._dependencies))
        return self._scheduler

    def pytest_testnodedown(self, node: Worker) -> None:
        self._added = self._added or getattr(node, "workeroutput", {}).get(ADDED_BY_WORKER, [])

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """A suite with tests that were not run is not green."""
        if self._scheduler and self._scheduler.failures().not_run and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        for line in (*self._summary(), *self._unexpected(terminalreporter)):
            terminalreporter.write_line(line)

    def _unexpected(self, terminalreporter: Any) -> list[str]:
        reports = (report for kind in ("failed", "error") for report in terminalreporter.stats.get(kind, ()))
        tests = unexpected(self._dependencies, (TestId(report.nodeid) for report in reports))
        if not tests or self._scheduler is None:
            return []
        return list(advice(tests, self._scheduler.lanes, self._lock, Path(self._config.invocation_params.dir)))

    def _lanes(self, collected: Sequence[TestId], workers: int) -> Sequence[Order]:
        try:
            with_needs = bool(self._config.getoption("unknot_with_needs"))
            lanes = lanes_for(self._dependencies, collected, workers, with_needs=with_needs)
        except UsageError as error:
            raise usage_error(error, WITH_NEEDS) from None
        reporter = self._config.pluginmanager.getplugin("terminalreporter")
        if reporter is not None and self._config.option.verbose >= 0:
            for line in lanes.notes:
                reporter.write_line(line)
        return lanes.orders

    def _summary(self) -> list[str]:
        lines = [added_line(self._added)] if self._added else []
        if self._scheduler is None:
            return lines
        failures = self._scheduler.failures()
        if failures.crashed_again:
            lines.append(
                f"unknot: crashed a worker when run again as a prerequisite: {list_few(failures.crashed_again)}"
            )
        if failures.failed_again:
            lines.append(
                f"unknot: failed when run again as a prerequisite on another worker: {list_few(failures.failed_again)};"
                " flaky, or an undetected dependency"
            )
        if failures.not_run:
            tests = counted(len(failures.not_run), "test")
            lines.append(
                f"unknot: not run, as no worker was left for their lane: {tests}: {list_few(failures.not_run)}"
            )
        return lines
