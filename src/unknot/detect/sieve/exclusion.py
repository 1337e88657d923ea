"""Which tests to leave out of an order, so that its outcomes tell most."""

from unknot.detect.sieve.elimination import Elimination
from unknot.detect.sieve.particles import Particles
from unknot.model.bits import positions

_SURE = 2.0
"""How many bits more a failure is worth if a single candidate is missing: it is a need then, and no clue to one."""

_WORTHWHILE = 0.5

_EXPECTED = 1.0
"""How many tests must be expected to fail for one test to be left out alone."""
"""A further order joins a batch if it gives at least this share of the information of the first."""


def informative_exclusions(
    known: Elimination, particles: Particles, voters: int, most: int, *, single: bool
) -> list[int]:
    """Up to so many sets of tests to leave out, disjoint, the most informative first. `voters` are the tests whose
    outcomes count. With `single`, one test is left out at a time as long as others are expected to fail without it.
    Cost: for each set, the votes of all particles about all candidates, twice."""
    columns = [candidate for candidate in range(known.size) if known.candidate_of[candidate] & voters]
    chosen: list[int] = []
    first = 0.0
    for _ in range(most):
        exclusion = _Exclusion(known, particles, voters)
        exclusion.fill(columns, single=single)
        if chosen and exclusion.gain < first * _WORTHWHILE:
            break
        first = first or exclusion.gain
        chosen.append(exclusion.excluded)
        columns = [candidate for candidate in columns if not exclusion.excluded >> candidate & 1]
        if not columns:
            break
    return chosen


class _Exclusion:
    """Grows greedily: the candidate whose absence tells most, then each other that adds to it. Expected bits, with the
    outcomes of tests taken as independent. A test that is left out, or is known to need one that is, tells nothing."""

    def __init__(self, known: Elimination, particles: Particles, voters: int) -> None:
        self._known = known
        self._particles = particles
        self._voters = voters
        self._failing = [0] * particles.count
        self._votes = [0] * known.size
        self._missing = [0] * known.size
        self._value = [0.0] * known.size
        # An order gives one outcome per test: without this, tests with many needs would be left to the end.
        self._worth = {test: particles.uncertainty(test) for test in positions(voters)}
        self.excluded = 0
        self.gain = 0.0

    def fill(self, columns: list[int], *, single: bool) -> None:
        alone = {candidate: self._gain(candidate, {}) for candidate in columns}
        first = max(columns, key=lambda one: alone[one])
        if single and sum(self._new_votes(first).values()) >= _EXPECTED * self._particles.count:
            columns = [first]
        for candidate in sorted(columns, key=lambda one: -alone[one]):
            values: dict[int, float] = {}
            gain = self._gain(candidate, values)
            if not self.excluded or gain > 0:
                self._add(candidate, values)
                self.gain += gain

    def _gain(self, candidate: int, values: dict[int, float]) -> float:
        """What leaving this one out, too, adds; `values` receives what each outcome is then worth."""
        known = self._known
        votes = self._new_votes(candidate)
        total = 0.0
        for test in positions(known.candidate_of[candidate] & self._voters):
            values[test] = value = self._worth[test] * self._value_of(
                self._votes[test] + votes.get(test, 0), self._missing[test] + 1
            )
            total += value - self._value[test]
        for test in positions((known.needed_by[candidate] | 1 << candidate) & self._voters):
            total -= self._value[test]
        return total

    def _new_votes(self, candidate: int) -> dict[int, int]:
        votes: dict[int, int] = {}
        for dependents, failing in zip(self._particles.dependents, self._failing, strict=True):
            for test in positions(dependents[candidate] & self._voters & ~failing):
                votes[test] = votes.get(test, 0) + 1
        return votes

    def _value_of(self, votes: int, missing: int) -> float:
        value = self._particles.information(votes, missing)
        return value + _SURE * votes / self._particles.count if missing == 1 else value

    def _add(self, candidate: int, values: dict[int, float]) -> None:
        for test, votes in self._new_votes(candidate).items():
            self._votes[test] += votes
        for test, value in values.items():
            self._missing[test] += 1
            self._value[test] = value
        self.excluded |= 1 << candidate
        self._failing = [
            failing | dependents[candidate]
            for failing, dependents in zip(self._failing, self._particles.dependents, strict=True)
        ]
        self._voters &= ~(self._known.needed_by[candidate] | 1 << candidate)
