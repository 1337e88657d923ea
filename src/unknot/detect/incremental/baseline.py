"""What an earlier detection still says about a suite that has changed since.

Idea
    What a test does after others depends on these tests alone. So whatever was found among tests that are all still
    there, and as they were, stays true wherever they stand now; what names any other test has to be looked at again.
Assumptions
    A test that is not said to have changed does the same as before, in the same company.
Guarantee
    Asks nothing. A proof is kept only if every test in both of its orders is as it was.
Cost
    Linear in the suites and in the proofs.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property

from unknot.detect.engine.findings import Clause, Pollution
from unknot.model.dependencies import Confidence, Conflict, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.suite import Suite, TestId


class Yesterday:
    """`outcomes` is what today's reference order gave; empty as long as it was not run. Positions are today's.

    `touched` are tests of which nothing is known: new, changed, or doing something else in the reference order now
    without having been known as a victim. `fallen` do not do as they did, and used to do well: each has lost whom it
    needs or met whom it does not bear. With `counts_moves`, a test that moved among the others is touched too.
    """

    def __init__(
        self,
        previous: Dependencies,
        today: Suite,
        changed: Collection[TestId],
        outcomes: Mapping[TestId, Outcome],
        *,
        counts_moves: bool,
    ) -> None:
        self._previous = previous
        self._today = today.tests
        self._index = today.index
        before = previous.suite.index
        altered = {test for test in today.tests if test not in before} | set(changed)
        if counts_moves:
            altered |= _moved([test for test in today.tests if test in before], before)
        self.fallen: list[int] = []
        flaky = set(previous.flaky)
        for test in today.tests:
            if test in altered or test in flaky or test not in outcomes or not self._differs(test, outcomes[test]):
                continue
            if outcomes[test].is_bad and not previous.outcomes[test].is_bad:
                self.fallen.append(self._index[test])
            else:
                altered.add(test)
        self.touched = frozenset(self._index[test] for test in altered if test in self._index)
        self.kept = frozenset(range(len(today))) - self.touched
        self.flaky = frozenset(self._index[test] for test in flaky if self.is_kept(test))
        self.has_lost_tests = any(test not in self._index for test in before)

    def _differs(self, test: TestId, outcome: Outcome) -> bool:
        """A victim is broken in one reference order and not in the next: that is nothing new about it."""
        before = self._previous.outcomes[test]
        if test in self._previous.conflicts_of and before.is_bad:
            return not outcome.is_bad and outcome is not Outcome.PASSED
        return outcome is not before

    def is_kept(self, test: TestId) -> bool:
        return test in self._index and self._index[test] in self.kept

    def wanted(self, position: int) -> Outcome:
        """What was expected of the test: what it did; of a victim that failed, that it passes. For kept tests."""
        test = self._today[position]
        return Outcome.PASSED if self.is_victim(position) else self._previous.outcomes[test]

    def is_victim(self, position: int) -> bool:
        """Whether it failed in the reference order only because others broke it."""
        test = self._today[position]
        return self._previous.outcomes[test].is_bad and test in self._previous.conflicts_of

    @property
    def confidence(self) -> Mapping[int, Confidence]:
        """Of tests that are kept."""
        return {self._index[test]: said for test, said in self._previous.confidence.items() if self.is_kept(test)}

    @cached_property
    def clauses(self) -> Mapping[int, tuple[Clause, ...]]:
        """What kept tests need, without those who are gone. Changed tests are still named; a clause may be empty."""
        found: dict[int, list[Clause]] = {}
        for need in self._previous.needs:
            if self.is_kept(need.dependent):
                clause = Clause(self._there(need.any_of), need.complete)
                known = found.setdefault(self._index[need.dependent], [])
                if clause.any_of not in {other.any_of for other in known}:
                    known.append(clause)
        return {test: tuple(clauses) for test, clauses in found.items()}

    @cached_property
    def need_proofs(self) -> Mapping[tuple[int, tuple[int, ...]], Proof]:
        """By dependent and clause."""
        found: dict[tuple[int, tuple[int, ...]], Proof] = {}
        for need in self._previous.needs:
            if self.is_kept(need.dependent) and self._shows(need):
                found[self._index[need.dependent], self._there(need.any_of)] = need.proof
        return found

    @cached_property
    def reasons_for_needs(self) -> Mapping[tuple[int, tuple[int, ...]], tuple[str, ...]]:
        """Why, as it was told, of needs among tests that are all kept."""
        kept = [need for need in self._previous.needs if all(map(self.is_kept, (need.dependent, *need.any_of)))]
        return {(self._index[need.dependent], self._there(need.any_of)): need.why for need in kept if need.why}

    @cached_property
    def reasons_for_conflicts(self) -> Mapping[tuple[int, tuple[int, ...]], tuple[str, ...]]:
        kept = self._standing_conflicts
        return {(self._index[c.victim], self._there(c.polluters)): c.why for c in kept if c.why}

    def _shows(self, need: Need) -> bool:
        """Whether its proof can still be run, and still has one of those who are left in it."""
        proof = need.proof
        return self._still_runs(proof) and any(option in proof.passes for option in need.any_of)

    @cached_property
    def pollutions(self) -> tuple[Pollution, ...]:
        """Who breaks kept victims, where all of them are kept; with those of the cleaners that are kept."""
        return tuple(self._pollution(conflict) for conflict in self._standing_conflicts)

    @cached_property
    def conflict_proofs(self) -> Mapping[tuple[int, tuple[int, ...]], Proof]:
        """By victim and polluters."""
        return {
            (self._index[conflict.victim], self._there(conflict.polluters)): conflict.proof
            for conflict in self._standing_conflicts
            if self._still_runs(conflict.proof)
        }

    @cached_property
    def _standing_conflicts(self) -> tuple[Conflict, ...]:
        return tuple(
            conflict
            for conflict in self._previous.conflicts
            if self.is_kept(conflict.victim) and all(map(self.is_kept, conflict.polluters))
        )

    def _pollution(self, conflict: Conflict) -> Pollution:
        # A cleaner may owe it to one that came along because it needed it.
        cleaners = [c for c in conflict.cleaners if all(map(self.is_kept, self._whoever_serves(c)))]
        return Pollution(
            self._index[conflict.victim],
            self._there(conflict.polluters),
            tuple(self._index[test] for test in conflict.proof.fails[:-1] if self.is_kept(test)),
            self._there(cleaners),
            conflict.complete and not any(self.is_kept(c) and c not in cleaners for c in conflict.cleaners),
        )

    def _whoever_serves(self, test: TestId) -> set[TestId]:
        """The test with everybody who may come along to serve it, by any choice."""
        found, fresh = {test}, [test]
        while fresh:
            for need in self._previous.needs_of.get(fresh.pop(), ()):
                fresh += [option for option in need.any_of if option not in found]
                found.update(need.any_of)
        return found

    def _still_runs(self, proof: Proof) -> bool:
        return all(map(self.is_kept, proof.passes)) and all(map(self.is_kept, proof.fails))

    def _there(self, tests: Iterable[TestId]) -> tuple[int, ...]:
        return tuple(sorted(self._index[test] for test in tests if test in self._index))


def _moved(tests: Sequence[TestId], before: Mapping[TestId, int]) -> set[TestId]:
    """As few tests as possible, without whom the others stand as they stood (a longest rising subsequence)."""
    ends: list[int] = []
    lengths: list[int] = []
    for test in tests:
        place = before[test]
        length = bisect_left(ends, place)
        ends[length : length + 1] = [place]
        lengths.append(length)
    moved: set[TestId] = set()
    wanted, bound = len(ends) - 1, len(before)
    for test, length in zip(reversed(tests), reversed(lengths), strict=True):
        if length == wanted and before[test] < bound:
            wanted, bound = wanted - 1, before[test]
        else:
            moved.add(test)
    return moved
