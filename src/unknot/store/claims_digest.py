"""Digests of what a lock file claims, by which a later reader sees that a merge or an editor has changed it."""

import json
from collections.abc import Iterable, Sequence

from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.outcome import Outcome
from unknot.model.suite import TestId
from unknot.store.fingerprint import digest_of, encoded


class ClaimsDigests:
    """Assumes that it is made of the same result when the file is written and when it is read. Reasons do not count:
    nothing is decided by them. Cost: linear in the claims, once."""

    def __init__(self, dependencies: Dependencies) -> None:
        self._words: dict[TestId, list[str]] = {}
        for need in dependencies.needs:
            self._add(need.dependent, "need", need, need.any_of)
        for conflict in dependencies.conflicts:
            self._add(conflict.victim, "conflict", conflict, conflict.polluters, conflict.cleaners)
        for conflict in dependencies.conflicts_when_failing:
            self._add(conflict.victim, "when failing", conflict, conflict.polluters, conflict.cleaners)
        for test in dependencies.flaky:
            self._words.setdefault(test, []).append("flaky")
        for test, outcome in dependencies.outcomes.items():
            if outcome is not Outcome.PASSED:
                self._words.setdefault(test, []).append(outcome.value)

    def _add(self, test: TestId, kind: str, claim: Need | Conflict, *tests: Sequence[TestId]) -> None:
        words = [kind, *tests, claim.proof.passes, claim.proof.fails, claim.complete]
        self._words.setdefault(test, []).append(json.dumps(words))

    def of(self, tests: Iterable[TestId]) -> str:
        """Of what is claimed about these tests; empty if nothing is."""
        parts = [encoded(part) for test in tests if test in self._words for part in (test, *self._words[test])]
        return digest_of(parts).hex() if parts else ""

    def of_all(self, tests: Sequence[TestId]) -> str:
        """Of the tests in their order, and of what is claimed about all of them."""
        return digest_of(map(encoded, (self.of(tests), *tests))).hex()
