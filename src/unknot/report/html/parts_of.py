"""What each test is, as the page tells it: every part that it plays, not only the first."""

from unknot.model.dependencies import Dependencies
from unknot.model.suite import TestId
from unknot.report.roles import Roles

PARTS = ("brittle", "victim", "setter", "polluter", "cleaner", "flaky", "not passing")
"""Bit 0 first. A test's shape and colour are those of the first that it plays; one that is brittle and victim has
both."""


class PartsOf:
    """Cost: linear in the claims, once."""

    def __init__(self, dependencies: Dependencies) -> None:
        roles = Roles(dependencies)
        self._found: tuple[frozenset[TestId], ...] = (
            frozenset(dependencies.needs_of),
            frozenset(dependencies.conflicts_of),
            frozenset(roles.needed_by),
            frozenset(roles.pollutes),
            frozenset(roles.cleans),
            frozenset(dependencies.flaky),
            frozenset(dependencies.failing),
        )

    def bits(self, test: TestId) -> int:
        return sum(1 << number for number, tests in enumerate(self._found) if test in tests)

    def words(self, test: TestId) -> tuple[str, ...]:
        return tuple(word for word, tests in zip(PARTS, self._found, strict=True) if test in tests)

    def count(self, part: str) -> int:
        return len(self._found[PARTS.index(part)])
