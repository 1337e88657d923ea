"""Which code of an application ran: client bytes and functions by script, server lines by file."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

Ranges = tuple[tuple[int, int], ...]
"""Half-open, sorted, not empty, and apart: neither overlapping nor touching."""

_BYTES_OF_LINE = 40
"""What a line of JavaScript has on average, indentation included, where it is not minified."""


def merged(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """In any sequence, overlapping or empty. Cost: a sort.

    >>> merged([(4, 6), (1, 3), (3, 4), (9, 9)])
    ((1, 6),)
    """
    result: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if start >= end:
            continue
        if result and start <= result[-1][1]:
            if end > result[-1][1]:
                result[-1] = result[-1][0], end
        else:
            result.append((start, end))
    return tuple(result)


def ranges_of(numbers: Iterable[int]) -> Ranges:
    """
    >>> ranges_of([3, 1, 2, 7])
    ((1, 4), (7, 8))
    """
    return merged((number, number + 1) for number in numbers)


def size(ranges: Ranges) -> int:
    return sum(end - start for start, end in ranges)


def without(ranges: Ranges, other: Ranges) -> Ranges:
    """What is in `ranges` and not in `other`. Cost: linear in the first, and in what it meets of the other.

    >>> without(((1, 6), (8, 9)), ((2, 3), (5, 20)))
    ((1, 2), (3, 5))
    """
    result: list[tuple[int, int]] = []
    for start, end in ranges:
        place = max(bisect_right(other, (start, start)) - 1, 0)
        while place < len(other) and other[place][0] < end and start < end:
            low, high = other[place]
            if start < low:
                result.append((start, low))
            start = max(start, high)
            place += 1
        if start < end:
            result.append((start, end))
    return tuple(result)


RangesByName = Mapping[str, Ranges]


@dataclass(frozen=True)
class CodeSize:
    """How much code. A byte of a script is one UTF-16 unit of it, as browsers count."""

    client_bytes: int = 0
    functions: int = 0
    server_lines: int = 0

    def __bool__(self) -> bool:
        return bool(self.client_bytes or self.functions or self.server_lines)

    @property
    def in_lines(self) -> float:
        """Both sides in one unit, as a fair gain: lines of the server, and bytes of the client in lines of usual
        length."""
        return self.server_lines + self.client_bytes / _BYTES_OF_LINE


@dataclass(frozen=True)
class CodeSet:
    """Pieces of code. `client_bytes` are ranges of offsets by script, `functions` the offsets at which functions begin,
    `server_lines` ranges of line numbers by file. Names have no ranges that are empty."""

    client_bytes: RangesByName = field(default_factory=dict)
    functions: RangesByName = field(default_factory=dict)
    server_lines: RangesByName = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.client_bytes or self.functions or self.server_lines)

    def union(self, other: "CodeSet") -> "CodeSet":
        """Cost: linear in the ranges of the names that both have, and in the names."""
        return CodeSet(*(_union(mine, others) for mine, others in self._sides(other)))

    def difference(self, other: "CodeSet") -> "CodeSet":
        """Cost: linear in what this one has, not in the other."""
        return CodeSet(*(_difference(mine, others) for mine, others in self._sides(other)))

    def size(self) -> CodeSize:
        sides = self.client_bytes, self.functions, self.server_lines
        return CodeSize(*(sum(map(size, side.values())) for side in sides))

    def _sides(self, other: "CodeSet") -> Iterator[tuple[RangesByName, RangesByName]]:
        yield self.client_bytes, other.client_bytes
        yield self.functions, other.functions
        yield self.server_lines, other.server_lines


def _union(mine: RangesByName, others: RangesByName) -> RangesByName:
    if not others:
        return mine
    return {**mine, **{name: merged((*mine.get(name, ()), *ranges)) for name, ranges in others.items()}}


def _difference(mine: RangesByName, others: RangesByName) -> RangesByName:
    left = ((name, without(ranges, others.get(name, ()))) for name, ranges in mine.items())
    return {name: ranges for name, ranges in left if ranges}


@dataclass(frozen=True)
class StepCoverage:
    """What one step ran. `known` is code that was loaded meanwhile, whether it ran or not, such as all of a script that
    is new."""

    ran: CodeSet = CodeSet()
    known: CodeSet = CodeSet()

    def union(self, other: "StepCoverage") -> "StepCoverage":
        return StepCoverage(self.ran.union(other.ran), self.known.union(other.known))
