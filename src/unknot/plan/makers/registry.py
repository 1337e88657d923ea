"""The makers by name, and the choice between them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from unknot.model.dependencies import Dependencies
from unknot.model.plan import Lane, Plan
from unknot.plan.makers.closures import closures, closures_plan, make_closures, make_prefix_tree, prefix_tree_plan
from unknot.plan.makers.greedy import greedy_plan, make_plan
from unknot.plan.makers.optimal import make_optimal
from unknot.plan.problem import PlanningProblem, with_prediction

_MOST_MEMBERS = 100_000
"""Plans of closures with more members than this are not tried: they would run shared tests too often."""


class Maker(Protocol):
    def __call__(self, dependencies: Dependencies, workers: int, *, clean_state: float = ...) -> Plan: ...


MAKERS: Mapping[str, Maker] = {
    "greedy": make_plan,
    "closures": make_closures,
    "prefix-tree": make_prefix_tree,
    "optimal": make_optimal,
}
"""`prefix-tree` is for runners that can continue from a copy of a state; `optimal` needs an extra."""

PLANNERS = ("auto", *MAKERS)
"""What a user can choose from."""


def best_plan(dependencies: Dependencies, workers: int, *, clean_state: float, can_share: bool) -> Plan:
    """The plan with the earliest predicted end of those made without a solver; the greedy one if no other is faster.
    Never slower than the plan of closures, unless closures have too many members to try it."""
    problem = PlanningProblem(dependencies, workers, clean_state)
    greedy = greedy_plan(problem)
    if problem.is_incomplete or problem.workers == 1:
        return greedy
    if sum(closure.members.bit_count() for closure in closures(problem)) > _MOST_MEMBERS:
        return greedy
    plans = [greedy, closures_plan(problem), *([prefix_tree_plan(problem)] if can_share else [])]
    best = min(plans, key=lambda plan: plan.predicted_seconds)
    return join_orders(best, dependencies, clean_state)


def join_orders(plan: Plan, dependencies: Dependencies, clean_state: float) -> Plan:
    """The same lanes with one order each: all tests of the lane once, in reference order.

    The plan is returned unchanged if it shares prefixes, or if its orders may be separate for a reason: a conflict, a
    test that ends its process, or a need that no earlier test meets. Guarantee: never slower, and as safe: in reference
    order each test of a lane still runs after all tests that it ran after. Cost: linear in the tests run, plus sorting.
    """
    if plan.shares or all(len(lane.orders) < 2 for lane in plan.lanes) or not _is_plain(dependencies):
        return plan
    place = dependencies.suite.index
    lanes = tuple(Lane((tuple(sorted(set(lane.tests), key=place.__getitem__)),)) for lane in plan.lanes)
    return with_prediction(replace(plan, lanes=lanes), dependencies, clean_state)


def _is_plain(dependencies: Dependencies) -> bool:
    place = dependencies.suite.index
    return (
        not dependencies.conflicts
        and not any(outcome.ends_process for outcome in dependencies.outcomes.values())
        and all(
            any(place.get(option, len(place)) < place[need.dependent] for option in need.any_of)
            for need in dependencies.needs
        )
    )
