"""The makers by name, and the choice among them."""

from collections.abc import Mapping
from typing import Protocol

from unknot.model.dependencies import Dependencies
from unknot.model.plan import Plan
from unknot.plan.makers.closures import closures, closures_plan, make_closures
from unknot.plan.makers.greedy import greedy_plan, make_plan
from unknot.plan.makers.joined import joined
from unknot.plan.makers.optimal import make_optimal
from unknot.plan.makers.prefix_tree import make_prefix_tree, prefix_tree_plan
from unknot.plan.problem import Ground

_MOST_MEMBERS = 100_000
"""Members of all closures, above which plans of closures are not tried: what closures share would be run too often."""


class Maker(Protocol):
    def __call__(self, dependencies: Dependencies, workers: int, *, clean_state: float = ...) -> Plan: ...


MAKERS: Mapping[str, Maker] = {
    "greedy": make_plan,
    "closures": make_closures,
    "prefix-tree": make_prefix_tree,
    "optimal": make_optimal,
}
"""`prefix-tree` is for runners that can go on from a copy of a state; `optimal` needs an extra."""


def best_plan(dependencies: Dependencies, workers: int, *, clean_state: float, can_share: bool) -> Plan:
    """The plan that is predicted to be done first, of those made without a solver; the greedy one if others are no
    faster. Never slower than the plan of closures, unless that is out of the question from the start."""
    ground = Ground(dependencies, workers, clean_state)
    greedy = greedy_plan(ground)
    if ground.is_open or ground.workers == 1:
        return greedy
    if sum(closure.members.bit_count() for closure in closures(ground)) > _MOST_MEMBERS:
        return greedy
    plans = [greedy, closures_plan(ground), *([prefix_tree_plan(ground)] if can_share else [])]
    best = min(plans, key=lambda plan: plan.predicted_seconds)
    return joined(best, dependencies, clean_state)
