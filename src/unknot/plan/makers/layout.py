"""Distributes pieces over lanes: longest first, each to the lane where it ends soonest, given the work already
there."""

from collections.abc import Sequence
from dataclasses import dataclass

from unknot.model.bits import WeightTable, bits, members
from unknot.plan.makers.exchange import PieceCost, exchange
from unknot.plan.makers.pieces import Piece

_MANY = 4_000
"""Pieces times workers, above which fewer target ends are tried."""


@dataclass(frozen=True)
class Layout:
    """`lanes[i]` are indices into the pieces. `longest` is the last lane's end, `work` the sum over all lanes."""

    pieces: Sequence[Piece]
    shared: "SharedTests"
    lanes: tuple[tuple[int, ...], ...]
    longest: float
    work: float


def place_pieces(
    pieces: Sequence[Piece], weights: Sequence[float], workers: int, clean_state: float, least: float
) -> Layout:
    """The best of several tries: the shortest, then the one with least work, which is fewest seconds run twice. `least`
    is a lower bound in seconds.

    The first try places every piece where it ends soonest. If pieces share tests, further tries set a target end and
    place a piece where most of it already is, as long as it ends in time. The first try's own end removes duplicates
    that gain nothing; ends near the bound remove those that only spread work. Cost: at most tries * pieces * workers.
    """
    shared = SharedTests.of(pieces, weights)
    tries = [_try(pieces, shared, workers, clean_state, aim=0.0)]
    if shared.surplus:
        slacks = (1.0, 1.02, 1.05, 1.1, 1.2) if len(pieces) * workers <= _MANY else (1.02, 1.1)
        aims = [tries[0].longest, *(clean_state + least * slack for slack in slacks)]
        tries += [_try(pieces, shared, workers, clean_state, aim) for aim in aims]
    return min(tries, key=lambda layout: (layout.longest, layout.work))


def improve_layout(layout: Layout, workers: int, clean_state: float, enough: float, most_trials: int) -> Layout:
    """The layout after exchanging pieces between lanes: no longer than before."""
    shared, scale = layout.shared, WeightTable(layout.shared.weights)
    costs = [
        PieceCost(
            piece.weight - sum(shared.weights[atom] for atom in atoms) + (0.0 if piece.is_free else clean_state),
            bits(atoms),
        )
        for piece, atoms in zip(layout.pieces, shared.of_piece, strict=True)
    ]
    lanes = [*layout.lanes, *[()] * (workers - len(layout.lanes))]
    longest, work, lanes = exchange(lanes, costs, scale, idle=clean_state, enough=enough, most_trials=most_trials)
    return Layout(layout.pieces, shared, tuple(lane for lane in lanes if lane), longest, work)


@dataclass(frozen=True)
class SharedTests:
    """Tests that are in several free pieces, as atoms: sets of tests that are in exactly the same pieces. `of_piece[i]`
    lists the atoms in piece i; `surplus` is what a sum over all pieces counts more than once."""

    weights: list[float]
    of_piece: list[list[int]]
    surplus: float

    @staticmethod
    def of(pieces: Sequence[Piece], weights: Sequence[float]) -> "SharedTests":
        once = twice = 0
        for piece in pieces:
            if piece.is_free:
                twice |= once & piece.members
                once |= piece.members
        holders: dict[int, list[int]] = {}
        for number, piece in enumerate(pieces):
            if piece.is_free:
                for test in members(piece.members & twice):
                    holders.setdefault(test, []).append(number)
        atoms: dict[tuple[int, ...], float] = {}
        for test, numbers in holders.items():
            atoms[tuple(numbers)] = atoms.get(tuple(numbers), 0.0) + weights[test]
        atoms_of: list[list[int]] = [[] for _ in pieces]
        for atom, numbers_of_atom in enumerate(atoms):
            for number in numbers_of_atom:
                atoms_of[number].append(atom)
        surplus = sum((len(numbers) - 1) * weight for numbers, weight in atoms.items())
        return SharedTests(list(atoms.values()), atoms_of, surplus)


def _try(pieces: Sequence[Piece], shared: SharedTests, workers: int, clean_state: float, aim: float) -> Layout:
    # A lane's free pieces are one order with one clean state, counted in advance: nearly every lane has one.
    ends = [clean_state] * workers
    lanes_with: list[list[int]] = [[] for _ in shared.weights]
    lanes: list[list[int]] = [[] for _ in range(workers)]
    for number in sorted(range(len(pieces)), key=lambda number: -pieces[number].weight):
        piece, atoms = pieces[number], shared.of_piece[number]
        lane, seconds = ends.index(min(ends)), piece.weight
        if not piece.is_free:
            seconds += clean_state
        elif atoms:
            had = [0.0] * workers
            for atom in atoms:
                for place in lanes_with[atom]:
                    had[place] += shared.weights[atom]
            lane = _best_lane(piece.weight, had, ends, aim)
            seconds -= had[lane]
            for atom in atoms:
                if lane not in lanes_with[atom]:
                    lanes_with[atom].append(lane)
        ends[lane] += seconds
        lanes[lane].append(number)
    kept = tuple(tuple(lane) for lane in lanes if lane)
    busy = [end for end, lane in zip(ends, lanes, strict=True) if lane]
    return Layout(pieces, shared, kept, max(busy, default=0.0), sum(busy))


def _best_lane(weight: float, had: Sequence[float], ends: Sequence[float], aim: float) -> int:
    """The lane with the least extra work for a piece among those that end by `aim`; if none does, the one that ends
    soonest."""
    best: tuple[bool, float, float, int] | None = None
    for lane, end in enumerate(ends):
        seconds = weight - had[lane]
        late = end + seconds > aim
        rank = (late, end + seconds, seconds, lane) if late else (late, seconds, end, lane)
        if best is None or rank < best:
            best = rank
    assert best is not None
    return best[3]
