"""Whether what a detection claims is right, by the known truth: all predicted, nothing is run."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.outcome import Outcome
from unknot.model.suite import Order, TestId
from unknot.oracle.simulated import HiddenConflict, HiddenTruth


@dataclass(frozen=True)
class Verdict:
    """`found`: planted dependencies that are claimed with all alternatives or all cleaners, of so many `planted`;
    `partly`: with some of them; `missed`: not at all. `other`: true claims beside the planted ones, such as indirect
    needs. `false`: claims that an order refutes, and stable tests called flaky, each with the reason."""

    planted: int
    found: int
    partly: tuple[str, ...]
    missed: tuple[str, ...]
    other: int
    false: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        return self.found == self.planted and not self.false


def hidden_truth(truth: Dependencies, *, fails_first: bool = False) -> HiddenTruth:
    """The planted dependencies in the form that predicts outcomes."""
    needs = {test: tuple(frozenset(need.any_of) for need in known) for test, known in truth.needs_of.items()}
    conflicts = tuple(
        HiddenConflict(each.victim, frozenset(each.polluters), frozenset(each.cleaners), fails_first)
        for each in truth.conflicts
    )
    return HiddenTruth(needs, conflicts)


def judged(claimed: Dependencies, truth: Dependencies, hidden: HiddenTruth) -> Verdict:
    """Compares the claims with the planted dependencies, and checks the others by prediction. Assumes that every
    planted dependency is minimal, and that chance in `hidden` concerns only tests that `truth` names as flaky."""
    needs = {(need.dependent, frozenset(need.any_of)) for need in claimed.needs}
    conflicts = {(each.victim, frozenset(each.polluters)): frozenset(each.cleaners) for each in _conflicts(claimed)}
    found = 0
    partly: list[str] = []
    missed: list[str] = []
    for need in truth.needs:
        clause = frozenset(need.any_of)
        if (need.dependent, clause) in needs:
            found += 1
        else:
            some = any(test == need.dependent and claim & clause for test, claim in needs)
            (partly if some else missed).append(f"{need.dependent} needs any of {_names(clause)}")
    for conflict in truth.conflicts:
        key = (conflict.victim, frozenset(conflict.polluters))
        if conflicts.get(key) == frozenset(conflict.cleaners):
            found += 1
        else:
            (partly if key in conflicts else missed).append(f"{conflict.victim} breaks after {_names(key[1])}")
    false = tuple(_false_claims(claimed, truth, _Model(truth.suite.tests, hidden)))
    true_needs = {(need.dependent, frozenset(need.any_of)) for need in truth.needs}
    true_conflicts = {(each.victim, frozenset(each.polluters)) for each in truth.conflicts}
    other = len(needs - true_needs) + len(conflicts.keys() - true_conflicts) - len(false)
    return Verdict(len(truth.needs) + len(truth.conflicts), found, tuple(partly), tuple(missed), max(0, other), false)


def _conflicts(claimed: Dependencies) -> tuple[Conflict, ...]:
    """Those of tests that fail themselves too."""
    return (*claimed.conflicts, *claimed.conflicts_when_failing)


class _Model:
    """Predicts outcomes without chance."""

    def __init__(self, tests: Order, hidden: HiddenTruth) -> None:
        self._tests = tests
        self._hidden = HiddenTruth(hidden.needs, hidden.conflicts, failures_pollute=hidden.failures_pollute)

    def passes(self, order: Order) -> bool:
        """Whether the last test of the order passes."""
        return self._hidden.outcomes(order, random.Random(0))[-1] is Outcome.PASSED

    def workable(self, without: Iterable[TestId]) -> Iterator[TestId]:
        """The tests that can pass in some order that has none of these, conflicts aside; each after what it needs."""
        out = set(without)
        waiting = [test for test in self._tests if test not in out]
        worked: set[TestId] = set()
        needs = self._hidden.needs
        while ready := [test for test in waiting if all(clause & worked for clause in needs.get(test, ()))]:
            yield from ready
            worked.update(ready)
            waiting = [test for test in waiting if test not in worked]

    def support(self, test: TestId, avoided: TestId) -> list[TestId]:
        """The test after what it needs, none too many."""
        kept = set(self.workable((avoided,)))
        for other in self._tests:
            outside = [each for each in self._tests if each not in kept or each == other]
            if other != test and test in self.workable(outside):
                kept.discard(other)
        return list(self.workable(each for each in self._tests if each not in kept))


def _false_claims(claimed: Dependencies, truth: Dependencies, model: _Model) -> Iterator[str]:
    for need in claimed.needs:
        if why := _refuted_need(need, model):
            yield f"{need.dependent} needs any of {_names(need.any_of)}: {why}"
    for conflict in _conflicts(claimed):
        if why := _refuted_conflict(conflict, model):
            yield f"{conflict.victim} breaks after {_names(conflict.polluters)}: {why}"
    for test in claimed.flaky:
        if test not in truth.flaky:
            yield f"{test} is flaky: it is not"


def _refuted_need(need: Need, model: _Model) -> str:
    if model.passes(need.proof.fails) or not model.passes(need.proof.passes):
        return "its proof does not hold"
    if need.complete and need.dependent in model.workable(need.any_of):
        return "it passes without any of them"
    for option in need.any_of:
        if need.dependent not in model.workable(other for other in need.any_of if other != option):
            return f"{option} alone is not enough"
    return ""


def _refuted_conflict(conflict: Conflict, model: _Model) -> str:
    fails = conflict.proof.fails
    if model.passes(fails) or not model.passes(conflict.proof.passes):
        return "its proof does not hold"
    for polluter in conflict.polluters:
        without = tuple(test for test in fails if test != polluter)
        able = set(model.workable((polluter,)))
        if not model.passes(without) and not model.passes(tuple(test for test in without if test in able)):
            return f"{polluter} has no part in it"
    for cleaner in conflict.cleaners:
        between = [test for test in model.support(cleaner, conflict.victim) if test not in fails[:-1]]
        if not model.passes((*fails[:-1], *between, conflict.victim)):
            return f"{cleaner} does not clean up"
    return ""


def _names(tests: Iterable[TestId]) -> str:
    return ", ".join(sorted(tests))
