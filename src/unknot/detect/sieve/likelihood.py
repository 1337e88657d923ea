"""How likely each suspicion is, as far as runs tell: a guide for what to ask, never a reason to claim anything.

A pair's chance is the dependent's rate (how often leaving a suspect out made it fail) times the suspect's popularity
(how many need it, compared with others); where the dependent is known to need one of a few, the chance is shared out
among them. Chances are kept as *weights*, -ln(1 - chance), which add up when several are left out: the dependent then
passes with probability e^-weight.

Pairs between which something was recorded to flow are a class of their own: how often leaving such a one out made its
dependent fail is learned apart from the rest. So a good recording soon counts for much, and a useless one for nothing.
"""

import math
from collections.abc import Sequence

from unknot.detect.sieve.elimination import Suspicions
from unknot.model.bits import positions

_MOST_CHANCE = 0.98
_MOST_POPULAR, _LEAST_POPULAR = 50.0, 0.02

_INERTIA = 100.0
"""A test's own rate counts as much as everyone's after so many of its suspects were left out."""

_RANK_EVERY = 4
"""Popularity changes slowly, and takes as long to find out as what to ask next."""

_EXPECTED_NEEDS = 1.0
"""In the whole suite, before anything is known."""

_RECORDED_LEFT_OUT, _RECORDED_HITS = 4.0, 2.0
"""Before anything is known, every other pair between which something flows is taken to be a need, and this belief is
worth so many trials."""

_BELIEVED = 0.6
"""From this share on of flows that are needs, one order for each test whose work is found, which is its proof too, is
less than finding out by leaving out several."""


class Likelihood:
    """`weight(t, c)` for the suspicions as they stand at the last `refresh`. `recorded[t]` are those whose work t was
    seen to find."""

    def __init__(self, suspicions: Suspicions, recorded: Sequence[int] = ()) -> None:
        size = suspicions.size
        self._known = suspicions
        self._recorded = recorded or [0] * size
        self._has_recorded = any(self._recorded)
        self._recorded_left_out = _RECORDED_LEFT_OUT
        self._recorded_hits = _RECORDED_HITS
        self._recorded_weight = 0.0
        self._left_out = [0.0] * size
        self._hits = [0.0] * size
        self._all_left_out = float(size)
        self._all_hits = _EXPECTED_NEEDS
        self._least = 0.4 / size
        self._rates = [0.0] * size
        self._popularity = [1.0] * size
        self._shared: list[dict[int, float]] = [{} for _ in range(size)]
        self._refreshed = 0

    @property
    def believes_recording(self) -> bool:
        """Whether what flows is needed so often that a flow may be taken for a need until it is tried."""
        return self._has_recorded and self._recorded_hits >= _BELIEVED * self._recorded_left_out

    def weight(self, test: int, suspect: int) -> float:
        shared = self._shared[test].get(suspect)
        return self._plain(test, suspect) if shared is None else shared

    def _plain(self, test: int, suspect: int) -> float:
        if self._recorded[test] >> suspect & 1:
            return self._recorded_weight
        return max(self._least, self._rates[test] * self._popularity[suspect])

    def saw(self, test: int, left_out: int, weight: float, *, passed: bool) -> None:
        """These suspects of the test, a bitset, were left out, of this weight together."""
        recorded = (left_out & self._recorded[test]).bit_count()
        others = left_out.bit_count() - recorded
        self._left_out[test] += others
        self._all_left_out += others
        self._recorded_left_out += recorded
        if not passed:
            # How many of them it needs, on average, given that it needs at least one.
            hits = weight / (1 - math.exp(-weight)) if weight > 0 else 1.0
            share = min(1.0, recorded * self._recorded_weight / weight) if weight > 0 else 0.0
            self._recorded_hits += hits * share
            self._hits[test] += hits * (1 - share)
            self._all_hits += hits * (1 - share)

    def refresh(self) -> None:
        """Cost: linear in the suspicions that stand."""
        chance = min(_MOST_CHANCE, self._recorded_hits / self._recorded_left_out)
        self._recorded_weight = max(self._least, -math.log1p(-chance))
        general = self._all_hits / self._all_left_out
        for test in range(self._known.size):
            self._rates[test] = (_INERTIA * general + self._hits[test]) / (_INERTIA + self._left_out[test])
            self._shared[test] = self._share(test) if self._known.either[test] else {}
        if self._refreshed % _RANK_EVERY == 0:
            self._rank()
        self._refreshed += 1

    def row(self, test: int) -> dict[int, float]:
        """The weights of all suspects of the test."""
        rate, least, popularity = self._rates[test], self._least, self._popularity
        suspects, recorded = self._known.suspects[test], self._recorded[test]
        plain = {suspect: rate * popularity[suspect] for suspect in positions(suspects & ~recorded)}
        flowing = dict.fromkeys(positions(suspects & recorded), self._recorded_weight)
        return {suspect: max(least, weight) for suspect, weight in plain.items()} | flowing | self._shared[test]

    def _share(self, test: int) -> dict[int, float]:
        """The chances of those of whom the test needs one, shared out in proportion."""
        missed: dict[int, float] = {}
        for group in self._known.either[test]:
            members = list(positions(group))
            chances = [1 - math.exp(-self._plain(test, member)) for member in members]
            whole = sum(chances)
            for member, chance in zip(members, chances, strict=True):
                missed[member] = missed.get(member, 1.0) * (1 - min(_MOST_CHANCE, chance / whole))
        return {member: -math.log(max(1 - _MOST_CHANCE, left)) for member, left in missed.items()}

    def _rank(self) -> None:
        """Popularity: how many need it, known or likely, as a share of those who could, compared with the average."""
        known = self._known
        size = known.size
        likely = [float(known.needed_by[test].bit_count()) for test in range(size)]
        for test in range(size):
            for suspect, weight in self.row(test).items():
                likely[suspect] += 1 - math.exp(-weight)
        possible = size * (size - 1) / 2
        average = max(sum(likely) / possible, 1e-6) if possible else 1.0
        for suspect in range(size):
            share = (likely[suspect] + 1.0) / (size - suspect + 1.0 / average)
            self._popularity[suspect] = min(_MOST_POPULAR, max(_LEAST_POPULAR, share / average))
