"""What a run has disproved: found out, told in a line each, put into the verdicts and into the lock file."""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from unknot.app.run.record import RunRecord
from unknot.app.test_names import first_few, named
from unknot.cli.outcome_report import OutcomeReport
from unknot.detect.plan_failures.failures import Explanation, Kind, Surprise, explain
from unknot.detect.plan_failures.lock_updates import Lesson, is_expressible, with_lessons
from unknot.model.dependencies import Dependencies, Need
from unknot.model.suite import Suite, TestId
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.report.wording import counted
from unknot.runners.protocol import Runner
from unknot.store.lock import read_fingerprints, write_lock

_WORTH_TELLING = 10.0
"""Seconds that a person should know of before they pass."""


@dataclass(frozen=True)
class Repair:
    """`seconds` is what finding out may cost; `writes` whether the lock file may be changed."""

    lock: Path
    seconds: float
    writes: bool


def repair(
    repair: Repair,
    runner: Runner,
    suite: Suite,
    dependencies: Dependencies,
    tests: Collection[TestId],
    record: RunRecord,
    out: OutcomeReport,
    talk: Callable[[str], object],
) -> tuple[Lesson, ...]:
    """Settles the verdict of each of these tests that did not do as expected, tells why, and returns what was
    learned. `dependencies` are fitted to the suite, all of which may be asked about."""
    surprises = list(_surprises(dependencies, tests, record))
    if not surprises:
        return ()
    talk(f"finding out about {named([surprise.test for surprise in surprises])}{_warning(dependencies, surprises)}")
    budgeted = BudgetOracle(runner, Budget(seconds=repair.seconds), time.monotonic)
    found = explain(dependencies, suite, surprises, budgeted, runner)
    for test, explanation in found.items():
        record.settle(test, explanation.result)
    for line in _lines(found, record):
        out.line(line)
    return tuple(lesson for explanation in found.values() for lesson in explanation.lessons)


def write_lessons(repair: Repair, locked: Dependencies, lessons: Iterable[Lesson], out: OutcomeReport) -> None:
    """Tells what was learned and, if it may, puts it into the lock file, whose dependencies are `locked`."""
    known = [lesson for lesson in lessons if is_expressible(lesson, locked)]
    if repair.writes and known:
        write_lock(repair.lock, with_lessons(locked, known), read_fingerprints(repair.lock))
    for lesson in lessons:
        if lesson not in known:
            end = f"{repair.lock} does not know all of these tests: run `unknot detect`"
        else:
            end = f"{repair.lock} updated" if repair.writes else f"{repair.lock} left as it is"
        out.line(f"learned: {_told(lesson)}; {end}")


def _surprises(dependencies: Dependencies, tests: Collection[TestId], record: RunRecord) -> Iterator[Surprise]:
    """Tests that did badly and are not expected to, or that died once: whether in this order they die each time is
    worth knowing."""
    for test in tests:
        expected = dependencies.outcomes.get(test)
        if expected is not None and expected.is_bad:
            continue
        result = record.verdict(test)
        if result.outcome.is_bad or record.ends[test]:
            yield Surprise(test, record.before[test], result)


def _warning(dependencies: Dependencies, surprises: Sequence[Surprise]) -> str:
    """The suite's own order, one test after another, may take long."""
    places = [
        dependencies.suite.index[surprise.test] for surprise in surprises if surprise.test in dependencies.suite.index
    ]
    seconds = sum(dependencies.seconds[test] for test in dependencies.suite.tests[: max(places, default=-1) + 1])
    if seconds < _WORTH_TELLING:
        return ""
    return f" (the suite's own order up to there takes about {seconds:.0f} s; --no-repair does without)"


def _lines(found: Mapping[TestId, Explanation], record: RunRecord) -> Iterator[str]:
    waiting: dict[tuple[Kind, TestId | None], list[TestId]] = {}
    for test, explanation in found.items():
        if explanation.kind is Kind.FLAKY and not record.ends[test]:
            yield f"{test} is flaky: it did badly in the plan and {explanation.result.outcome} when it was run again"
        if explanation.kind in (Kind.PREREQUISITE, Kind.UNEXPLAINED):
            waiting.setdefault((explanation.kind, explanation.cause), []).append(test)
    for (kind, cause), tests in waiting.items():
        if kind is Kind.PREREQUISITE:
            verb = "needs" if len(tests) == 1 else "need"
            yield f"{counted(len(tests), 'test')} {verb} {cause}, which failed: {first_few(tests)}"
        else:
            verb = "does" if len(tests) == 1 else "do"
            yield f"{named(tests)} {verb} well in the suite's own order only: run `unknot detect`"


def _told(lesson: Lesson) -> str:
    if isinstance(lesson, Need):
        return f"{lesson.dependent} needs {' or '.join(lesson.any_of)}"
    unless = f" unless {first_few(lesson.cleaners)} is in between" if lesson.cleaners else ""
    return f"{lesson.victim} breaks after {' and '.join(lesson.polluters)}{unless}"
