"""Conjectures about what the tests of a suite need: a guide for which order to run next, never a reason for a claim.

A particle is one complete conjecture: for every test the needs that explain all its failures so far, few rather than
many, each with its own needs. Where the particles agree, a short order can confirm them all; where they differ, an
order with tests left out can decide. They say nothing about needs that no failure has hinted at: for those there is a
rate, the share of all pairs decided so far that turned out to be needs.
"""

import math
import random
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from operator import and_

from unknot.detect.sieve.elimination import Elimination
from unknot.model.bits import positions

_RECORDED = 20.0
"""How many times more likely a recorded flow makes a need."""

_LISTED_NEEDS = 2.0
"""So many of the flows recorded for a brittle test are presumed to be needs, but at most half of them, ..."""
_WEIGHT = 2.0
"""... and that counts as much as so many flows that were tried."""

_SHARES = (1.0, 0.875, 0.75, 0.5, 0.25, 0.125, 0.0625, 0.0)
"""Each particle takes such a share of the recorded flows for needs: about as many as turned out to be."""

_LEAST = 0.4
"""Needs that no failure has hinted at, for each test, at least."""

_POPULAR = 1.0
"""So much more likely does each test that needs it make a test to be needed by another; one that none needs has 1."""

_FEWER = 3.0
"""How many times more likely it is that one need explains a further failure than that there is another need."""


