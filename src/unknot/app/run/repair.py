"""Explains failures that only the plan caused, corrects their verdicts, and updates the lock file."""

import time
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace

from unknot.app.find_tests import first_few, named
from unknot.app.progress import ProgressListener
from unknot.app.run.options import RunOptions
from unknot.app.run.record import RunRecord
from unknot.app.run.scope import RunScope
from unknot.detect.plan_failures.failures import Explanation, FailureKind, PlanFailure, explain_failures
from unknot.detect.plan_failures.lock_updates import LockUpdate, apply_updates, names_known_tests
from unknot.model.dependencies import Dependencies, Need
from unknot.model.suite import TestId
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.report.wording import counted
from unknot.store.lock import read_fingerprints, write_lock

_WORTH_MENTIONING = 10.0
"""Seconds that are announced before they are spent."""


def repair(
    options: RunOptions,
    scope: RunScope,
    locked: Dependencies,
    record: RunRecord,
    listener: ProgressListener,
    report: Callable[[str], None],
    settled: Container[TestId] = (),
) -> None:
    """Settles the verdict of each test of the run with an unexpected outcome, unless it is among the `settled`;
    reports the reason, and writes what was learned to the lock file, whose dependencies are `locked`, unless it is
    frozen. All of the suite may be run."""
    failures = [failure for failure in _failures(scope, record) if failure.test not in settled]
    if not failures:
        return
    tests_named = named([failure.test for failure in failures])
    listener.status(f"finding out why {tests_named} failed{_warning(scope.dependencies, failures)}")
    budgeted = BudgetOracle(scope.runner, Budget(seconds=options.repair_seconds), time.monotonic)
    found = explain_failures(scope.dependencies, scope.suite, failures, budgeted, scope.runner)
    for test, explanation in found.items():
        record.settle(test, explanation.result)
    for line in _lines(found, record):
        report(line)
    updates = [update for explanation in found.values() for update in explanation.updates]
    known = [update for update in updates if names_known_tests(update, locked)]
    lock = options.files.lock
    if known and not options.frozen:
        if lock.exists():
            fingerprints = read_fingerprints(lock)
        else:
            fingerprints, locked = None, _with_verdicts(locked, record)
        write_lock(lock, apply_updates(locked, known), fingerprints)
    for update in updates:
        if update not in known:
            end = f"{lock} does not have all of these tests: run `unknot detect`"
        else:
            end = f"{lock} is left as it is" if options.frozen else f"{lock} updated"
        report(f"learned: {_describe(update)}; {end}")


def _with_verdicts(dependencies: Dependencies, record: RunRecord) -> Dependencies:
    """With the outcomes of this run in place of those that were only expected."""
    verdicts = {test: record.verdict(test).outcome for test in dependencies.suite.tests if not record.is_lost(test)}
    return replace(dependencies, outcomes={**dependencies.outcomes, **verdicts})


def _failures(scope: RunScope, record: RunRecord) -> Iterator[PlanFailure]:
    for test in scope.tests:
        if record.is_unexpected(test, scope.dependencies.outcomes.get(test)):
            yield PlanFailure(test, record.before[test], record.verdict(test))


def _warning(dependencies: Dependencies, failures: Sequence[PlanFailure]) -> str:
    """Running the suite in its own order, one test after another, may take long."""
    places = [
        dependencies.suite.index[failure.test] for failure in failures if failure.test in dependencies.suite.index
    ]
    seconds = sum(dependencies.seconds[test] for test in dependencies.suite.tests[: max(places, default=-1) + 1])
    if seconds < _WORTH_MENTIONING:
        return ""
    return f" (running the suite in its own order up to there takes about {seconds:.0f} s)"


def _lines(found: Mapping[TestId, Explanation], record: RunRecord) -> Iterator[str]:
    grouped: dict[tuple[FailureKind, TestId | None], list[TestId]] = {}
    for test, explanation in found.items():
        if explanation.kind is FailureKind.FLAKY and not record.ends[test]:
            yield f"{test} is flaky: it failed in the plan and {explanation.result.outcome} when it was run again"
        if explanation.kind in (FailureKind.PREREQUISITE, FailureKind.UNEXPLAINED):
            grouped.setdefault((explanation.kind, explanation.cause), []).append(test)
    for (kind, cause), tests in grouped.items():
        if kind is FailureKind.PREREQUISITE:
            verb = "needs" if len(tests) == 1 else "need"
            yield f"{counted(len(tests), 'test')} {verb} {cause}, which failed: {first_few(tests)}"
        else:
            verb = "passes" if len(tests) == 1 else "pass"
            yield f"{named(tests)} {verb} only in suite order: run `unknot detect`"


def _describe(update: LockUpdate) -> str:
    if isinstance(update, Need):
        return f"{update.dependent} needs {' or '.join(update.any_of)}"
    unless = f" unless {first_few(update.cleaners)} is in between" if update.cleaners else ""
    return f"{update.victim} breaks after {' and '.join(update.polluters)}{unless}"
