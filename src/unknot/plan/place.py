"""Shares pieces out over lanes: longest first, each to where it ends soonest, counting work that a lane already has."""

from collections.abc import Sequence
from dataclasses import dataclass

from unknot.model.bits import bits
from unknot.plan.pieces import Piece
from unknot.plan.wide import Scale, members


@dataclass(frozen=True)
class Layout:
    """`lanes[i]` are indices into the pieces. `longest` is the last lane's end, `work` the sum over all lanes."""

    lanes: tuple[tuple[int, ...], ...]
    longest: float
    work: float


def place_pieces(pieces: Sequence[Piece], weights: Sequence[float], workers: int, clean_state: float) -> Layout:
    """The best of several tries: shortest, then least work, which is fewest seconds run twice.

    The first try puts every piece where it ends soonest. Where pieces share tests, more tries aim at an end and put a
    piece where most of it is already, as long as it ends by then: the first try's own end takes out duplicates that
    gain nothing, the ends near work / workers those that only spread. Cost: tries * pieces * workers at most.
    """
    shared = _Shared.of(pieces, weights)
    tries = [_try(pieces, shared, workers, clean_state, aim=0.0)]
    if shared.surplus:
        even = sum(piece.weight for piece in pieces) - shared.surplus
        aims = [tries[0].longest, *(clean_state + even / workers * slack for slack in (1.0, 1.02, 1.05, 1.1, 1.2))]
        tries += [_try(pieces, shared, workers, clean_state, aim) for aim in aims]
    return min(tries, key=lambda layout: (layout.longest, layout.work))


@dataclass(frozen=True)
class _Shared:
    """Tests that are in several joinable pieces, as atoms: sets of tests that are in exactly the same pieces.
    `of_piece[i]` is the bitset of the atoms in piece i; `surplus` is what a sum over all pieces counts again."""

    scale: Scale
    of_piece: list[int]
    surplus: float

    @staticmethod
    def of(pieces: Sequence[Piece], weights: Sequence[float]) -> "_Shared":
        once = twice = 0
        for piece in pieces:
            if piece.joins_freely:
                twice |= once & piece.members
                once |= piece.members
        holders: dict[int, list[int]] = {}
        for number, piece in enumerate(pieces):
            if piece.joins_freely:
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
        return _Shared(Scale(list(atoms.values())), [bits(atoms) for atoms in atoms_of], surplus)


def _try(pieces: Sequence[Piece], shared: _Shared, workers: int, clean_state: float, aim: float) -> Layout:
    # A lane's joined pieces are one order with one clean state, paid here beforehand: nearly every lane has one.
    ends = [clean_state] * workers
    atoms = [0] * workers
    lanes: list[list[int]] = [[] for _ in range(workers)]
    for number in sorted(range(len(pieces)), key=lambda number: -pieces[number].weight):
        piece, wanted = pieces[number], shared.of_piece[number]
        lane, seconds = ends.index(min(ends)), piece.weight
        if not piece.joins_freely:
            seconds += clean_state
        elif wanted:
            lane, seconds = _best_lane(piece, wanted, shared.scale, ends, atoms, aim)
            atoms[lane] |= wanted
        ends[lane] += seconds
        lanes[lane].append(number)
    busy = [end for end, lane in zip(ends, lanes, strict=True) if lane]
    return Layout(tuple(tuple(lane) for lane in lanes if lane), max(busy, default=0.0), sum(busy))


def _best_lane(
    piece: Piece, wanted: int, scale: Scale, ends: Sequence[float], atoms: Sequence[int], aim: float
) -> tuple[int, float]:
    """The lane that must do least for this piece among those done by `aim`; if none is, the one done soonest."""
    best: tuple[bool, float, float, int] | None = None
    weight_of = {0: 0.0}
    for lane, end in enumerate(ends):
        had = wanted & atoms[lane]
        if had not in weight_of:
            weight_of[had] = scale.weigh(had)
        seconds = piece.weight - weight_of[had]
        late = end + seconds > aim
        rank = (late, end + seconds, seconds, lane) if late else (late, seconds, end, lane)
        if best is None or rank < best:
            best = rank
            chosen, added = lane, seconds
    return chosen, added
