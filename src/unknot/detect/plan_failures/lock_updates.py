"""Putting what a run has taught into the dependencies."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from unknot.detect.engine.untried import less_claimed
from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.pairs import pairs_in
from unknot.model.suite import TestId

Lesson = Need | Conflict


def test_of(lesson: Lesson) -> TestId:
    """The test that the lesson is about."""
    return lesson.dependent if isinstance(lesson, Need) else lesson.victim


def is_expressible(lesson: Lesson, dependencies: Dependencies) -> bool:
    """Whether the dependencies know every test that it names."""
    named = {*lesson.proof.passes, *lesson.proof.fails}
    named |= set(lesson.any_of) if isinstance(lesson, Need) else {*lesson.polluters, *lesson.cleaners}
    return named <= dependencies.suite.index.keys()


def with_lessons(dependencies: Dependencies, lessons: Iterable[Lesson]) -> Dependencies:
    """The dependencies with these put in, in the sequence of the suite. A need replaces those that it implies, a
    conflict the one with the same polluters, whose cleaners may no longer clean. Assumes that all tests named are
    known."""
    needs, conflicts = list(dependencies.needs), list(dependencies.conflicts)
    for lesson in lessons:
        if isinstance(lesson, Need):
            needs = [known for known in needs if not _implies(lesson, known)] + [lesson]
        else:
            conflicts = [known for known in conflicts if not _is_same(lesson, known)] + [lesson]
    place = _place(dependencies)
    rows = (
        less_claimed(dependencies.untried_rows, dependencies.suite, needs, conflicts)
        if dependencies.untried_rows
        else ()
    )
    return replace(
        dependencies,
        untried=pairs_in(rows) if dependencies.untried_rows else dependencies.untried,
        untried_rows=rows,
        needs=tuple(sorted(needs, key=lambda need: place(need.dependent))),
        conflicts=tuple(sorted(conflicts, key=lambda conflict: place(conflict.victim))),
    )


def _implies(lesson: Need, known: Need) -> bool:
    return known.dependent == lesson.dependent and set(lesson.any_of) <= set(known.any_of)


def _is_same(lesson: Conflict, known: Conflict) -> bool:
    return known.victim == lesson.victim and set(known.polluters) == set(lesson.polluters)


def _place(dependencies: Dependencies) -> Callable[[TestId], int]:
    return dependencies.suite.index.__getitem__
