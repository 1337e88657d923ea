"""The fastest plan, by constraint programming. Needs the extra `unknot[optimal]`."""

from typing import Any

from unknot.model.bits import bits, positions
from unknot.model.dependencies import Dependencies
from unknot.model.plan import Plan
from unknot.plan.bound import lower_bound
from unknot.plan.makers.greedy import greedy_plan
from unknot.plan.makers.pieces import Piece, trim
from unknot.plan.problem import CLEAN_STATE, PlanningProblem
from unknot.plan.solver import cp_sat, solve

TIME_LIMIT = 20.0


_UNITS = 10**8
"""The number of integer units that the work of the suite is divided into."""

_MOST_CHOICES = 200_000
"""Tests times lanes; building a larger model takes longer than the greedy plan could be improved."""


def make_optimal(
    dependencies: Dependencies, workers: int, *, clean_state: float = CLEAN_STATE, time_limit: float = TIME_LIMIT
) -> Plan:
    """The best plan with one order per lane found in `time_limit` seconds, starting from the greedy plan and never
    slower than it; `bound` is what was proven.

    Guarantees and assumptions are those of the greedy maker. Orders follow the reference order. A lane has one order,
    apart from pieces that cannot be joined with anything. If conflicts make several orders per lane worthwhile, the
    greedy plan may be faster and is then the result. With conflicts, the bound counts needs only. Very large suites on
    many lanes are left to the greedy maker. Raises UsageError if OR-tools is not installed.
    """
    problem = PlanningProblem(dependencies, workers, clean_state)
    greedy = greedy_plan(problem)
    if problem.is_incomplete or problem.workers == 1 or len(dependencies.suite) * problem.workers > _MOST_CHOICES:
        return greedy
    model = _Model(problem, cp_sat("the planner `greedy`"))
    model.hint(greedy)
    lanes, bound = model.solved(time_limit)
    if not all(rule.is_need for rule in problem.constraints.rules):
        bound = lower_bound(dependencies, workers) + clean_state
    found = problem.plan(lanes, maker="optimal") if lanes else greedy
    best = found if found.predicted_seconds < greedy.predicted_seconds else greedy
    return Plan(best.lanes, best.predicted_seconds, maker="optimal", bound=min(bound, best.predicted_seconds))


class _Model:
    """For each test and lane, whether the test runs there; for each fixed piece, its lane."""

    def __init__(self, problem: PlanningProblem, solver: Any) -> None:
        self._problem = problem
        self._solver = solver
        self._unit = sum(problem.weights) / _UNITS
        self._model = solver.CpModel()
        self._lanes = range(problem.workers)
        self._runs = {
            test: [self._model.new_bool_var(f"t{test}l{lane}") for lane in self._lanes] for test in problem.surviving
        }
        self._goes = [
            [self._model.new_bool_var(f"p{number}l{lane}") for lane in self._lanes]
            for number in range(len(problem.fixed))
        ]
        self._require_every_test()
        for lane in self._lanes:
            self._require_safe_lane(lane)
        self._end = self._model.new_int_var(self._least(), 2 * _UNITS * (1 + len(problem.fixed)), "end")
        self._minimise_end()

    def _require_every_test(self) -> None:
        constraints = self._problem.constraints
        for test in self._problem.targets:
            # A test that meets no need and cleans nothing runs once: this constraint makes the search much shorter.
            (self._model.add_bool_or if test in constraints.satisfied_by else self._model.add_exactly_one)(
                self._runs[test]
            )
        for choices in self._goes:
            self._model.add_exactly_one(choices)
        if self._problem.targets:
            # Lanes are interchangeable: fix the one with the heaviest test.
            self._model.add(self._runs[self._heaviest()][0] == 1)

    def _heaviest(self) -> int:
        problem = self._problem
        return max(problem.targets, key=lambda test: (problem.scale.weigh(problem.constraints.closures[test]), -test))

    def _require_safe_lane(self, lane: int) -> None:
        runs = {test: lanes[lane] for test, lanes in self._runs.items()}
        for test in self._problem.constraints.reference_only.intersection(runs):
            # Runs in a prefix of the reference order, as a fixed piece.
            self._model.add(runs[test] == 0)
        for rule in self._problem.constraints.rules:
            if rule.last in runs:
                spared = [runs[test].negated() for test in positions(rule.when)]
                wanted = [] if rule.needs_all else [runs[test] for test in positions(rule.wanted)]
                self._model.add_bool_or([*spared, *wanted])

    def _minimise_end(self) -> None:
        problem = self._problem
        for lane in self._lanes:
            tests = sum(self._units(problem.weights[test]) * runs[lane] for test, runs in self._runs.items())
            pieces = sum(
                self._units(piece.weight + problem.clean_state) * goes[lane]
                for piece, goes in zip(problem.fixed, self._goes, strict=True)
            )
            self._model.add(tests + pieces <= self._end)
        self._model.minimize(self._end)

    def _least(self) -> int:
        return int(lower_bound(self._problem.dependencies, self._problem.workers) / self._unit * (1 - 1e-6))

    def _units(self, seconds: float) -> int:
        return round(seconds / self._unit)

    def hint(self, plan: Plan) -> None:
        index = self._problem.dependencies.suite.index
        fixed = {piece.members for piece in self._problem.fixed}
        together = [0] * self._problem.workers
        for number, planned in enumerate(plan.lanes):
            for order in planned.orders:
                held = bits(index[test] for test in order)
                together[number] |= 0 if held in fixed else held
        if self._problem.targets:
            heaviest = self._heaviest()
            together.sort(key=lambda held: not held >> heaviest & 1)
        for test, runs in self._runs.items():
            for lane, choice in enumerate(runs):
                self._model.add_hint(choice, bool(together[lane] >> test & 1))

    def solved(self, time_limit: float) -> tuple[list[list[int]], float]:
        """The lanes as orders, empty if none were found in time, and a lower bound in seconds that counts needs
        only."""
        solver, status = solve(self._solver, self._model, time_limit, seed=1)
        problem = self._problem
        # Each test was rounded to a whole unit.
        bound = (solver.best_objective_bound - len(problem.weights)) * self._unit + problem.clean_state
        if status not in (self._solver.OPTIMAL, self._solver.FEASIBLE):
            return [], bound
        lanes: list[list[Piece]] = []
        for lane in self._lanes:
            held = bits(test for test, runs in self._runs.items() if solver.boolean_value(runs[lane]))
            fixed = [
                piece for piece, goes in zip(problem.fixed, self._goes, strict=True) if solver.boolean_value(goes[lane])
            ]
            lanes.append([*([problem.piece(held)] if held else []), *sorted(fixed, key=lambda piece: piece.last)])
        trimmed = iter(trim([piece for lane in lanes for piece in lane], problem.constraints))
        return [[next(trimmed) for _ in lane] for lane in lanes], bound
