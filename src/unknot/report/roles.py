"""The roles of tests in a result, in both directions: what a test needs, and which tests need it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from unknot.model.dependencies import Dependencies
from unknot.model.suite import Order, TestId

ROLES = ("brittle", "victim", "setter", "polluter", "cleaner", "flaky", "not passing")
"""Bit 0 first. The first role of a test gives it its shape and colour; a brittle victim has both."""


class RoleFlags:
    """All roles of each test, also as bits for the HTML page. Cost: linear in the claims, once."""

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
        """Every test that appears in a need or a conflict."""
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
        """All roles in words: its kind, or else setter, polluter and cleaner."""
        others = (("setter", self.needed_by), ("polluter", self.pollutes), ("cleaner", self.cleans))
        return self.kind(test) or ", ".join(word for word, found in others if test in found)

    def _inverse(self, pairs: Iterable[tuple[TestId, TestId]]) -> Mapping[TestId, Order]:
        found: dict[TestId, set[TestId]] = {}
        for test, other in pairs:
            found.setdefault(test, set()).add(other)
        return {test: self._sorted(others) for test, others in found.items()}

    def _sorted(self, tests: Iterable[TestId]) -> Order:
        return tuple(sorted(tests, key=self.dependencies.suite.index.__getitem__))
