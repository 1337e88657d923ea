"""The planning problem that every maker solves: the suite in seconds and bitsets, its constraints, and how lanes become
a plan with a timeline."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from unknot.model.bits import WeightTable, bits, members
from unknot.model.dependencies import Dependencies
from unknot.model.errors import UsageError
from unknot.model.plan import Lane, Plan, Timeline, TimelineItem
from unknot.model.suite import TestId
from unknot.plan.constraints.order_constraints import Exclusion, derive_constraints
from unknot.plan.makers.pieces import Piece

CLEAN_STATE = 0.02
"""Seconds for a clean state if nothing is known about the runner."""

_LEAST_WEIGHT = 0.001
"""Seconds that an instant test counts for when lanes are balanced, so that a suite without durations is distributed."""

_EXPENSIVE_SHARE = 4
"""A cleaner that takes more than this part of a lane is not included in the closure of every victim."""


class PlanningProblem:
    """`surviving` are the tests that leave their process alive in the reference order, `ending` the others. `targets`
    are the surviving tests that a maker may place freely. The rest is in `fixed`: pieces that are safe only as they
    are. These are tests that end their process, and the reference order up to the last test for which nothing else is
    known to be safe."""

    def __init__(self, dependencies: Dependencies, workers: int, clean_state: float) -> None:
        if workers < 1:
            raise UsageError(
                f"a plan needs at least one worker, not {workers}", hint="Pass -n 1 or more.", slug="workers-invalid"
            )
        tests = dependencies.suite.tests
        self.dependencies = dependencies
        # More lanes than tests stay empty.
        self.workers = workers = min(workers, max(1, len(tests)))
        self.clean_state = clean_state
        self.seconds = [dependencies.seconds.get(test, 0.0) for test in tests]
        self.weights = [max(seconds, _LEAST_WEIGHT) for seconds in self.seconds]
        self.work = sum(self.weights)
        self.scale = WeightTable(self.weights)
        self.constraints = derive_constraints(
            dependencies, self.weights, self.work / (_EXPENSIVE_SHARE * workers), clean_state
        )
        self.ending = sorted(self.constraints.ending)
        self.surviving = [place for place in range(len(tests)) if place not in self.constraints.ending]
        self.fixed = [self.piece(self.closure_of(test), last=True) for test in self.ending]
        self.targets = self.surviving
        if stuck := [place for place in self.surviving if place in self.constraints.reference_only]:
            self.fixed.append(self.piece(self.prefix_to(stuck[-1]), is_prefix=True))
            self.targets = [place for place in self.surviving if place > stuck[-1]]

    @property
    def is_incomplete(self) -> bool:
        """Whether pairs are untried, so that only the reference order is known to be safe."""
        return bool(self.dependencies.untried) or not self.dependencies.complete

    def reference(self) -> Plan:
        """One lane with the reference order, followed by the orders of the tests that end their process. While pairs
        are untried, such a test runs after all that precede it in the reference order, otherwise only after its
        needs."""
        endings = [self.prefix_to(test) if self.is_incomplete else self.closure_of(test) for test in self.ending]
        return self.plan([[bits(self.surviving), *endings]], maker="reference")

    def piece(
        self, held: int, exclusions: frozenset[Exclusion] = frozenset(), *, last: bool = False, is_prefix: bool = False
    ) -> Piece:
        return Piece(held, self.scale.weigh(held), exclusions, last=last, is_prefix=is_prefix)

    def closure_of(self, test: int) -> int:
        return self.prefix_to(test) if test in self.constraints.reference_only else self.constraints.closures[test]

    def prefix_to(self, test: int) -> int:
        """The reference order up to and including the test, without others that end their process."""
        return bits(place for place in self.surviving if place < test) | 1 << test

    def orders(self, pieces: Sequence[Piece]) -> list[Piece]:
        """As few orders as first fit finds; those that end their process come last."""
        orders: list[Piece] = []
        for piece in sorted(pieces, key=lambda piece: (piece.last, piece.is_prefix, bool(piece.exclusions))):
            for number, order in enumerate(orders):
                if order.may_join(piece):
                    orders[number] = self.piece(order.members | piece.members, order.exclusions | piece.exclusions)
                    break
            else:
                orders.append(piece)
        return orders

    def plan(self, lanes: Sequence[Sequence[int]], *, maker: str) -> Plan:
        """The plan for lanes of orders given as bitsets: each order in reference order, lanes sorted by their first
        test, empty ones left out."""
        kept = [[members(order) for order in lane if order] for lane in lanes]
        kept = sorted((lane for lane in kept if lane), key=lambda lane: lane[0])
        suite = self.dependencies.suite
        found = tuple(Lane(tuple(suite.order(order) for order in lane)) for lane in kept)
        return with_prediction(Plan(found, 0.0, maker=maker), self.dependencies, self.clean_state)


def with_prediction(plan: Plan, dependencies: Dependencies, clean_state: float) -> Plan:
    """The plan with the time at which its last lane is predicted to end."""
    ends = [slots[-1].end for slots in predict_timeline(plan, dependencies.seconds, clean_state) if slots]
    return replace(plan, predicted_seconds=max(ends, default=0.0))


def predict_timeline(plan: Plan, seconds: Mapping[TestId, float], clean_state: float) -> Timeline:
    """When each test of a plan will run. If the plan shares prefixes, a test that ran for an earlier order of its lane
    has no second slot, and returning to a copy of the state costs a clean state. Cost: linear in the tests run."""
    return tuple(_slots(lane, seconds, clean_state, shares=plan.shares) for lane in plan.lanes)


def _slots(
    lane: Lane, seconds: Mapping[TestId, float], clean_state: float, *, shares: bool
) -> tuple[TimelineItem, ...]:
    slots: list[TimelineItem] = []
    clock = 0.0
    # The tree of prefixes: a node is identified by its parent and its test.
    known: dict[tuple[int, TestId], int] = {}
    for number, order in enumerate(lane.orders):
        clock += clean_state
        above = -1
        for test in order:
            if shares:
                is_new = (above, test) not in known
                above = known.setdefault((above, test), len(known))
                if not is_new:
                    continue
            end = clock + seconds.get(test, 0.0)
            slots.append(TimelineItem(test, number, clock, end))
            clock = end
    return tuple(slots)
