"""Adds the dependencies that a run has shown to the known ones."""

from collections.abc import Iterable
from dataclasses import replace

from unknot.detect.engine.result import without_claimed_pairs
from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.pairs import pairs_in

LockUpdate = Need | Conflict


def names_known_tests(update: LockUpdate, dependencies: Dependencies) -> bool:
    """Whether every test that it names is in the suite of the dependencies."""
    named = {*update.proof.passes, *update.proof.fails}
    named |= set(update.any_of) if isinstance(update, Need) else {*update.polluters, *update.cleaners}
    return named <= dependencies.suite.index.keys()


def apply_updates(dependencies: Dependencies, updates: Iterable[LockUpdate]) -> Dependencies:
    """The dependencies with these added, in the sequence of the suite. A need replaces those that it implies, a
    conflict the one with the same polluters, whose cleaners may no longer clean. Assumes that all tests named are
    known."""
    needs, conflicts = list(dependencies.needs), list(dependencies.conflicts)
    for update in updates:
        if isinstance(update, Need):
            needs = [known for known in needs if not _implies(update, known)] + [update]
        else:
            conflicts = [known for known in conflicts if not _is_same(update, known)] + [update]
    place = dependencies.suite.index
    added = replace(
        dependencies,
        needs=tuple(sorted(needs, key=lambda need: place[need.dependent])),
        conflicts=tuple(sorted(conflicts, key=lambda conflict: place[conflict.victim])),
    )
    if not dependencies.untried_rows:
        return added
    rows = without_claimed_pairs(dependencies.untried_rows, dependencies.suite, needs, conflicts)
    return replace(added, untried=pairs_in(rows), untried_rows=rows)


def _implies(update: Need, known: Need) -> bool:
    return known.dependent == update.dependent and set(update.any_of) <= set(known.any_of)


def _is_same(update: Conflict, known: Conflict) -> bool:
    return known.victim == update.victim and set(known.polluters) == set(update.polluters)
