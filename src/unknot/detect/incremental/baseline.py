"""What an earlier detection still says about a suite that has changed since.

Idea
    What a test does after others depends on these tests alone. So whatever was found among tests that still exist
    unchanged stays true, wherever they are now; what names any other test has to be checked again.
Assumptions
    A test that is not listed as changed does the same as before, after the same tests.
Guarantee
    Runs nothing. A proof is kept only if every test in both of its orders is unchanged.
Cost
    Linear in the suites and in the proofs.
"""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property

from unknot.detect.engine.findings import Clause, Pollution
from unknot.model.dependencies import Confidence, Conflict, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.reason import Reason
from unknot.model.suite import Suite, TestId

Claim = tuple[int, tuple[int, ...]]
"""A dependent and one of its clauses; or a victim and its polluters."""


class BaselineFindings:
    """`outcomes` is the result of the current reference order; empty if it was not run. Positions are those of the
    current suite.

    `affected` are tests about which nothing is known: new, changed, or with another outcome in the reference order now
    without having been a known victim. `regressions` used to pass and do not: each has lost a prerequisite or runs
    after a polluter. With `counts_moves`, a test that moved among the others is affected too. A
    proof counts only if it `has_runs`."""

    def __init__(
        self,
        previous: Dependencies,
        suite: Suite,
        changed: Collection[TestId],
        outcomes: Mapping[TestId, Outcome],
        *,
        counts_moves: bool,
        has_runs: Callable[[Proof], bool] = lambda _: True,
    ) -> None:
        self._previous = previous
        self._has_runs = has_runs
        self._tests = suite.tests
        self._index = suite.index
        before = previous.suite.index
        altered = {test for test in suite.tests if test not in before} | set(changed)
        if counts_moves:
            altered |= _moved_tests([test for test in suite.tests if test in before], before)
        self.regressions: list[int] = []
        flaky = set(previous.flaky)
        for test in suite.tests:
            if (
                test in altered
                or test in flaky
                or test not in outcomes
                or not self._has_changed_outcome(test, outcomes[test])
            ):
                continue
            if outcomes[test].is_bad and not previous.outcomes[test].is_bad:
                self.regressions.append(self._index[test])
            else:
                altered.add(test)
        self.affected = frozenset(self._index[test] for test in altered if test in self._index)
        self.unchanged = frozenset(range(len(suite))) - self.affected
        self.flaky = frozenset(self._index[test] for test in flaky if self.is_unchanged(test))
        self.has_removed_tests = any(test not in self._index for test in before)

    def _has_changed_outcome(self, test: TestId, outcome: Outcome) -> bool:
        """A victim is broken in one reference order and not in the next, and a test that needs a later one is served in
        one and not in the next: that is no change."""
        before = self._previous.outcomes[test]
        if before.is_bad and self._has_claims(test):
            return not outcome.is_bad and outcome is not Outcome.PASSED
        return outcome is not before

    def is_unchanged(self, test: TestId) -> bool:
        return test in self._index and self._index[test] in self.unchanged

    def expected(self, position: int) -> Outcome:
        """The expected outcome: the previous one; passing, if it failed because of others. For unchanged tests."""
        test = self._tests[position]
        return Outcome.PASSED if self.failed_because_of_others(position) else self._previous.outcomes[test]

    def failed_because_of_others(self, position: int) -> bool:
        """Whether it failed in the reference order only because others broke it, or came after it."""
        test = self._tests[position]
        return self._previous.outcomes[test].is_bad and self._has_claims(test)

    def _has_claims(self, test: TestId) -> bool:
        return test in self._previous.conflicts_of or test in self._previous.needs_of

    @property
    def confidence(self) -> Mapping[int, Confidence]:
        """Of unchanged tests."""
        return {
            self._index[test]: confidence
            for test, confidence in self._previous.confidence.items()
            if self.is_unchanged(test)
        }

    @cached_property
    def _needs(self) -> list[tuple[Claim, Need]]:
        """Of unchanged dependents."""
        unchanged = (need for need in self._previous.needs if self.is_unchanged(need.dependent))
        return [((self._index[need.dependent], self._positions(need.any_of)), need) for need in unchanged]

    @cached_property
    def _conflicts(self) -> list[tuple[Claim, Conflict]]:
        """Of unchanged victims and unchanged polluters."""
        unchanged = (c for c in self._previous.conflicts if all(map(self.is_unchanged, (c.victim, *c.polluters))))
        return [((self._index[c.victim], self._positions(c.polluters)), c) for c in unchanged]

    @cached_property
    def clauses(self) -> Mapping[int, tuple[Clause, ...]]:
        """What unchanged tests need, without removed tests. Changed tests are still named; a clause may be empty."""
        found: dict[int, dict[tuple[int, ...], Clause]] = {}
        for (dependent, any_of), need in self._needs:
            found.setdefault(dependent, {}).setdefault(any_of, Clause(any_of, need.complete))
        return {test: tuple(clauses.values()) for test, clauses in found.items()}

    @property
    def need_proofs(self) -> Mapping[Claim, Proof]:
        """The proofs that can still be run, and still have one of the remaining alternatives in them."""
        return {
            key: need.proof
            for key, need in self._needs
            if self._still_runs(need.proof) and any(option in need.proof.passes for option in need.any_of)
        }

    @property
    def conflict_proofs(self) -> Mapping[Claim, Proof]:
        return {key: conflict.proof for key, conflict in self._conflicts if self._still_runs(conflict.proof)}

    @cached_property
    def reasons_for_needs(self) -> Mapping[Claim, tuple[Reason, ...]]:
        """The reasons of needs among tests that are all unchanged."""
        return {key: need.why for key, need in self._needs if need.why and all(map(self.is_unchanged, need.any_of))}

    @cached_property
    def reasons_for_conflicts(self) -> Mapping[Claim, tuple[Reason, ...]]:
        return {key: conflict.why for key, conflict in self._conflicts if conflict.why}

    @cached_property
    def pollutions(self) -> tuple[Pollution, ...]:
        """Pollutions of unchanged victims by unchanged polluters; with the unchanged cleaners."""
        return tuple(self._pollution(key, conflict) for key, conflict in self._conflicts)

    def _pollution(self, key: Claim, conflict: Conflict) -> Pollution:
        # A cleaner may owe its effect to a test that it needs.
        cleaners = [c for c in conflict.cleaners if all(map(self.is_unchanged, self._possible_setters(c)))]
        return Pollution(
            *key,
            tuple(self._index[test] for test in conflict.proof.fails[:-1] if self.is_unchanged(test)),
            self._positions(cleaners),
            conflict.complete and not any(self.is_unchanged(c) and c not in cleaners for c in conflict.cleaners),
        )

    def _possible_setters(self, test: TestId) -> set[TestId]:
        """The test with all tests that may serve it, by any choice of alternatives."""
        found, fresh = {test}, [test]
        while fresh:
            for need in self._previous.needs_of.get(fresh.pop(), ()):
                fresh += [option for option in need.any_of if option not in found]
                found.update(need.any_of)
        return found

    def _still_runs(self, proof: Proof) -> bool:
        orders = (*proof.passes, *proof.fails)
        return all(map(self.is_unchanged, orders)) and self._has_runs(proof)

    def _positions(self, tests: Iterable[TestId]) -> tuple[int, ...]:
        return tuple(sorted(self._index[test] for test in tests if test in self._index))


def _moved_tests(tests: Sequence[TestId], before: Mapping[TestId, int]) -> set[TestId]:
    """As few tests as possible, without which the others are in the same order as before (a longest rising
    subsequence)."""
    ends: list[int] = []
    lengths: list[int] = []
    for test in tests:
        place = before[test]
        length = bisect_left(ends, place)
        ends[length : length + 1] = [place]
        lengths.append(length)
    moved: set[TestId] = set()
    expected, bound = len(ends) - 1, len(before)
    for test, length in zip(reversed(tests), reversed(lengths), strict=True):
        if length == expected and before[test] < bound:
            expected, bound = expected - 1, before[test]
        else:
            moved.add(test)
    return moved
