"""The roles of tests in a result, in both directions: what a test needs, and which tests need it."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from unknot.model.dependencies import Dependencies
from unknot.model.suite import Order, TestId


@dataclass(frozen=True)
class Roles:
    """All orders are in reference order, each test once. Each view costs linear time in the claims, once."""

    dependencies: Dependencies

    @cached_property
    def of_tests(self) -> Mapping[str, Collection[TestId]]:
        """The tests in each role. The first role of a test gives it its shape and colour in the HTML page, which has
        them as bits, bit 0 first; a brittle victim has both."""
        return {
            "brittle": self.dependencies.needs_of,
            "victim": self.dependencies.conflicts_of,
            "setter": self.needed_by,
            "polluter": self.pollutes,
            "cleaner": self.cleans,
            "flaky": frozenset(self.dependencies.flaky),
            "not passing": {test for test, outcome in self.dependencies.outcomes.items() if outcome.is_bad},
        }

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
        return " and ".join(self.among(test, "brittle", "victim"))

    def kind_in_words(self, test: TestId) -> str:
        """The kind, and whether the test fails in suite order because what it needs comes later."""
        return self.kind(test) + (", fails in suite order" if test in self.dependencies.misplaced else "")

    def among(self, test: TestId, *roles: str) -> list[str]:
        """Those of these roles that the test has."""
        return [role for role in roles if test in self.of_tests[role]]

    def _inverse(self, pairs: Iterable[tuple[TestId, TestId]]) -> Mapping[TestId, Order]:
        found: dict[TestId, set[TestId]] = {}
        for test, other in pairs:
            found.setdefault(test, set()).add(other)
        return {test: self._sorted(others) for test, others in found.items()}

    def _sorted(self, tests: Iterable[TestId]) -> Order:
        return tuple(sorted(tests, key=self.dependencies.suite.index.__getitem__))
