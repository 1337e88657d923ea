"""Which test covers what."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_

from unknot.model.bits import members, wide_bits
from unknot.model.suite import TestId


@dataclass(frozen=True)
class Coverage:
    """Elements, and for each test those that it covers, as a bitset over their positions.

    An element is whatever was counted: a line, a branch, a requirement. There may be elements that no test covers, and
    tests that cover nothing.
    """

    elements: tuple[str, ...]
    rows: Mapping[TestId, int]

    @classmethod
    def of(cls, covered: Mapping[str, Iterable[str]], others: Iterable[str] = ()) -> "Coverage":
        """From the names of what each test covers; `others` are elements that may be uncovered. An element stands
        where it is first named. Cost: linear in the names."""
        place: dict[str, int] = {}
        numbers = {
            TestId(test): [place.setdefault(name, len(place)) for name in names] for test, names in covered.items()
        }
        for name in others:
            place.setdefault(name, len(place))
        return cls(tuple(place), {test: wide_bits(found) for test, found in numbers.items()})

    @cached_property
    def covered(self) -> int:
        """What the tests cover together."""
        return reduce(or_, self.rows.values(), 0)

    @property
    def uncovered(self) -> tuple[str, ...]:
        """What no test covers."""
        return self.names(((1 << len(self.elements)) - 1) & ~self.covered)

    def names(self, mask: int) -> tuple[str, ...]:
        return tuple(self.elements[place] for place in members(mask))
