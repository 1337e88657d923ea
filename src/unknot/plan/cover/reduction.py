"""Reduces a cover problem: which tests must stay, which are never needed, and what is left to decide."""

from dataclasses import dataclass
from functools import cached_property

from unknot.model.bits import members
from unknot.plan.constraints.implications import Implication, index_rules
from unknot.plan.cover.problem import CoverProblem


@dataclass(frozen=True)
class ReducedProblem:
    """`forced` are in every solution; `open` are the tests to choose from, `elements` those still to be covered and
    `rules` those that can still be broken. Guarantee: the cheapest choice from `open` that covers `elements` and breaks
    no rule is, with `forced`, a cheapest solution of the whole problem."""

    forced: int
    open: int
    elements: int
    rules: tuple[Implication, ...]

    @cached_property
    def wanted_by(self) -> dict[int, list[Implication]]:
        """For each test, the rules that it can satisfy."""
        return index_rules(self.rules, lambda rule: rule.wanted)


def unreduced(problem: CoverProblem) -> ReducedProblem:
    """The problem without reductions: only what must stay is decided."""
    everything = (1 << len(problem.rows)) - 1
    return ReducedProblem(problem.kept, everything & ~problem.kept, problem.elements, problem.rules)


def reduce_problem(problem: CoverProblem) -> ReducedProblem:
    """The classic reductions of set cover, repeated until none applies.

    - A test that alone covers an element must stay, and so must what it requires without a choice.
    - An element is covered anyway if all testers of another one cover it too.
    - A test is not needed if another one costs no more, covers as much, and requires nothing.

    The last one is applied only to tests that no rule requires. Cost: some passes over all pairs of test and element,
    times the width of a bitset.
    """
    return _Reduction(problem).core()


class _Reduction:
    def __init__(self, problem: CoverProblem) -> None:
        self._problem = problem
        self._forced = problem.kept
        self._open = (1 << len(problem.rows)) - 1
        self._elements = problem.elements
        self._rules = problem.rules

    def core(self) -> ReducedProblem:
        before = None
        while before != (before := (self._forced, self._open, self._elements)):
            self._force()
            self._drop_rules()
            self._drop_elements()
            self._drop_tests()
        return ReducedProblem(self._forced, self._open & ~self._forced, self._elements, self._rules)

    def _force(self) -> None:
        for element in members(self._elements):
            testers = self._problem.testers[element] & self._open
            if testers.bit_count() == 1:
                self._forced |= testers
        grows = True
        while grows:
            before = self._forced
            for rule in self._rules:
                if not rule.when & ~self._forced:
                    wanted = rule.wanted & self._open
                    if rule.needs_all or wanted.bit_count() == 1:
                        self._forced |= wanted
            grows = self._forced != before
        self._elements &= ~self._problem.covered(self._forced)

    def _drop_rules(self) -> None:
        """Drops rules that cannot be broken any more: satisfied, or about a test that is never needed."""
        there = self._open | self._forced
        self._rules = tuple(
            rule
            for rule in self._rules
            if not rule.when & ~there
            and (rule.wanted & ~self._forced if rule.needs_all else not rule.wanted & self._forced)
        )

    def _drop_elements(self) -> None:
        testers = {element: self._problem.testers[element] & self._open for element in members(self._elements)}
        for element in sorted(testers, key=lambda element: (testers[element].bit_count(), element)):
            if self._elements >> element & 1:
                implied = self._elements
                for test in members(testers[element]):
                    implied &= self._problem.rows[test]
                self._elements &= ~implied | 1 << element

    def _drop_tests(self) -> None:
        problem, price = self._problem, self._problem.prices.of
        wanted = wanting = 0
        for rule in self._rules:
            wanted |= rule.wanted
            wanting |= rule.when
        undecided = self._open & ~self._forced
        # The most expensive first, so that of equal tests the last one is dropped.
        for test in sorted(members(undecided & ~wanted), key=lambda test: (-price[test], -test)):
            row = problem.rows[test] & self._elements
            better = undecided & ~wanting & ~(1 << test)
            for element in members(row):
                better &= problem.testers[element]
                if not better:
                    break
            if not row or any(price[other] <= price[test] for other in members(better)):
                undecided &= ~(1 << test)
        self._open = undecided | self._forced


def lower_bound(problem: CoverProblem, core: ReducedProblem) -> int:
    """No solution costs less than this price: that of the forced tests, plus a lower bound for covering the rest.

    Each element in turn, the rarest first, is assigned the largest price that all its testers can still pay. The
    elements of a test are together never assigned more than its price, so a solution costs at least their sum.
    """
    left = {test: problem.prices.of[test] for test in members(core.open)}
    testers = {element: members(problem.testers[element] & core.open) for element in members(core.elements)}
    total = problem.price(core.forced)
    for element in sorted(testers, key=lambda element: (len(testers[element]), element)):
        given = min(left[test] for test in testers[element])
        for test in testers[element]:
            left[test] -= given
        total += given
    return total
