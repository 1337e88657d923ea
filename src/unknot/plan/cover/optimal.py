"""The cheapest cover, with a proof, by OR-tools' CP-SAT. Needs the extra `unknot[optimal]`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from unknot.model.bits import members
from unknot.plan.cover.problem import CoverProblem, CoverResult
from unknot.plan.cover.reduction import ReducedProblem
from unknot.plan.solver import cp_sat, solve

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


def cheapest_cover(problem: CoverProblem, core: ReducedProblem, hint: int, time_limit: float) -> CoverResult:
    """The cheapest part that covers all. `hint` is one that does; the result never costs more.

    Stops after `time_limit` seconds with the best part found by then.
    """
    if not core.open:
        return CoverResult(hint, problem.price(hint), proven=True)
    model = _Model(problem, core)
    for element in members(core.elements):
        model.at_least_one(problem.testers[element] & core.open)
    model.cp.minimize(model.price())
    solver, is_proven = model.solved(hint, time_limit)
    part = min(hint, model.chosen(solver, hint), key=problem.price)
    bound = problem.price(core.forced) + _bound(solver, 0)
    return CoverResult(part, problem.price(part) if is_proven else bound, is_proven)


def widest_cover(problem: CoverProblem, core: ReducedProblem, hint: int, limit: int, time_limit: float) -> CoverResult:
    """The part that covers most at a price of at most `limit`; among those the cheapest. `hint` is such a part; the
    result never covers less. The bound is a number of elements; `proven` means that no part covers more.

    Solves twice, each time in at most half the time: how much can be covered, and how cheaply.
    """
    model = _Model(problem, core)
    model.cp.add(model.price() <= limit - problem.price(core.forced))
    undecided = core.elements & ~problem.covered(core.forced)
    reached = {element: model.is_reached(problem.testers[element]) for element in members(undecided)}
    covered = sum(problem.counts[element] * variable for element, variable in reached.items())
    certain = problem.count(core.elements & ~undecided)
    model.cp.maximize(covered)
    solver, is_proven = model.solved(hint, time_limit / 2)
    best = max(hint, model.chosen(solver, hint), key=lambda part: problem.count(problem.covered(part)))
    reach = problem.count(problem.covered(best))
    most = reach if is_proven else certain + _bound(solver, problem.count(undecided))
    model.cp.add(covered >= reach - certain)
    model.cp.minimize(model.price())
    solver, _ = model.solved(best, time_limit / 2)
    return CoverResult(min(best, model.chosen(solver, best), key=problem.price), most, is_proven)


class _Model:
    """A variable for each test to choose from, and the rules as constraints."""

    def __init__(self, problem: CoverProblem, core: ReducedProblem) -> None:
        self._cp_model = cp_sat("the solver `greedy`")
        self.cp = self._cp_model.CpModel()
        self._problem = problem
        self._core = core
        self._variable: Mapping[int, Any] = {test: self.cp.new_bool_var(f"t{test}") for test in members(core.open)}
        for rule in core.rules:
            unless = [~variable for variable in self.variables(rule.when & core.open)]
            wanted = self.variables(rule.wanted & core.open)
            if rule.needs_all:
                for variable in wanted:
                    self.cp.add_bool_or([*unless, variable])
            else:
                self.cp.add_bool_or([*unless, *wanted])

    def variables(self, tests: int) -> list[Any]:
        return [self._variable[test] for test in members(tests)]

    def at_least_one(self, tests: int) -> None:
        self.cp.add_bool_or(self.variables(tests))

    def is_reached(self, testers: int) -> Any:
        """A variable that can only be true if one of these tests is chosen."""
        reached = self.cp.new_bool_var("")
        self.cp.add_bool_or([*self.variables(testers & self._core.open), ~reached])
        return reached

    def price(self) -> Any:
        return sum(self._problem.prices.of[test] * variable for test, variable in self._variable.items())

    def solved(self, hint: int, time_limit: float) -> "tuple[cp_model.CpSolver | None, bool]":
        """The solver, if it found a solution, and whether that is optimal."""
        self.cp.clear_hints()
        for test, variable in self._variable.items():
            self.cp.add_hint(variable, hint >> test & 1)
        solver, status = solve(self._cp_model, self.cp, time_limit, seed=0)
        if status not in (self._cp_model.OPTIMAL, self._cp_model.FEASIBLE):
            return None, False
        return solver, status == self._cp_model.OPTIMAL

    def chosen(self, solver: "cp_model.CpSolver | None", otherwise: int) -> int:
        if solver is None:
            return otherwise
        return self._core.forced | sum(
            1 << test for test, variable in self._variable.items() if solver.boolean_value(variable)
        )


def _bound(solver: "cp_model.CpSolver | None", otherwise: int) -> int:
    return otherwise if solver is None else round(solver.best_objective_bound)
