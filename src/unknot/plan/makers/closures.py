"""The papers' minimal schedules: one self-sufficient order for each test that nothing depends on."""

import heapq

from unknot.model.dependencies import Dependencies
from unknot.model.plan import Plan
from unknot.plan.makers.pieces import Piece, sinks
from unknot.plan.problem import CLEAN_STATE, Ground


def make_closures(dependencies: Dependencies, workers: int, *, clean_state: float = CLEAN_STATE) -> Plan:
    """Every order is one closure, with the cleaners that it cannot do without, from a clean state; orders are dealt out
    longest first to the lane that ends soonest.

    Guarantees and assumptions are those of the greedy maker, but what two closures share is run for each of them, so
    the plan may take longer than the reference order. Dependencies that are not complete give the reference order.
    Cost: linear in the members of all closures.
    """
    return closures_plan(Ground(dependencies, workers, clean_state))


def closures_plan(ground: Ground) -> Plan:
    """As `make_closures`, for a caller that has the ground already."""
    if ground.is_open:
        return ground.reference()
    lanes: list[list[Piece]] = [[] for _ in range(ground.workers)]
    ends = [(0.0, number) for number in range(ground.workers)]
    for piece in sorted(closures(ground), key=lambda piece: -piece.weight):
        end, number = heapq.heappop(ends)
        lanes[number].append(piece)
        heapq.heappush(ends, (end + piece.weight + ground.clean_state, number))
    for lane in lanes:
        # A test that ends its process comes after all others of its lane.
        lane.sort(key=lambda piece: piece.last)
    return ground.plan([[piece.members for piece in lane] for lane in lanes], maker="closures")


def closures(ground: Ground) -> list[Piece]:
    """What cannot be placed freely, and the closure of each test that no other takes with it."""
    ties = ground.ties
    return [*ground.fixed, *(ground.piece(ties.rows[sink]) for sink in sinks(ties, ground.targets))]
