"""Explains failures that only the plan caused, corrects their verdicts, and updates the lock file."""

import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from unknot.app.progress import ProgressListener
from unknot.app.run.record import RunRecord
from unknot.app.test_names import first_few, named
from unknot.detect.plan_failures.failures import Explanation, Kind, Surprise, explain
from unknot.detect.plan_failures.lock_updates import Lesson, is_expressible, with_lessons
from unknot.model.dependencies import Dependencies, Need
from unknot.model.suite import Suite, TestId
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.report.wording import counted
from unknot.runners.protocol import Runner
from unknot.store.lock import read_fingerprints, write_lock

_WORTH_MENTIONING = 10.0
"""Seconds that are announced before they are spent."""


@dataclass(frozen=True)
class RepairOptions:
    """`seconds` limits the search for explanations; `writes` allows changes of the lock file."""

    lock: Path
    seconds: float
    writes: bool


def repair(
    options: RepairOptions,
    runner: Runner,
    suite: Suite,
    dependencies: Dependencies,
    tests: Collection[TestId],
    record: RunRecord,
    listener: ProgressListener,
) -> tuple[Lesson, ...]:
    """Settles the verdict of each of these tests with an unexpected outcome, reports the reason, and returns what was
    learned. `dependencies` are fitted to the suite, all of which may be run."""
    surprises = list(_surprises(dependencies, tests, record))
    if not surprises:
        return ()
    tests_named = named([surprise.test for surprise in surprises])
    listener.status(f"finding out why {tests_named} failed{_warning(dependencies, surprises)}")
    budgeted = BudgetOracle(runner, Budget(seconds=options.seconds), time.monotonic)
    found = explain(dependencies, suite, surprises, budgeted, runner)
    for test, explanation in found.items():
        record.settle(test, explanation.result)
    for line in _lines(found, record):
        listener.result(line)
    return tuple(lesson for explanation in found.values() for lesson in explanation.lessons)


def write_lessons(
    options: RepairOptions, locked: Dependencies, lessons: Iterable[Lesson], listener: ProgressListener
) -> None:
    """Reports what was learned and, if allowed, writes it to the lock file, whose dependencies are `locked`."""
    known = [lesson for lesson in lessons if is_expressible(lesson, locked)]
    if options.writes and known:
        write_lock(options.lock, with_lessons(locked, known), read_fingerprints(options.lock))
    for lesson in lessons:
        if lesson not in known:
            end = f"{options.lock} does not have all of these tests: run `unknot detect`"
        else:
            end = f"{options.lock} updated" if options.writes else f"{options.lock} is left as it is"
        listener.result(f"learned: {_describe(lesson)}; {end}")


def _surprises(dependencies: Dependencies, tests: Collection[TestId], record: RunRecord) -> Iterator[Surprise]:
    """Tests that failed unexpectedly, or that crashed once: it is worth knowing whether they always crash in this
    order."""
    for test in tests:
        expected = dependencies.outcomes.get(test)
        if expected is not None and expected.is_bad:
            continue
        result = record.verdict(test)
        if result.outcome.is_bad or record.ends[test]:
            yield Surprise(test, record.before[test], result)


def _warning(dependencies: Dependencies, surprises: Sequence[Surprise]) -> str:
    """Running the suite in its own order, one test after another, may take long."""
    places = [
        dependencies.suite.index[surprise.test] for surprise in surprises if surprise.test in dependencies.suite.index
    ]
    seconds = sum(dependencies.seconds[test] for test in dependencies.suite.tests[: max(places, default=-1) + 1])
    if seconds < _WORTH_MENTIONING:
        return ""
    return f" (running the suite in its own order up to there takes about {seconds:.0f} s)"


def _lines(found: Mapping[TestId, Explanation], record: RunRecord) -> Iterator[str]:
    waiting: dict[tuple[Kind, TestId | None], list[TestId]] = {}
    for test, explanation in found.items():
        if explanation.kind is Kind.FLAKY and not record.ends[test]:
            yield f"{test} is flaky: it failed in the plan and {explanation.result.outcome} when it was run again"
        if explanation.kind in (Kind.PREREQUISITE, Kind.UNEXPLAINED):
            waiting.setdefault((explanation.kind, explanation.cause), []).append(test)
    for (kind, cause), tests in waiting.items():
        if kind is Kind.PREREQUISITE:
            verb = "needs" if len(tests) == 1 else "need"
            yield f"{counted(len(tests), 'test')} {verb} {cause}, which failed: {first_few(tests)}"
        else:
            verb = "passes" if len(tests) == 1 else "pass"
            yield f"{named(tests)} {verb} only in suite order: run `unknot detect`"


def _describe(lesson: Lesson) -> str:
    if isinstance(lesson, Need):
        return f"{lesson.dependent} needs {' or '.join(lesson.any_of)}"
    unless = f" unless {first_few(lesson.cleaners)} is in between" if lesson.cleaners else ""
    return f"{lesson.victim} breaks after {' and '.join(lesson.polluters)}{unless}"
