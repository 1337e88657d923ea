"""Closures that begin alike run their beginning once, and go on from copies of the state that it leaves."""

from collections.abc import Sequence
from dataclasses import replace

from unknot.model.bits import bits
from unknot.model.dependencies import Dependencies
from unknot.model.plan import Lane, Plan
from unknot.plan.bitsets import members
from unknot.plan.bound import lower_bound
from unknot.plan.makers.closures import closures
from unknot.plan.makers.pieces import Piece
from unknot.plan.makers.place import exchanged, placed
from unknot.plan.problem import CLEAN_STATE, Ground
from unknot.plan.timeline import predicted

_CLOSE_ENOUGH = 1.02
_MOST_TRIALS = 50_000


def make_prefix_tree(dependencies: Dependencies, workers: int, *, clean_state: float = CLEAN_STATE) -> Plan:
    """Lanes of closures, each lane a forest of their common beginnings.

    Every order is one closure, as in the plan of closures, so no test runs after one that it does not need. Within a
    lane a common beginning is run once, for which the runner must be able to go on from a copy of a state: a fork, or a
    snapshot of an instance; a copy is taken to cost as much as a clean state. Orders follow the reference order, so
    tests share only what stands first in it. Dependencies that are not complete give the reference order. Cost: linear
    in the members of all closures.
    """
    return prefix_tree_plan(Ground(dependencies, workers, clean_state))


def prefix_tree_plan(ground: Ground) -> Plan:
    """As `make_prefix_tree`, for a caller that has the ground already."""
    if ground.is_open:
        return ground.reference()
    found = closures(ground)
    orders = [members(closure.members) for closure in found]
    tree = _Tree(ground.weights)
    branches = [tree.branch(order, ground.clean_state) for order in orders]
    least = lower_bound(ground.dependencies, ground.workers)
    layout = placed(branches, tree.weights, ground.workers, 0.0, least)
    if layout.longest > least * _CLOSE_ENOUGH and ground.workers > 1:
        layout = exchanged(layout, ground.workers, 0.0, least * _CLOSE_ENOUGH, _MOST_TRIALS)
    # Neighbours share the most; a test that ends its process comes last.
    lanes = [sorted(lane, key=lambda number: (found[number].last, orders[number])) for lane in layout.lanes]
    lanes.sort(key=lambda lane: orders[lane[0]])
    plan = Plan(
        tuple(Lane(tuple(ground.dependencies.suite.order(orders[number]) for number in lane)) for lane in lanes),
        0.0,
        shares=True,
        maker="prefix-tree",
    )
    ends = [slots[-1].end for slots in predicted(plan, ground.dependencies.seconds, ground.clean_state) if slots]
    return replace(plan, predicted_seconds=max(ends, default=0.0))


class _Tree:
    """Beginnings as nodes; `weights` has the seconds of the last test of each."""

    def __init__(self, seconds: Sequence[float]) -> None:
        self._seconds = seconds
        self._known: dict[tuple[int, int], int] = {}
        self.weights: list[float] = []

    def branch(self, order: Sequence[int], clean_state: float) -> Piece:
        nodes = []
        above = -1
        for test in order:
            node = self._known.get((above, test))
            if node is None:
                node = self._known[above, test] = len(self.weights)
                self.weights.append(self._seconds[test])
            nodes.append(node)
            above = node
        return Piece(bits(nodes), clean_state + sum(self.weights[node] for node in nodes))
