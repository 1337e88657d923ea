"""A suite and its reference order."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NewType, TypeVar

from unknot.model.outcome import Outcome

TestId = NewType("TestId", str)

Order = tuple[TestId, ...]
"""Tests run one after another from one clean state."""

_Item = TypeVar("_Item")


def by_test(items: Iterable[_Item], test_of: Callable[[_Item], TestId]) -> dict[TestId, tuple[_Item, ...]]:
    """The items of each test that has some, in their own sequence."""
    found: dict[TestId, list[_Item]] = {}
    for item in items:
        found.setdefault(test_of(item), []).append(item)
    return {test: tuple(some) for test, some in found.items()}


@dataclass(frozen=True)
class Suite:
    """Tests in reference order. A test is known by its id, and inside the detectors by its position here."""

    tests: Order

    @cached_property
    def index(self) -> Mapping[TestId, int]:
        return {test: position for position, test in enumerate(self.tests)}

    def __len__(self) -> int:
        return len(self.tests)

    def order(self, positions: Iterable[int]) -> Order:
        """The tests at these positions, in the sequence given."""
        return tuple(self.tests[position] for position in positions)


@dataclass(frozen=True)
class Reference:
    """What every test did in the suite's own order: the measure for every other order."""

    outcomes: Mapping[TestId, Outcome]
    seconds: Mapping[TestId, float]
