"""The parts that tests play in a result, also seen from the other end: who needs a test, whom it breaks or cleans."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from unknot.model.dependencies import Dependencies
from unknot.model.suite import Order, TestId

# What each test is, as the page tells it: every part that it plays, not only the first.
ROLES = ("brittle", "victim", "setter", "polluter", "cleaner", "flaky", "not passing")
"""Bit 0 first. A test's shape and colour are those of the first that it plays; one that is brittle and victim has
both."""


class RoleFlags:
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
        return tuple(word for word, tests in zip(ROLES, self._found, strict=True) if test in tests)

    def count(self, part: str) -> int:
        return len(self._found[ROLES.index(part)])


@dataclass(frozen=True)
class Roles:
    """All orders are in reference order, each test once. Each view costs linear time in the claims, once."""

    dependencies: Dependencies

    @cached_property
    def brittle(self) -> Order:
        return self._sorted(self.dependencies.needs_of)

    @cached_property
    def victims(self) -> Order:
        return self._sorted(self.dependencies.conflicts_of)

    @cached_property
    def dependents(self) -> Order:
        return self._sorted({*self.brittle, *self.victims})

    @cached_property
    def needed_by(self) -> Mapping[TestId, Order]:
        return self._inverse((test, need.dependent) for need in self.dependencies.needs for test in need.any_of)

    @cached_property
    def pollutes(self) -> Mapping[TestId, Order]:
        return self._inverse((test, found.victim) for found in self.dependencies.conflicts for test in found.polluters)

    @cached_property
    def cleans(self) -> Mapping[TestId, Order]:
        return self._inverse((test, found.victim) for found in self.dependencies.conflicts for test in found.cleaners)

    @cached_property
    def participants(self) -> Order:
        """Every test that some claim names."""
        return self._sorted({*self.dependents, *self.needed_by, *self.pollutes, *self.cleans})

    def kind(self, test: TestId) -> str:
        """`brittle`, `victim`, `brittle and victim`, or nothing for a test that depends on no other."""
        kinds = [
            word
            for word, found in (("brittle", self.dependencies.needs_of), ("victim", self.dependencies.conflicts_of))
            if test in found
        ]
        return " and ".join(kinds)

    def parts(self, test: TestId) -> str:
        """All that the test is, in words: its kind, or else setter, polluter and cleaner."""
        others = (("setter", self.needed_by), ("polluter", self.pollutes), ("cleaner", self.cleans))
        return self.kind(test) or ", ".join(word for word, found in others if test in found)

    def _inverse(self, pairs: Iterable[tuple[TestId, TestId]]) -> Mapping[TestId, Order]:
        found: dict[TestId, set[TestId]] = {}
        for test, other in pairs:
            found.setdefault(test, set()).add(other)
        return {test: self._sorted(others) for test, others in found.items()}

    def _sorted(self, tests: Iterable[TestId]) -> Order:
        return tuple(sorted(tests, key=self.dependencies.suite.index.__getitem__))
