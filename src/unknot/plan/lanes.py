"""The maker behind `run`: one order per lane wherever conflicts allow, filled longest first."""

from collections.abc import Callable, Sequence

from unknot.model.bits import bits
from unknot.model.errors import UsageError
from unknot.model.knots import Knots
from unknot.model.plan import Lane, Plan
from unknot.model.suite import TestId
from unknot.plan.pieces import Piece, cut
from unknot.plan.place import Layout, place_pieces
from unknot.plan.ties import Ban, tie
from unknot.plan.trim import trim
from unknot.plan.wide import Scale, members

_LEAST_WEIGHT = 0.001
"""Seconds that an instant test counts for when lanes are balanced, so that a suite without durations is shared out."""

_PIECES_PER_LANE = (4, 16, 64)
_CLOSE_ENOUGH = 1.03
_WORTH_CUTTING = 0.98


def file_of(test: TestId) -> str:
    """The part of a pytest node id before the first `::`; module fixtures are shared by the tests that agree in it."""
    return test.partition("::")[0]


def make_plan(
    knots: Knots, workers: int, *, clean_state: float = 0.02, group_of: Callable[[TestId], str] = file_of
) -> Plan:
    """At most `workers` lanes in which every test runs at least once and does as it does in the reference order.

    Guarantees: each order follows the reference order inside, holds a test at most once, meets the needs of each test
    in it and lets no conflict strike a test that is expected to pass; the plan is predicted to take no longer than the
    reference order; the same arguments give the same plan. A test runs in two orders only where one of them could not
    do without it and no plan that keeps its dependents together was found to be as fast. With one worker nothing runs
    twice.

    - Knots that are not complete give a single lane with the reference order: pairs nobody has tried must stay in
      order, and no other order is known to be safe.
    - A test that crashed or timed out in the reference order runs last in an order of its own, after what it needs, at
      the end of a lane (whatever the above says of what runs twice): it would take the rest of an order down with it.
      While knots are not complete it runs after all that precedes it.
    - A test that only the reference order is known to be safe for (a need that nothing before it meets, a conflict that
      its own needs bring along and nothing known cleans) runs in an order that is the reference order's beginning.
    - A victim that fails in the reference order need not be spared, nor need its failure be brought about.

    Assumes that the knots hold for every subsequence of the reference order. Cost: nearly linear; well under two
    seconds for 10,000 tests.
    """
    if workers < 1:
        raise UsageError(f"a plan needs at least one worker, not {workers}", hint="give -n 1 or more")
    maker = _Maker(knots, workers, clean_state, group_of)
    if knots.untried or not knots.complete:
        return maker.reference(with_beginning=True)
    sequential = maker.reference(with_beginning=False)
    if workers == 1:
        return sequential
    parallel = maker.parallel()
    # Orders kept apart for a conflict run things twice, which may cost more than lanes gain.
    return sequential if parallel.predicted_seconds > sequential.predicted_seconds else parallel


class _Maker:
    def __init__(self, knots: Knots, workers: int, clean_state: float, group_of: Callable[[TestId], str]) -> None:
        tests = knots.suite.tests
        self._suite = knots.suite
        self._workers = workers
        self._clean_state = clean_state
        self._seconds = [knots.seconds.get(test, 0.0) for test in tests]
        self._weights = [max(seconds, _LEAST_WEIGHT) for seconds in self._seconds]
        self._groups = [group_of(test) for test in tests]
        self._work = sum(self._weights)
        self._scale = Scale(self._weights)
        self._ties = tie(knots, self._weights, self._work / (_PIECES_PER_LANE[0] * workers), clean_state)
        self._ending = sorted(self._ties.ending)
        self._living = [place for place in range(len(tests)) if place not in self._ties.ending]

    def reference(self, *, with_beginning: bool) -> Plan:
        """One lane with the reference order, and after it the orders of the tests that end their process: each behind
        all that stands before it in the reference order, or only behind what it needs."""
        beginning = bits(self._living)
        endings = [self._beginning_to(test) if with_beginning else self._row_of(test) for test in self._ending]
        return self._plan([[beginning, *endings]])

    def parallel(self) -> Plan:
        """Assumes complete knots."""
        lanes = [self._orders(lane) for lane in self._best_lanes()]
        # The lane that ends last is relieved first of what others run too.
        lanes.sort(key=lambda lane: -sum(order.weight + self._clean_state for order in lane))
        trimmed = iter(trim([order for lane in lanes for order in lane], self._ties))
        return self._plan([[next(trimmed) for _ in lane] for lane in lanes])

    def _best_lanes(self) -> list[list[Piece]]:
        """Groups are cut finer only where that shortens the run."""
        stuck = [place for place in self._living if place in self._ties.stuck]
        fixed = [self._piece(self._row_of(test), last=True) for test in self._ending]
        targets = self._living
        if stuck:
            fixed.append(self._piece(self._beginning_to(stuck[-1]), whole=True))
            targets = [place for place in self._living if place > stuck[-1]]
        longest = max((self._scale.weigh(self._ties.rows[target]) for target in targets), default=0.0)
        enough = max(longest, self._work / self._workers) * _CLOSE_ENOUGH + self._clean_state
        best: Layout | None = None
        lanes: list[list[Piece]] = []
        for per_lane in _PIECES_PER_LANE:
            most = self._work / (per_lane * self._workers)
            pieces = fixed + cut(self._ties, targets, self._scale, most, self._groups)
            layout = place_pieces(pieces, self._weights, self._workers, self._clean_state)
            if best is None or layout.longest < best.longest * _WORTH_CUTTING:
                best = layout
                lanes = [[pieces[number] for number in lane] for lane in layout.lanes]
            if best.longest <= enough:
                break
        return lanes

    def _orders(self, lane: Sequence[Piece]) -> list[Piece]:
        """As few orders as a first fit finds; those that end their process come last."""
        orders: list[Piece] = []
        for piece in sorted(lane, key=lambda piece: (piece.last, piece.whole, bool(piece.avoids))):
            for number, order in enumerate(orders):
                if order.may_join(piece):
                    orders[number] = self._piece(order.members | piece.members, order.avoids | piece.avoids)
                    break
            else:
                orders.append(piece)
        return orders

    def _piece(
        self, held: int, avoids: frozenset[Ban] = frozenset(), *, last: bool = False, whole: bool = False
    ) -> Piece:
        return Piece(held, self._scale.weigh(held), avoids, last=last, whole=whole)

    def _row_of(self, test: int) -> int:
        return self._beginning_to(test) if test in self._ties.stuck else self._ties.rows[test]

    def _beginning_to(self, test: int) -> int:
        """The reference order up to and with the test, without others that end their process."""
        return bits(place for place in self._living if place < test) | 1 << test

    def _plan(self, lanes: Sequence[Sequence[int]]) -> Plan:
        """Lanes in the sequence of their first tests; what is empty is left out."""
        kept = [[members(order) for order in lane if order] for lane in lanes]
        kept = sorted((lane for lane in kept if lane), key=lambda lane: lane[0])
        longest = max((sum(self._price(order) for order in lane) for lane in kept), default=0.0)
        return Plan(tuple(Lane(tuple(self._suite.order(order) for order in lane)) for lane in kept), longest)

    def _price(self, order: Sequence[int]) -> float:
        return self._clean_state + sum(self._seconds[place] for place in order)
