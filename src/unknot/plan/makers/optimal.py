"""The fastest plan, by constraint programming. Needs the extra `unknot[optimal]`."""

from typing import Any

from unknot.model.bits import bits, positions
from unknot.model.dependencies import Dependencies
from unknot.model.plan import Plan
from unknot.plan.bound import lower_bound
from unknot.plan.makers.greedy import greedy_plan
from unknot.plan.makers.pieces import Piece
from unknot.plan.makers.trim import trim
from unknot.plan.problem import CLEAN_STATE, Ground
from unknot.plan.solver import cp_sat

TIME_LIMIT = 20.0
_SOLVER_WORKERS = 8
"""With as many as there are cores, two say, CP-SAT leaves out the strategies that prove an optimum."""

_UNITS = 10**8
"""Whole units that the work of the suite is divided into."""

_MOST_CHOICES = 200_000
"""Tests times lanes; a model of more takes longer to build than the greedy plan is away from the bound."""


def make_optimal(
    dependencies: Dependencies, workers: int, *, clean_state: float = CLEAN_STATE, time_limit: float = TIME_LIMIT
) -> Plan:
    """The best plan of one order a lane that was found in `time_limit` seconds, starting from the greedy plan, and
    never one that takes longer than that; `bound` says what was proven.

    Guarantees and assumptions are those of the greedy maker. Orders follow the reference order, and a lane has one,
    apart from what cannot be joined with anything; where conflicts make more of them worth while the greedy plan may be
    the better one, and is then the result. With conflicts the bound is the one that counts needs alone. A suite of very
    many tests on many lanes is left to the greedy maker. Raises UsageError if OR-tools is not installed.
    """
    ground = Ground(dependencies, workers, clean_state)
    greedy = greedy_plan(ground)
    if ground.is_open or ground.workers == 1 or len(dependencies.suite) * ground.workers > _MOST_CHOICES:
        return greedy
    model = _Model(ground, cp_sat("--maker greedy"))
    model.hint(greedy)
    lanes, bound = model.solved(time_limit)
    if ground.ties.bans_of:
        bound = lower_bound(dependencies, workers) + clean_state
    found = ground.plan(lanes, maker="optimal") if lanes else greedy
    best = found if found.predicted_seconds < greedy.predicted_seconds else greedy
    return Plan(best.lanes, best.predicted_seconds, maker="optimal", bound=min(bound, best.predicted_seconds))


class _Model:
    """A choice for each test and lane whether the test runs there, and for each fixed piece where it goes."""

    def __init__(self, ground: Ground, solver: Any) -> None:
        self._ground = ground
        self._solver = solver
        self._unit = sum(ground.weights) / _UNITS
        self._model = solver.CpModel()
        self._lanes = range(ground.workers)
        self._runs = {
            test: [self._model.new_bool_var(f"t{test}l{lane}") for lane in self._lanes] for test in ground.living
        }
        self._goes = [
            [self._model.new_bool_var(f"p{number}l{lane}") for lane in self._lanes]
            for number in range(len(ground.fixed))
        ]
        self._say_what_runs()
        for lane in self._lanes:
            self._say_what_is_safe(lane)
        self._end = self._model.new_int_var(self._least(), 2 * _UNITS * (1 + len(ground.fixed)), "end")
        self._say_when_it_ends()

    def _say_what_runs(self) -> None:
        ties = self._ground.ties
        for test in self._ground.targets:
            # Whoever serves nobody is run once: saying so makes the search much shorter.
            serves = test in ties.clauses_with or test in ties.bans_with
            (self._model.add_bool_or if serves else self._model.add_exactly_one)(self._runs[test])
        for choices in self._goes:
            self._model.add_exactly_one(choices)
        if self._ground.targets:
            # Lanes are alike: say which one has the heaviest test.
            self._model.add(self._runs[self._heaviest()][0] == 1)

    def _heaviest(self) -> int:
        ground = self._ground
        return max(ground.targets, key=lambda test: (ground.scale.weigh(ground.ties.rows[test]), -test))

    def _say_what_is_safe(self, lane: int) -> None:
        ties, runs = self._ground.ties, self._runs
        for test in self._ground.living:
            here = runs[test][lane]
            if test in ties.stuck:
                # Runs as the reference order's beginning, in a fixed piece.
                self._model.add(here == 0)
                continue
            for clause in ties.clauses_of.get(test, ()):
                self._model.add_bool_or([here.negated(), *(runs[option][lane] for option in positions(clause))])
            for ban in ties.bans_of.get(test, ()):
                spared = [runs[polluter][lane].negated() for polluter in positions(ban.polluters)]
                cleaned = [runs[cleaner][lane] for cleaner in positions(ban.cleaners)]
                self._model.add_bool_or([here.negated(), *spared, *cleaned])

    def _say_when_it_ends(self) -> None:
        ground = self._ground
        for lane in self._lanes:
            tests = sum(self._units(ground.weights[test]) * runs[lane] for test, runs in self._runs.items())
            pieces = sum(
                self._units(piece.weight + ground.clean_state) * goes[lane]
                for piece, goes in zip(ground.fixed, self._goes, strict=True)
            )
            self._model.add(tests + pieces <= self._end)
        self._model.minimize(self._end)

    def _least(self) -> int:
        return int(lower_bound(self._ground.dependencies, self._ground.workers) / self._unit * (1 - 1e-6))

    def _units(self, seconds: float) -> int:
        return round(seconds / self._unit)

    def hint(self, plan: Plan) -> None:
        index = self._ground.dependencies.suite.index
        fixed = {piece.members for piece in self._ground.fixed}
        lanes = [
            [held for order in lane.orders if (held := bits(index[test] for test in order)) not in fixed]
            for lane in plan.lanes
        ]
        together = [_union(lane) for lane in lanes] + [0] * (self._ground.workers - len(lanes))
        if self._ground.targets:
            heaviest = self._heaviest()
            together.sort(key=lambda held: not held >> heaviest & 1)
        for test, runs in self._runs.items():
            for lane, choice in enumerate(runs):
                self._model.add_hint(choice, bool(together[lane] >> test & 1))

    def solved(self, time_limit: float) -> tuple[list[list[int]], float]:
        """The lanes as orders, empty if none were found in time, and the seconds that no plan of needs alone beats."""
        solver = self._solver.CpSolver()
        solver.parameters.num_workers = _SOLVER_WORKERS
        solver.parameters.max_time_in_seconds = time_limit
        solver.parameters.random_seed = 1
        status = solver.solve(self._model)
        ground = self._ground
        # Each test was rounded to a whole unit.
        bound = (solver.best_objective_bound - len(ground.weights)) * self._unit + ground.clean_state
        if status not in (self._solver.OPTIMAL, self._solver.FEASIBLE):
            return [], bound
        lanes: list[list[Piece]] = []
        for lane in self._lanes:
            held = bits(test for test, runs in self._runs.items() if solver.boolean_value(runs[lane]))
            fixed = [
                piece for piece, goes in zip(ground.fixed, self._goes, strict=True) if solver.boolean_value(goes[lane])
            ]
            lanes.append([*([ground.piece(held)] if held else []), *sorted(fixed, key=lambda piece: piece.last)])
        trimmed = iter(trim([piece for lane in lanes for piece in lane], ground.ties))
        return [[next(trimmed) for _ in lane] for lane in lanes], bound


def _union(held: list[int]) -> int:
    together = 0
    for order in held:
        together |= order
    return together
