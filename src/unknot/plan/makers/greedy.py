"""Greedy with re-execution: one order per lane wherever conflicts allow, filled longest first, then exchanged."""

from collections.abc import Callable, Iterator, Sequence

from unknot.model.dependencies import Dependencies
from unknot.model.plan import Plan
from unknot.model.suite import TestId
from unknot.plan.bound import lower_bound
from unknot.plan.makers.clusters import by_prerequisites
from unknot.plan.makers.pieces import Piece, cut
from unknot.plan.makers.place import Layout, exchanged, placed
from unknot.plan.makers.trim import trim
from unknot.plan.problem import CLEAN_STATE, Ground

_PIECES_PER_LANE = (1, 4, 16, 64)
_CLOSE_ENOUGH = 1.02
_CLOSE_ENOUGH_OF_FEW = 1.002
_WORTH_CUTTING = 0.98
_FEW_PIECES = 200
"""Up to so many tests that no other takes with it, each is placed by itself."""

_MOST_PIECES = 1_024
_MOST_MEMBERS = 150_000
_SMALL = 2_000
_MOST_TRIALS = 150_000


def file_of(test: TestId) -> str:
    """The part of a pytest node id before the first `::`; module fixtures are shared by the tests that agree in it."""
    return test.partition("::")[0]


def make_plan(
    dependencies: Dependencies,
    workers: int,
    *,
    clean_state: float = CLEAN_STATE,
    group_of: Callable[[TestId], str] = file_of,
) -> Plan:
    """At most `workers` lanes in which every test runs at least once and does as it does in the reference order.

    Guarantees: each order follows the reference order inside, holds a test at most once, meets the needs of each test
    in it and lets no conflict strike a test that is expected to pass; the plan is predicted to take no longer than the
    reference order; the same arguments give the same plan. A test runs in two orders only where one of them could not
    do without it and no plan that keeps its dependents together was found to be as fast. With one worker nothing runs
    twice.

    - Dependencies that are not complete give a single lane with the reference order: pairs nobody has tried must stay
      in order, and no other order is known to be safe.
    - A test that crashed or timed out in the reference order runs last in an order of its own, after what it needs, at
      the end of a lane (whatever the above says of what runs twice): it would take the rest of an order down with it.
      While dependencies are not complete it runs after all that precedes it.
    - A test that only the reference order is known to be safe for (a need that nothing before it meets, a conflict that
      its own needs bring along and nothing known cleans) runs in an order that is the reference order's beginning.
    - A victim that fails in the reference order need not be spared, nor need its failure be brought about.

    Assumes that the dependencies hold for every subsequence of the reference order. Cost: nearly linear; well under two
    seconds for 10,000 tests.
    """
    return greedy_plan(Ground(dependencies, workers, clean_state), group_of)


def greedy_plan(ground: Ground, group_of: Callable[[TestId], str] = file_of) -> Plan:
    """As `make_plan`, for a caller that has the ground already."""
    sequential = ground.reference()
    if ground.is_open or ground.workers == 1:
        return sequential
    groups = [group_of(test) for test in ground.dependencies.suite.tests]
    lanes = [ground.orders(lane) for lane in _Greedy(ground, groups).lanes()]
    # The lane that ends last is relieved first of what others run too.
    lanes.sort(key=lambda lane: -sum(order.weight + ground.clean_state for order in lane))
    trimmed = iter(trim([order for lane in lanes for order in lane], ground.ties))
    parallel = ground.plan([[next(trimmed) for _ in lane] for lane in lanes], maker="greedy")
    # Orders kept apart for a conflict run things twice, which may cost more than lanes gain.
    return sequential if parallel.predicted_seconds > sequential.predicted_seconds else parallel


class _Greedy:
    def __init__(self, ground: Ground, groups: Sequence[str]) -> None:
        self._ground = ground
        self._groups = groups

    def lanes(self) -> list[list[Piece]]:
        ground = self._ground
        least = lower_bound(ground.dependencies, ground.workers)
        close_enough = _CLOSE_ENOUGH_OF_FEW if len(ground.targets) <= _FEW_PIECES else _CLOSE_ENOUGH
        enough = least * close_enough + ground.clean_state
        found: list[Layout] = []
        for pieces in self._cuts(found):
            found.append(placed(pieces, ground.weights, ground.workers, ground.clean_state, least))
            if found[-1].longest <= enough:
                break
        best = self._shortest(found)
        if best.longest > enough:
            # The finest cut has most to exchange.
            tried = {id(layout): layout for layout in (best, found[-1])}.values()
            most = _MOST_TRIALS if self._is_small else _MOST_TRIALS // 5
            found = [exchanged(layout, ground.workers, ground.clean_state, enough, most) for layout in tried]
            best = self._shortest(found)
        return [[best.pieces[number] for number in lane] for lane in best.lanes]

    def _shortest(self, layouts: Sequence[Layout]) -> Layout:
        """Where groups have several tests, a later layout, which is cut finer, must be worth it: what is cut runs
        module set-ups twice."""
        worth = _WORTH_CUTTING if len(set(self._groups)) < len(self._groups) else 1.0
        best = layouts[0]
        for layout in layouts[1:]:
            if layout.longest < best.longest * worth:
                best = layout
        return best

    @property
    def _is_small(self) -> bool:
        return len(self._ground.targets) <= _SMALL

    def _cuts(self, found: Sequence[Layout]) -> Iterator[list[Piece]]:
        """From coarse to fine, by groups and by what is needed; at last every test by itself if they are few. `found`
        is what came of the cuts so far: of a large suite, finer cuts are made only in the way that was the better one.
        Where tests take many others with them, finer pieces hold the same tests again and again: there it ends."""
        ground = self._ground
        ways: list[tuple[Sequence[int], Sequence[str]]] = [(ground.targets, self._groups)]
        if ground.ties.joined:
            ways.append(by_prerequisites(ground.ties, ground.targets, ground.scale, self._groups))
        for number, per_lane in enumerate(_PIECES_PER_LANE):
            if per_lane * ground.workers > _MOST_PIECES:
                break
            most = ground.work / (per_lane * ground.workers)
            for sequence, groups in ways:
                pieces = cut(ground.ties, sequence, ground.scale, most, groups)
                if number and sum(piece.members.bit_count() for piece in pieces) > _MOST_MEMBERS:
                    return
                yield ground.fixed + pieces
            if len(ways) > 1 and not self._is_small:
                ways = [ways[found[-1].longest <= found[-2].longest]]
        if len(ground.targets) <= _FEW_PIECES:
            yield ground.fixed + cut(ground.ties, ways[-1][0], ground.scale, 0.0, ways[-1][1])
