"""Local search: shortens a layout by moving and exchanging pieces between the longest lane and others."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from unknot.model.bits import WeightTable

_KICKS = 60
_EXPENSIVE_TO_WEIGH = 16
_LANES_TRIED = 8
"""The number of lanes, the shortest ones, that the longest lane may exchange pieces with."""


@dataclass(frozen=True)
class PieceCost:
    """What a piece costs a lane: `alone` seconds in any case, plus the shared atoms that the lane does not have yet."""

    alone: float
    atoms: int


@dataclass(frozen=True)
class _Unit:
    """Pieces of one lane that move together: one piece, or all that hold one atom. `rest` are the atoms that the lane
    has without them, `freed` the seconds that it saves."""

    pieces: tuple[int, ...]
    alone: float
    atoms: int
    rest: int
    freed: float


@dataclass
class _Lane:
    pieces: set[int] = field(default_factory=set)
    load: float = 0.0
    units: list[_Unit] | None = None


def exchange(
    lanes: Sequence[Sequence[int]],
    costs: Sequence[PieceCost],
    atoms: WeightTable,
    *,
    idle: float,
    enough: float,
    most_trials: int,
) -> tuple[float, float, list[tuple[int, ...]]]:
    """The end of the longest lane, the sum of all ends, and the lanes: of the same pieces, and the longest is no longer
    than before. `idle` is the cost of an empty lane.

    Descends to a layout that no single move or swap shortens. Then it perturbs the layout and descends again, until
    `enough` is reached or `most_trials` moves have been evaluated. The same arguments give the same lanes.
    """
    search = _Search(costs, atoms, idle, most_trials)
    search.begin(lanes)
    search.descend(enough)
    best = search.snapshot()
    dice = random.Random(len(costs))
    for _ in range(_KICKS):
        if best[0] <= enough or search.is_spent:
            break
        search.begin(best[2])
        search.shake(dice)
        search.descend(enough)
        best = min(best, search.snapshot(), key=lambda found: found[:2])
    return best


class _Search:
    def __init__(self, costs: Sequence[PieceCost], atoms: WeightTable, idle: float, most_trials: int) -> None:
        self._costs = costs
        self._scale = atoms
        self._idle = idle
        self._trials = most_trials
        self._weights = {0: 0.0}
        # Weighing a set of many atoms costs as much as many trials.
        self._price_of_weighing = max((cost.atoms.bit_length() for cost in costs), default=0) // 32
        self._lanes: list[_Lane] = []

    @property
    def is_spent(self) -> bool:
        return self._trials <= 0

    def begin(self, lanes: Sequence[Sequence[int]]) -> None:
        self._lanes = [_Lane(set(pieces)) for pieces in lanes]
        for lane in self._lanes:
            self._settle(lane)

    def snapshot(self) -> tuple[float, float, list[tuple[int, ...]]]:
        loads = [lane.load for lane in self._lanes]
        return max(loads, default=0.0), sum(loads), [tuple(sorted(lane.pieces)) for lane in self._lanes]

    def descend(self, enough: float) -> None:
        while not self.is_spent:
            longest = max(self._lanes, key=lambda lane: lane.load)
            others = sorted((lane for lane in self._lanes if lane is not longest), key=lambda lane: lane.load)
            if not others or longest.load <= enough:
                return
            if not self._relieve(longest, others[:_LANES_TRIED]):
                return

    def shake(self, dice: random.Random) -> None:
        for _ in range(dice.choice((2, 3, 4))):
            source, target = dice.sample(self._lanes, 2)
            if source.pieces:
                unit = dice.choice(self._units(source))
                self._apply(source, target, unit.pieces, ())

    def _relieve(self, longest: _Lane, others: Sequence[_Lane]) -> bool:
        """Applies the best move or swap, if one leaves both lanes shorter than the longest was."""
        best: tuple[float, float] = (longest.load * (1 - 1e-9), 0.0)
        found: tuple[_Lane, tuple[int, ...], tuple[int, ...]] | None = None
        for other in others:
            if self.is_spent:
                break
            for end, work, given, taken in self._trades(longest, other):
                if (end, work) < best:
                    best, found = (end, work), (other, given, taken)
        if found is None:
            return False
        self._apply(longest, *found)
        return True

    def _trades(self, longest: _Lane, other: _Lane) -> Iterator[tuple[float, float, tuple[int, ...], tuple[int, ...]]]:
        """The later end and the change of work of the two lanes after each trade, with the pieces given and taken."""
        whole = self._atoms_of(other.pieces)
        theirs = self._units(other)
        for mine in self._units(longest):
            self._trials -= 1 + len(theirs)
            added = mine.alone + self._weigh(mine.atoms & ~whole)
            yield max(longest.load - mine.freed, other.load + added), added - mine.freed, mine.pieces, ()
            for yours in theirs:
                gone = mine.freed - yours.alone - self._weigh(yours.atoms & ~mine.rest)
                if gone <= 0:
                    continue
                come = mine.alone + self._weigh(mine.atoms & ~yours.rest) - yours.freed
                yield max(longest.load - gone, other.load + come), come - gone, mine.pieces, yours.pieces

    def _units(self, lane: _Lane) -> list[_Unit]:
        if lane.units is None:
            families: set[tuple[int, ...]] = {(piece,) for piece in lane.pieces}
            if self._price_of_weighing <= _EXPENSIVE_TO_WEIGH:
                families.update(self._families(lane))
            lane.units = [self._unit(lane, pieces) for pieces in sorted(families)]
            self._trials -= len(families) * len(lane.pieces) // 8
        return lane.units

    def _families(self, lane: _Lane) -> Iterator[tuple[int, ...]]:
        holders: dict[int, list[int]] = {}
        for piece in sorted(lane.pieces):
            atoms = self._costs[piece].atoms
            while atoms:
                low = atoms & -atoms
                holders.setdefault(low, []).append(piece)
                atoms ^= low
        yield from (tuple(pieces) for pieces in holders.values())

    def _unit(self, lane: _Lane, pieces: tuple[int, ...]) -> _Unit:
        rest = self._atoms_of(lane.pieces.difference(pieces))
        atoms = self._atoms_of(pieces)
        alone = sum(self._costs[piece].alone for piece in pieces)
        return _Unit(pieces, alone, atoms, rest, alone + self._weigh(atoms & ~rest))

    def _apply(self, source: _Lane, target: _Lane, given: Sequence[int], taken: Sequence[int]) -> None:
        for lane, leave, enter in ((source, given, taken), (target, taken, given)):
            lane.pieces.difference_update(leave)
            lane.pieces.update(enter)
            self._settle(lane)

    def _settle(self, lane: _Lane) -> None:
        alone = sum(self._costs[piece].alone for piece in sorted(lane.pieces))
        lane.load = self._idle + alone + self._weigh(self._atoms_of(lane.pieces))
        lane.units = None

    def _atoms_of(self, pieces: Iterable[int]) -> int:
        held = 0
        for piece in pieces:
            held |= self._costs[piece].atoms
        return held

    def _weigh(self, atoms: int) -> float:
        weight = self._weights.get(atoms)
        if weight is None:
            weight = self._weights[atoms] = self._scale.weigh(atoms)
            self._trials -= self._price_of_weighing
        return weight
