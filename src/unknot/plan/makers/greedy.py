"""The default maker: one order per lane where conflicts allow, filled longest first, then improved by exchanges.

Shared prerequisites run again in several lanes where that makes the plan faster.
"""

from collections.abc import Callable, Iterator, Sequence

from unknot.model.dependencies import Dependencies
from unknot.model.plan import Plan
from unknot.model.suite import TestId
from unknot.plan.bound import lower_bound
from unknot.plan.makers.layout import Layout, improve_layout, place_pieces
from unknot.plan.makers.pieces import Piece, by_prerequisites, cut, trim
from unknot.plan.problem import CLEAN_STATE, PlanningProblem

_PIECES_PER_LANE = (1, 4, 16, 64)
_CLOSE_ENOUGH = 1.02
_CLOSE_ENOUGH_OF_FEW = 1.002
_WORTH_CUTTING = 0.98
_FEW_PIECES = 200
"""Up to this many tests, each closure is placed by itself."""

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

    Guarantees: each order follows the reference order, holds a test at most once, meets the needs of each test in it
    and lets no conflict strike a test that is expected to pass. The plan is predicted to take no longer than the
    reference order. The same arguments give the same plan. A test runs in two orders only if both need it and no
    equally fast plan was found that keeps its dependents together. With one worker no test runs twice.

    - Incomplete dependencies give a single lane with the reference order: untried pairs must stay in order, and no
      other order is known to be safe.
    - A test that crashed or timed out in the reference order runs last in an order of its own, after its needs, at the
      end of a lane, because it would end the rest of an order with it. This overrides the rule about tests that run
      twice. While dependencies are incomplete, it runs after all that precede it.
    - Some tests are known to be safe only in the reference order: they have a need that no earlier test meets, or their
      own needs include a conflict without a known cleaner. Such a test runs in a prefix of the reference order.
    - A victim that fails in the reference order is not protected, and its failure is not reproduced either.

    Assumes that the dependencies hold for every subsequence of the reference order. Cost: nearly linear; well under two
    seconds for 10,000 tests.
    """
    return greedy_plan(PlanningProblem(dependencies, workers, clean_state), group_of)


def greedy_plan(problem: PlanningProblem, group_of: Callable[[TestId], str] = file_of) -> Plan:
    """Like `make_plan`, for a caller that already has the problem."""
    sequential = problem.reference()
    if problem.is_incomplete or problem.workers == 1:
        return sequential
    groups = [group_of(test) for test in problem.dependencies.suite.tests]
    lanes = [problem.orders(lane) for lane in _Greedy(problem, groups).lanes()]
    # The lane that ends last is trimmed first.
    lanes.sort(key=lambda lane: -sum(order.weight + problem.clean_state for order in lane))
    trimmed = iter(trim([order for lane in lanes for order in lane], problem.constraints))
    parallel = problem.plan([[next(trimmed) for _ in lane] for lane in lanes], maker="greedy")
    # Orders separated because of a conflict run some tests twice, which may cost more than parallel lanes gain.
    return sequential if parallel.predicted_seconds > sequential.predicted_seconds else parallel


class _Greedy:
    def __init__(self, problem: PlanningProblem, groups: Sequence[str]) -> None:
        self._problem = problem
        self._groups = groups

    def lanes(self) -> list[list[Piece]]:
        problem = self._problem
        least = lower_bound(problem.dependencies, problem.workers)
        close_enough = _CLOSE_ENOUGH_OF_FEW if len(problem.targets) <= _FEW_PIECES else _CLOSE_ENOUGH
        enough = least * close_enough + problem.clean_state
        found: list[Layout] = []
        for pieces in self._cuts(found):
            found.append(place_pieces(pieces, problem.weights, problem.workers, problem.clean_state, least))
            if found[-1].longest <= enough:
                break
        best = self._shortest(found)
        if best.longest > enough:
            # The finest cut has most pieces to exchange.
            tried = {id(layout): layout for layout in (best, found[-1])}.values()
            most = _MOST_TRIALS if self._is_small else _MOST_TRIALS // 5
            found = [improve_layout(layout, problem.workers, problem.clean_state, enough, most) for layout in tried]
            best = self._shortest(found)
        return [[best.pieces[number] for number in lane] for lane in best.lanes]

    def _shortest(self, layouts: Sequence[Layout]) -> Layout:
        """If groups have several tests, a later layout, which is cut finer, must be clearly faster: a group that is cut
        runs its module fixtures twice."""
        worth = _WORTH_CUTTING if len(set(self._groups)) < len(self._groups) else 1.0
        best = layouts[0]
        for layout in layouts[1:]:
            if layout.longest < best.longest * worth:
                best = layout
        return best

    @property
    def _is_small(self) -> bool:
        return len(self._problem.targets) <= _SMALL

    def _cuts(self, found: Sequence[Layout]) -> Iterator[list[Piece]]:
        """From coarse to fine, by groups and by prerequisites; finally every test by itself if there are few. `found`
        has the layouts of the cuts so far: for a large suite, finer cuts are made only in the way that was better.
        Stops when tests have so many prerequisites that finer pieces would hold the same tests again and again."""
        problem = self._problem
        ways: list[tuple[Sequence[int], Sequence[str]]] = [(problem.targets, self._groups)]
        if problem.constraints.included:
            ways.append(by_prerequisites(problem.constraints, problem.targets, problem.scale, self._groups))
        for number, per_lane in enumerate(_PIECES_PER_LANE):
            if per_lane * problem.workers > _MOST_PIECES:
                break
            most = problem.work / (per_lane * problem.workers)
            for sequence, groups in ways:
                pieces = cut(problem.constraints, sequence, problem.scale, most, groups)
                if number and sum(piece.members.bit_count() for piece in pieces) > _MOST_MEMBERS:
                    return
                yield problem.fixed + pieces
            if len(ways) > 1 and not self._is_small:
                ways = [ways[found[-1].longest <= found[-2].longest]]
        if len(problem.targets) <= _FEW_PIECES:
            yield problem.fixed + cut(problem.constraints, ways[-1][0], problem.scale, 0.0, ways[-1][1])
