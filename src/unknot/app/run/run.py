"""Runs a suite in parallel, by a plan that respects its dependencies."""

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial

from unknot.app.plan import PlanOptions, make_plan, require_lock
from unknot.app.progress import ProgressListener
from unknot.app.run.lanes import LaneRunner
from unknot.app.run.options import RunOptions
from unknot.app.run.record import RunRecord
from unknot.app.run.scope import RunScope, open_scope
from unknot.app.run.verdicts import EnoughFailures, Verdicts
from unknot.model.errors import StorageError
from unknot.model.outcome import Outcome
from unknot.model.plan import Plan
from unknot.model.run import Result
from unknot.model.start_up import StartUp
from unknot.model.suite import TestId
from unknot.plan.failed_first import with_failed_first
from unknot.runners.sandbox.processes import seconds_since_start
from unknot.store.durations import update_durations
from unknot.store.run_times import RunTimes, write_run_times
from unknot.store.start_up import update_start_up
from unknot.store.state_directory import StateDirectory


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
    lock file to plan by, and what running a suite raises."""
    started = time.monotonic()
    if options.from_recording:
        # This and what repairs take a while to import, and most runs need neither.
        from unknot.app.recording.assumed import assumed_result, nothing_proved, proved_result

        planned = assumed_result(options.runner, options.files, listener)
        locked = proved_result(options.files) or nothing_proved(planned)
    else:
        planned = locked = require_lock(options.files, listener)
    record = RunRecord()
    messages: list[str] = []
    interrupted = False

    def report(line: str) -> None:
        messages.append(line)
        listener.result(line)

    with ExitStack() as resources:
        scope = open_scope(options, planned, listener, resources)
        plan = with_failed_first(_plan(scope, options.planner), scope.dependencies, listener.failed_before())
        # Unknown tests get a lane of their own only if there is a worker for it.
        lane_count = min(scope.settings.workers, len(plan.lanes) + bool(scope.unknown))
        listener.begin_run(scope.tests, scope.details, lane_count)
        for line in scope.lines:
            report(line)
        if not scope.dependencies.complete or scope.dependencies.untried:
            report("the detection is incomplete: the suite runs in suite order; run `unknot detect` again")
        scope.runner.watcher = record.watch
        lanes = LaneRunner(scope, record)
        verdicts = Verdicts(scope, plan, record, listener, repairs=not options.no_repair)
        step: Callable[[], None] = partial(lanes.run, plan)
        try:
            while True:
                is_broken_off = not _finishes(step, scope, record, verdicts)
                if not options.no_repair:
                    scope.runner.listener = listener.after_test
                    outcomes = scope.dependencies.outcomes
                    if any(record.is_unexpected(test, outcomes.get(test)) for test in scope.tests):
                        from unknot.app.run.repair import repair

                        repair(options, scope, locked, record, listener, report, verdicts.passed_on)
                    if not is_broken_off and any(record.is_lost(test) for test in scope.tests):
                        # Some were not run because of one that seemed to crash, and perhaps it was only killed.
                        lanes.run_lost()
                verdicts.pass_on_settled()
                if not is_broken_off or verdicts.is_enough():
                    break
                # Not all of the failures were real.
                step = lanes.run_lost
            for line in lanes.report():
                report(line)
            if not is_broken_off:
                for test in filter(record.is_lost, scope.tests):
                    verdicts.pass_on_not_run(test, lanes.why_not_run(test))
            if scope.tests and not listener.is_interrupted():
                listener.end_run()
        except KeyboardInterrupt:
            interrupted = True
            record.take_unfinished()
            verdicts.pass_on_settled()
    results = {test: record.verdict(test) for test in scope.tests}
    seconds = time.monotonic() - started
    times = RunTimes(record.timeline(), plan.predicted_seconds, plan.maker)
    # A run that was broken off, or repaired, took longer for other reasons.
    is_usual = not (interrupted or messages)
    start_up = StartUp(scope.collecting, seconds_since_start() - scope.collecting - times.seconds) if is_usual else None
    _keep_times(StateDirectory(options.files.state_dir), times, start_up, results, listener)
    return SuiteRun(results, plan, seconds, tuple(messages), interrupted or listener.is_interrupted())


def _finishes(step: Callable[[], None], scope: RunScope, record: RunRecord, verdicts: Verdicts) -> bool:
    """Whether the step ends by itself, and not because of too many failures."""
    scope.runner.listener = verdicts.after_test
    try:
        step()
    except EnoughFailures:
        record.take_unfinished()
        return False
    return True


def _plan(scope: RunScope, planner: str) -> Plan:
    """Prefixes that the runner cannot share would be run again for each order."""
    if not len(scope.dependencies.suite):
        return Plan((), 0.0)
    options = PlanOptions(workers=scope.settings.workers, planner=planner, clean_state=scope.runner.price.clean_state)
    return make_plan(scope.dependencies, options, can_share=scope.runner.can_share)


def _keep_times(
    state: StateDirectory,
    times: RunTimes,
    start_up: StartUp | None,
    results: Mapping[TestId, Result],
    listener: ProgressListener,
) -> None:
    """For reports and later plans: a directory that cannot be written to is no reason to fail."""
    measured = {test: result.seconds for test, result in results.items() if result.outcome is Outcome.PASSED}
    try:
        state.prepare()
        write_run_times(state.last_run, times)
        update_durations(state.durations, measured)
        if start_up is not None:
            update_start_up(state.start_up, collecting=start_up.collecting, rest=max(0.0, start_up.rest))
    except StorageError as problem:
        listener.note(f"the times of this run are not kept: {problem.message}")