class Particles:
    """`rows[p][t]`: all that t needs according to particle p. `dependents[p][c]`: the tests that need c. `rate`: how
    likely a need is that no particle has. `recorded[t]` are the tests whose state t has read; `brittle` the tests that
    probably need some other, as a bitset."""

    def __init__(
        self, elimination: Elimination, recorded: Sequence[int], brittle: int, count: int, chance: random.Random
    ) -> None:
        size = elimination.size
        self._elimination = elimination
        self._recorded = recorded
        self._brittle = brittle
        self._chance = chance
        self._chosen = [[0] * size for _ in range(count)]
        self._drawn = [[_nested(row, chance) for row in recorded] for _ in range(count)]
        self.count = count
        self.rows = [[0] * size for _ in range(count)]
        self.dependents = [[0] * size for _ in range(count)]
        self.rate = 0.0

    def refresh(self) -> None:
        """Makes every particle agree with what was learned. Cost: a few operations on ints of n bits for each test with
        candidates and each particle, more for those that no longer agree."""
        known = self._elimination
        pairs = known.size * (known.size - 1) // 2
        left = sum(map(int.bit_count, known.candidates))
        needs = sum(map(int.bit_count, known.confirmed))
        self.rate = max(_LEAST / known.size, (needs + 1.0) / (pairs - left + known.size))
        share = self._share_of_flows()
        confirmed = [1.0 + _POPULAR * row.bit_count() for row in known.needed_by]
        undecided = [test for test, candidates in enumerate(known.candidates) if candidates]
        for chosen, drawn, rows, dependents in zip(self._chosen, self._drawn, self.rows, self.dependents, strict=True):
            popularity = list(confirmed)
            presumed = {test: drawn[test][share] & known.candidates[test] for test in undecided if self._recorded[test]}
            for test, row in presumed.items():
                chosen[test] |= row
            for test in undecided:
                for needed in positions(chosen[test]):
                    popularity[needed] += _POPULAR
            rows[:] = known.confirmed
            dependents[:] = known.needed_by
            for test in undecided:
                before = chosen[test]
                chosen[test], rows[test] = self._agreeing(test, before, presumed.get(test, 0), rows, popularity)
                for needed in positions(chosen[test] & ~before):
                    popularity[needed] += _POPULAR
                for needed in positions(rows[test] & known.candidates[test]):
                    dependents[needed] |= 1 << test

    def _share_of_flows(self) -> int:
        """How often recorded flows of tests that need some other turned out to be needs, as a place in `_SHARES`. At
        first, the longer the list, the less it says: to name all that is possible is to name nothing."""
        known = self._elimination
        needs = tried = listed = brittle = 0
        for test, recorded in enumerate(self._recorded):
            if recorded and (known.possible(test) or known.irregular >> test & 1):
                brittle += 1
                listed += recorded.bit_count()
                needs += (recorded & known.confirmed[test]).bit_count()
                tried += (recorded & ~known.candidates[test]).bit_count()
        if not listed:
            return len(_SHARES) - 1
        expected = min(0.5, _LISTED_NEEDS * brittle / listed)
        share = (needs + _WEIGHT * expected) / (tried + _WEIGHT)
        return min(range(len(_SHARES)), key=lambda place: abs(_SHARES[place] - share))

    def _agreeing(
        self, test: int, chosen: int, presumed: int, rows: list[int], popularity: Sequence[float]
    ) -> tuple[int, int]:
        """The needs chosen before as far as they are still possible and explain something, with more of them if they
        do not explain every failure; and the same with what these need in turn."""
        known = self._elimination
        possible = known.possible(test)
        groups = known.one_of[test]
        if not groups and self._brittle >> test & 1 and not known.confirmed[test]:
            groups = [possible]
        row, kept = known.confirmed[test], 0
        for needed in positions(chosen & known.candidates[test]):
            own = rows[needed] | 1 << needed
            explains = any(group & own and not group & row for group in groups)
            if not own & ~possible and (explains or presumed >> needed & 1):
                kept |= 1 << needed
                row |= own
        unmet = sorted((group for group in groups if not group & row), key=int.bit_count)
        while unmet:
            options = list(positions(unmet[0]))
            options = [option for option in options if not rows[option] & ~possible] or options
            weights = [
                popularity[option]
                * (_RECORDED if self._recorded[test] >> option & 1 else 1.0)
                * _FEWER ** sum(1 for group in unmet if group & (rows[option] | 1 << option))
                for option in options
            ]
            (needed,) = self._chance.choices(options, weights)
            kept |= 1 << needed
            row |= (rows[needed] | 1 << needed) & possible
            unmet = [group for group in unmet if not group & row]
        return kept, row

    @property
    def needs(self) -> int:
        """How many needs there are according to the first particle, those aside that follow from others."""
        rows = self.rows[0]
        direct = 0
        for row in rows:
            brought = 0
            for needed in positions(row):
                brought |= rows[needed]
            direct += (row & ~brought).bit_count()
        return direct

    def usual_row(self, test: int) -> tuple[int, float]:
        """What most particles say that the test needs; and how likely that is all of it."""
        row, votes = Counter(rows[test] for rows in self.rows).most_common(1)[0]
        others = (self._elimination.candidates[test] & ~row).bit_count()
        return row, votes / self.count * math.exp(-self.rate * others)

    def information(self, votes: int, missing: int) -> float:
        """The average information, in bits, from the outcome of a test that fails according to so many particles, and
        of whose candidates so many are missing."""
        return _entropy(1 - (1 - votes / self.count) * math.exp(-self.rate * missing))

    def uncertainty(self, test: int) -> float:
        """The information, in bits, that is left in the candidates of this test, each taken for itself."""
        candidates = self._elimination.candidates[test]
        votes = Counter(needed for rows in self.rows for needed in positions(rows[test] & candidates))
        rest = candidates.bit_count() - len(votes)
        return sum(self.information(count, 1) for count in votes.values()) + rest * self.information(0, 1)


def _entropy(share: float) -> float:
    """Nothing if the outcome is certain."""
    return -(share * math.log2(share) + (1 - share) * math.log2(1 - share)) if 0.0 < share < 1.0 else 0.0


def _nested(row: int, chance: random.Random) -> tuple[int, ...]:
    """For each of `_SHARES` about that share of the row; each of these has the next one in it."""
    if not row:
        return (0,) * len(_SHARES)
    size = row.bit_length()
    half, *more = (chance.getrandbits(size) for _ in range(6))
    larger = (row & (half | more[0] | more[1]), row & (half | more[0]))
    return (row, *larger, *(row & part for part in accumulate((half, *more[2:5]), and_)), 0)
