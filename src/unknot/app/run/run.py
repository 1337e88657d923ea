"""Runs a suite in parallel, by a plan that respects its dependencies."""

import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field

from unknot.app.options import ProjectFiles, RunnerOptions
from unknot.app.plan import PlanOptions, make_plan, require_lock
from unknot.app.progress import ProgressListener
from unknot.app.run.lanes import LaneRunner
from unknot.app.run.record import RunRecord
from unknot.app.run.repair import RepairOptions, repair, write_updates
from unknot.app.run.scope import RunScope, Shard, open_scope
from unknot.model.dependencies import Dependencies
from unknot.model.errors import StorageError
from unknot.model.outcome import Outcome
from unknot.model.plan import Plan
from unknot.model.run import Result
from unknot.model.suite import TestId
from unknot.store.durations import update_durations
from unknot.store.run_times import RunTimes, write_run_times
from unknot.store.state_directory import StateDirectory

REPAIR_SECONDS = 120.0


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """`shard` is one part of the suite, counted from 1. `frozen` leaves the lock file as it is; `no_repair` counts a
    test that fails only in the plan as failed, and does not search for the reason."""

    runner: RunnerOptions
    files: ProjectFiles = field(default_factory=ProjectFiles)
    shard: Shard | None = None
    planner: str = "auto"
    frozen: bool = False
    no_repair: bool = False
    repair_seconds: float = REPAIR_SECONDS


@dataclass(frozen=True)
class SuiteRun:
    """A verdict for each test of the run, in the suite's sequence. `messages` are the lines about crashes, flaky tests
    and what was learned. `interrupted`: tests that had not run by then have the outcome `not run`."""

    results: Mapping[TestId, Result]
    plan: Plan
    seconds: float
    messages: tuple[str, ...] = ()
    interrupted: bool = False

    @property
    def passed(self) -> bool:
        """A test that could not be run is not a success either."""
        return not any(result.outcome.is_bad or result.outcome is Outcome.NOT_RUN for result in self.results.values())


def run(options: RunOptions, listener: ProgressListener) -> SuiteRun:
    """Writes the times of the run and, unless frozen, what it taught to the lock file. Raises UsageError if there is no
    lock file, and what running a suite raises."""
    started = time.monotonic()
    locked = require_lock(options.files, listener)
    record = RunRecord()
    messages = _Messages(listener)
    interrupted = False
    with ExitStack() as resources:
        scope = open_scope(options.runner, options.shard, locked, options.files.state_dir, messages, resources)
        for line in scope.lines:
            messages.result(line)
        if not scope.dependencies.complete or scope.dependencies.untried:
            messages.result("the detection is incomplete: the suite runs in suite order; run `unknot detect` again")
        plan = _plan(scope, options.planner)
        scope.runner.listener = listener.after_test
        scope.runner.watcher = record.watch
        try:
            _execute(options, scope, plan, locked, record, messages)
        except KeyboardInterrupt:
            interrupted = True
            record.take_unfinished()
    results = {test: record.verdict(test) for test in scope.tests}
    seconds = time.monotonic() - started
    times = RunTimes(record.timeline(), plan.predicted_seconds, plan.maker)
    _keep_times(StateDirectory(options.files.state_dir), times, results, listener)
    return SuiteRun(results, plan, seconds, tuple(messages.lines), interrupted or listener.is_interrupted())


class _Messages(ProgressListener):
    """Keeps the lines of the result, and passes everything on."""

    def __init__(self, inner: ProgressListener) -> None:
        self.lines: list[str] = []
        self._inner = inner

    def note(self, text: str) -> None:
        self._inner.note(text)

    def status(self, text: str) -> None:
        self._inner.status(text)

    def result(self, text: str) -> None:
        self.lines.append(text)
        self._inner.result(text)


def _plan(scope: RunScope, planner: str) -> Plan:
    """Prefixes that the runner cannot share would be run again for each order."""
    if not len(scope.dependencies.suite):
        return Plan((), 0.0)
    options = PlanOptions(workers=scope.settings.workers, planner=planner, clean_state=scope.runner.price.clean_state)
    return make_plan(scope.dependencies, options, can_share=scope.runner.can_share)


def _execute(
    options: RunOptions,
    scope: RunScope,
    plan: Plan,
    locked: Dependencies,
    record: RunRecord,
    listener: ProgressListener,
) -> None:
    lanes = LaneRunner(scope.runner, scope.dependencies, scope.unknown, record, scope.settings.workers)
    lanes.run(plan)
    if not options.no_repair:
        how = RepairOptions(options.files.lock, options.repair_seconds, writes=not options.frozen)
        updates = repair(how, scope.runner, scope.suite, scope.dependencies, scope.tests, record, listener)
        write_updates(how, locked, updates, listener)
        if any(record.is_lost(test) for test in scope.tests):
            # Some were not run because of one that seemed to crash, and perhaps it was only killed.
            lanes.run_lost()
    lanes.report(listener)


def _keep_times(
    state: StateDirectory, times: RunTimes, results: Mapping[TestId, Result], listener: ProgressListener
) -> None:
    """For reports and later plans: a directory that cannot be written to is no reason to fail."""
    measured = {test: result.seconds for test, result in results.items() if result.outcome is Outcome.PASSED}
    try:
        state.prepare()
        write_run_times(state.last_run, times)
        update_durations(state.durations, measured)
    except StorageError as problem:
        listener.note(f"the times of this run are not kept: {problem.message}")
