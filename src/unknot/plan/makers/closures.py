"""Plans of closures: one self-sufficient order for each test that no other test depends on.

`make_closures` runs each closure from a clean state, as the minimal schedules of the published papers do.
`make_prefix_tree` runs a common prefix of closures once and continues from copies of the state that it leaves.
"""

import heapq
from collections.abc import Sequence

from unknot.model.bits import bits, members
from unknot.model.dependencies import Dependencies
from unknot.model.plan import Lane, Plan
from unknot.plan.bound import lower_bound
from unknot.plan.makers.layout import improve_layout, place_pieces
from unknot.plan.makers.pieces import Piece, sinks
from unknot.plan.problem import CLEAN_STATE, PlanningProblem, with_prediction


def make_closures(dependencies: Dependencies, workers: int, *, clean_state: float = CLEAN_STATE) -> Plan:
    """Every order is one closure with its required cleaners, from a clean state. Orders are distributed longest first,
    each to the lane that ends soonest.

    Guarantees and assumptions are those of the greedy maker, except that tests shared by two closures run for each of
    them, so the plan may take longer than the reference order. Incomplete dependencies give the reference order. Cost:
    linear in the members of all closures.
    """
    return closures_plan(PlanningProblem(dependencies, workers, clean_state))


def closures_plan(problem: PlanningProblem) -> Plan:
    """Like `make_closures`, for a caller that already has the problem."""
    if problem.is_incomplete:
        return problem.reference()
    lanes: list[list[Piece]] = [[] for _ in range(problem.workers)]
    ends = [(0.0, number) for number in range(problem.workers)]
    for piece in sorted(closures(problem), key=lambda piece: -piece.weight):
        end, number = heapq.heappop(ends)
        lanes[number].append(piece)
        heapq.heappush(ends, (end + piece.weight + problem.clean_state, number))
    for lane in lanes:
        # A test that ends its process comes after all others of its lane.
        lane.sort(key=lambda piece: piece.last)
    return problem.plan([[piece.members for piece in lane] for lane in lanes], maker="closures")


def closures(problem: PlanningProblem) -> list[Piece]:
    """The fixed pieces, and the closure of each target that is in no other closure."""
    constraints = problem.constraints
    return [
        *problem.fixed,
        *(problem.piece(constraints.closures[sink]) for sink in sinks(constraints, problem.targets)),
    ]


_CLOSE_ENOUGH = 1.02
_MOST_TRIALS = 50_000


def make_prefix_tree(dependencies: Dependencies, workers: int, *, clean_state: float = CLEAN_STATE) -> Plan:
    """Lanes of closures, each lane a forest of their common prefixes.

    Every order is one closure, as in the plan of closures, so no test runs after one that it does not need. Within a
    lane a common prefix runs once. The runner must therefore be able to continue from a copy of a state: a fork, or a
    snapshot of an instance. A copy is assumed to cost as much as a clean state. Orders follow the reference order, so
    closures share only what comes first in it. Incomplete dependencies give the reference order. Cost: linear in the
    members of all closures.
    """
    return prefix_tree_plan(PlanningProblem(dependencies, workers, clean_state))


def prefix_tree_plan(problem: PlanningProblem) -> Plan:
    """Like `make_prefix_tree`, for a caller that already has the problem."""
    if problem.is_incomplete:
        return problem.reference()
    found = closures(problem)
    orders = [members(closure.members) for closure in found]
    tree = _Tree(problem.weights)
    branches = [tree.branch(order, problem.clean_state) for order in orders]
    least = lower_bound(problem.dependencies, problem.workers)
    layout = place_pieces(branches, tree.weights, problem.workers, 0.0, least)
    if layout.longest > least * _CLOSE_ENOUGH and problem.workers > 1:
        layout = improve_layout(layout, problem.workers, 0.0, least * _CLOSE_ENOUGH, _MOST_TRIALS)
    # Neighbours share most; a test that ends its process comes last.
    lanes = [sorted(lane, key=lambda number: (found[number].last, orders[number])) for lane in layout.lanes]
    lanes.sort(key=lambda lane: orders[lane[0]])
    plan = Plan(
        tuple(Lane(tuple(problem.dependencies.suite.order(orders[number]) for number in lane)) for lane in lanes),
        0.0,
        shares=True,
        maker="prefix-tree",
    )
    return with_prediction(plan, problem.dependencies, problem.clean_state)


class _Tree:
    """Prefixes as nodes; `weights` has the seconds of the last test of each."""

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
