"""How likely each candidate is, as far as runs show: a guide for which order to run next, never a reason for a claim.

The probability of a pair is the rate of the dependent (how often it failed when a candidate was left out) times the
popularity of the candidate (how many tests need it, compared with others). If the dependent is known to need one of a
few, the probability is divided among them. Probabilities are kept as *weights*, -ln(1 - probability), which add up when
several candidates are left out: the dependent then passes with probability e^-weight.

Pairs with a recorded flow are a class of their own: how often their dependents fail is learned separately. So a good
recording soon counts for much, and a useless one for nothing.
"""

import math
from collections.abc import Sequence

from unknot.detect.sieve.elimination import Elimination
from unknot.model.bits import positions

_MAX_CHANCE = 0.98
_MAX_POPULAR, _MIN_POPULAR = 50.0, 0.02

_INERTIA = 100.0
"""The own rate of a test counts as much as the general rate after so many of its candidates were left out."""

_RANK_EVERY = 4
"""Popularity changes slowly, and takes as long to compute as the next order."""

_EXPECTED_NEEDS = 1.0
"""In the whole suite, before any run."""

_RECORDED_EXCLUDED, _RECORDED_HITS = 4.0, 2.0
"""Before any run, every second recorded flow is presumed to be a need, and this presumption is worth four trials."""

_TRUSTED_SHARE = 0.6
"""If at least this share of flows are needs, one order for each written test, which is its proof too, is cheaper than
leaving out several tests at once."""


class Likelihood:
    """`weight(t, c)` for the candidates as of the last `refresh`. `recorded[t]` are the tests whose state t has
    read."""

    def __init__(self, elimination: Elimination, recorded: Sequence[int] = ()) -> None:
        size = elimination.size
        self._elimination = elimination
        self._recorded = recorded or [0] * size
        self._has_recorded = any(self._recorded)
        self._recorded_excluded = _RECORDED_EXCLUDED
        self._recorded_hits = _RECORDED_HITS
        self._recorded_weight = 0.0
        self._excluded = [0.0] * size
        self._hits = [0.0] * size
        self._all_excluded = float(size)
        self._all_hits = _EXPECTED_NEEDS
        self._least = 0.4 / size
        self._rates = [0.0] * size
        self._popularity = [1.0] * size
        self._shared: list[dict[int, float]] = [{} for _ in range(size)]
        self._refreshed = 0

    @property
    def trusts_flows(self) -> bool:
        """Whether flows are needs so often that a flow counts as a need until it is tried."""
        return self._has_recorded and self._recorded_hits >= _TRUSTED_SHARE * self._recorded_excluded

    def weight(self, test: int, candidate: int) -> float:
        shared = self._shared[test].get(candidate)
        return self._plain(test, candidate) if shared is None else shared

    def _plain(self, test: int, candidate: int) -> float:
        if self._recorded[test] >> candidate & 1:
            return self._recorded_weight
        return max(self._least, self._rates[test] * self._popularity[candidate])

    def saw(self, test: int, excluded: int, weight: float, *, passed: bool) -> None:
        """These candidates of the test, a bitset, were left out, with this weight together."""
        recorded = (excluded & self._recorded[test]).bit_count()
        others = excluded.bit_count() - recorded
        self._excluded[test] += others
        self._all_excluded += others
        self._recorded_excluded += recorded
        if not passed:
            # How many of them it needs, on average, given that it needs at least one.
            hits = weight / (1 - math.exp(-weight)) if weight > 0 else 1.0
            share = min(1.0, recorded * self._recorded_weight / weight) if weight > 0 else 0.0
            self._recorded_hits += hits * share
            self._hits[test] += hits * (1 - share)
            self._all_hits += hits * (1 - share)

    def refresh(self) -> None:
        """Cost: linear in the remaining candidates."""
        chance = min(_MAX_CHANCE, self._recorded_hits / self._recorded_excluded)
        self._recorded_weight = max(self._least, -math.log1p(-chance))
        general = self._all_hits / self._all_excluded
        for test in range(self._elimination.size):
            self._rates[test] = (_INERTIA * general + self._hits[test]) / (_INERTIA + self._excluded[test])
            self._shared[test] = self._share(test) if self._elimination.one_of[test] else {}
        if self._refreshed % _RANK_EVERY == 0:
            self._rank()
        self._refreshed += 1

    def row(self, test: int) -> dict[int, float]:
        """The weights of all candidates of the test."""
        rate, least, popularity = self._rates[test], self._least, self._popularity
        candidates, recorded = self._elimination.candidates[test], self._recorded[test]
        plain = {candidate: rate * popularity[candidate] for candidate in positions(candidates & ~recorded)}
        flowing = dict.fromkeys(positions(candidates & recorded), self._recorded_weight)
        return {candidate: max(least, weight) for candidate, weight in plain.items()} | flowing | self._shared[test]

    def _share(self, test: int) -> dict[int, float]:
        """The probabilities of the tests of which this one needs one, divided in proportion."""
        missed: dict[int, float] = {}
        for group in self._elimination.one_of[test]:
            members = list(positions(group))
            chances = [1 - math.exp(-self._plain(test, member)) for member in members]
            whole = sum(chances)
            for member, chance in zip(members, chances, strict=True):
                missed[member] = missed.get(member, 1.0) * (1 - min(_MAX_CHANCE, chance / whole))
        return {member: -math.log(max(1 - _MAX_CHANCE, left)) for member, left in missed.items()}

    def _rank(self) -> None:
        """Popularity: how many tests need it, known or likely, as a share of those that could, compared with the
        average."""
        known = self._elimination
        size = known.size
        likely = [float(known.needed_by[test].bit_count()) for test in range(size)]
        for test in range(size):
            for candidate, weight in self.row(test).items():
                likely[candidate] += 1 - math.exp(-weight)
        possible = size * (size - 1) / 2
        average = max(sum(likely) / possible, 1e-6) if possible else 1.0
        for candidate in range(size):
            share = (likely[candidate] + 1.0) / (size - candidate + 1.0 / average)
            self._popularity[candidate] = min(_MAX_POPULAR, max(_MIN_POPULAR, share / average))
