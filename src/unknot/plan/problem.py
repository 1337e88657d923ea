"""What every maker stands on: the suite in seconds and bitsets, what stays together, how lanes become a plan."""

from collections.abc import Sequence

from unknot.model.bits import bits
from unknot.model.dependencies import Dependencies
from unknot.model.errors import UsageError
from unknot.model.plan import Lane, Plan
from unknot.plan.bitsets import Scale, members
from unknot.plan.constraints.ties import Ban, tie
from unknot.plan.makers.pieces import Piece

CLEAN_STATE = 0.02
"""Seconds that a clean state costs where nothing is known of the runner."""

_LEAST_WEIGHT = 0.001
"""Seconds that an instant test counts for when lanes are balanced, so that a suite without durations is shared out."""

_DEAR_SHARE = 4
"""A cleaner that takes more than this part of a lane is not carried along with every victim."""


class Ground:
    """`living` are the tests that leave their process alive in the reference order, `ending` the others. `targets` are
    those of the living that a maker may place as it likes; the rest is in `fixed`: pieces that are safe only as they
    are, tests that end their process and the reference order up to the last test that nothing else is known to be safe
    for."""

    def __init__(self, dependencies: Dependencies, workers: int, clean_state: float) -> None:
        if workers < 1:
            raise UsageError(f"a plan needs at least one worker, not {workers}", hint="give -n 1 or more")
        tests = dependencies.suite.tests
        self.dependencies = dependencies
        # More lanes than tests stay empty.
        self.workers = workers = min(workers, max(1, len(tests)))
        self.clean_state = clean_state
        self.seconds = [dependencies.seconds.get(test, 0.0) for test in tests]
        self.weights = [max(seconds, _LEAST_WEIGHT) for seconds in self.seconds]
        self.work = sum(self.weights)
        self.scale = Scale(self.weights)
        self.ties = tie(dependencies, self.weights, self.work / (_DEAR_SHARE * workers), clean_state)
        self.ending = sorted(self.ties.ending)
        self.living = [place for place in range(len(tests)) if place not in self.ties.ending]
        self.fixed = [self.piece(self.row_of(test), last=True) for test in self.ending]
        self.targets = self.living
        if stuck := [place for place in self.living if place in self.ties.stuck]:
            self.fixed.append(self.piece(self.beginning_to(stuck[-1]), whole=True))
            self.targets = [place for place in self.living if place > stuck[-1]]

    @property
    def is_open(self) -> bool:
        """Whether pairs are untried, so that nothing but the reference order is known to be safe."""
        return bool(self.dependencies.untried) or not self.dependencies.complete

    def reference(self) -> Plan:
        """One lane with the reference order, and after it the orders of the tests that end their process: while pairs
        are untried each behind all that stands before it in the reference order, else only behind what it needs."""
        endings = [self.beginning_to(test) if self.is_open else self.row_of(test) for test in self.ending]
        return self.plan([[bits(self.living), *endings]], maker="reference")

    def piece(
        self, held: int, avoids: frozenset[Ban] = frozenset(), *, last: bool = False, whole: bool = False
    ) -> Piece:
        return Piece(held, self.scale.weigh(held), avoids, last=last, whole=whole)

    def row_of(self, test: int) -> int:
        return self.beginning_to(test) if test in self.ties.stuck else self.ties.rows[test]

    def beginning_to(self, test: int) -> int:
        """The reference order up to and with the test, without others that end their process."""
        return bits(place for place in self.living if place < test) | 1 << test

    def orders(self, pieces: Sequence[Piece]) -> list[Piece]:
        """As few orders as a first fit finds; those that end their process come last."""
        orders: list[Piece] = []
        for piece in sorted(pieces, key=lambda piece: (piece.last, piece.whole, bool(piece.avoids))):
            for number, order in enumerate(orders):
                if order.may_join(piece):
                    orders[number] = self.piece(order.members | piece.members, order.avoids | piece.avoids)
                    break
            else:
                orders.append(piece)
        return orders

    def plan(self, lanes: Sequence[Sequence[int]], *, maker: str) -> Plan:
        """Lanes of orders as bitsets, run in reference order inside, in the sequence of the lanes' first tests; what is
        empty is left out."""
        kept = [[members(order) for order in lane if order] for lane in lanes]
        kept = sorted((lane for lane in kept if lane), key=lambda lane: lane[0])
        longest = max((sum(self._price(order) for order in lane) for lane in kept), default=0.0)
        suite = self.dependencies.suite
        return Plan(tuple(Lane(tuple(suite.order(order) for order in lane)) for lane in kept), longest, maker=maker)

    def _price(self, order: Sequence[int]) -> float:
        return self.clean_state + sum(self.seconds[place] for place in order)
