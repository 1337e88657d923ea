"""The cheapest part of a suite that covers what the whole suite covers and can run by itself.

`constraints.implications` defines what a part needs to run by itself. `problem` states the problem in numbers,
`reduction` solves the easy part, `greedy` finds a good solution and `optimal` the best one.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from unknot.model.bits import members
from unknot.model.coverage import Coverage
from unknot.model.dependencies import Dependencies
from unknot.model.errors import UsageError
from unknot.model.suite import Order, TestId
from unknot.plan.cover import optimal
from unknot.plan.cover.greedy import GreedyCover
from unknot.plan.cover.problem import CoverProblem, CoverResult, build_problem
from unknot.plan.cover.reduction import lower_bound, reduce_problem, unreduced
from unknot.plan.solver import cp_sat, is_installed

Solver = Literal["auto", "greedy", "optimal"]


@dataclass(frozen=True)
class MinimalSuite:
    """`tests` are kept, `dropped` are not, both in reference order. `elements` is the number that the whole suite
    covers, `covered` that of the part: the same unless there was a limit. `proven`: no better part exists, to the
    microsecond. `bound`: no part that covers all takes fewer seconds. `covered_at_most`: no part within the limit
    covers more."""

    tests: Order
    dropped: Order
    seconds: float
    seconds_before: float
    elements: int
    covered: int
    bound: float
    covered_at_most: int
    proven: bool
    solver: str


def minimise(
    dependencies: Dependencies,
    coverage: Coverage,
    *,
    keep: Iterable[TestId] = (),
    max_seconds: float | None = None,
    solver: Solver = "auto",
    time_limit: float = 60.0,
) -> MinimalSuite:
    """The cheapest part, by seconds and among equal seconds by the number of tests, that covers every element that the
    suite covers, contains `keep`, and has the expected outcomes when it runs by itself in reference order.

    If that part takes longer than `max_seconds`, the one within the limit that covers most. `auto` proves the optimum
    if OR-tools is installed. Raises UsageError if what must stay takes longer than the limit, or if `optimal` is chosen
    and OR-tools is not installed. Without OR-tools the result is deterministic. With it, the choice among equally good
    parts may differ, and so may the result when the time limit is reached.
    """
    problem = build_problem(dependencies, coverage, keep)
    if solver == "optimal":
        cp_sat("the solver `greedy`")
    exact = solver == "optimal" or (solver == "auto" and is_installed())
    found = _cheapest(problem, time_limit, exact=exact)
    everything = problem.count(problem.elements)
    price_bound, covered_at_most = found.bound, everything
    if max_seconds is not None and problem.price(found.part) > problem.prices.limit(max_seconds):
        found = _fullest(problem, max_seconds, time_limit, exact=exact)
        covered_at_most = found.bound
    tests = dependencies.suite.tests
    covered = problem.count(problem.covered(found.part))
    seconds = sum(dependencies.seconds.get(tests[place], 0.0) for place in members(found.part))
    bound = problem.prices.seconds(price_bound)
    return MinimalSuite(
        tests=dependencies.suite.order(members(found.part)),
        dropped=dependencies.suite.order(members(((1 << len(tests)) - 1) & ~found.part)),
        seconds=seconds,
        seconds_before=sum(dependencies.seconds.get(test, 0.0) for test in tests),
        elements=everything,
        covered=covered,
        # Prices are rounded up: a bound that was reached must not exceed the seconds of the part.
        bound=min(bound, seconds) if covered == everything else bound,
        covered_at_most=covered_at_most,
        proven=found.proven,
        solver="optimal" if exact else "greedy",
    )


def _cheapest(problem: CoverProblem, time_limit: float, *, exact: bool) -> CoverResult:
    core = reduce_problem(problem)
    part = GreedyCover(problem, core).cover()
    if exact:
        return optimal.cheapest_cover(problem, core, part, time_limit)
    bound = lower_bound(problem, core)
    return CoverResult(part, bound, proven=bound == problem.price(part))


def _fullest(problem: CoverProblem, max_seconds: float, time_limit: float, *, exact: bool) -> CoverResult:
    limit = problem.prices.limit(max_seconds)
    start = _cheapest(_without_elements(problem), time_limit, exact=exact).part
    if problem.price(start) > limit:
        needed = problem.prices.seconds(problem.price(start))
        raise UsageError(
            f"the tests to keep take {needed:.3f} s with what they need, more than the {max_seconds:g} s allowed",
            hint="Raise `max-seconds`, or keep fewer tests.",
            slug="keep-too-slow",
        )
    core = unreduced(problem)
    part = GreedyCover(problem, core).widest(start, limit)
    if exact:
        return optimal.widest_cover(problem, core, part, limit, time_limit)
    everything = problem.count(problem.elements)
    return CoverResult(part, everything, proven=False)


def _without_elements(problem: CoverProblem) -> CoverProblem:
    return CoverProblem(problem.prices, (0,) * len(problem.rows), (), (), problem.rules, problem.kept)
