"""Suspicions in the form in which a search takes what a recording has seen: whom to try first."""

from collections.abc import Sequence

from unknot.hints.recorded import Recorded, either_rows
from unknot.model.candidates import Candidates


def as_recorded(suspects: Candidates) -> Recorded:
    """A test may need the earlier ones that it is suspected with, and may be broken by any that it is suspected with,
    whichever stands first: of two tests that know the same value either can be in the other's way."""
    rows = suspects.graph.rows
    either = either_rows(rows, _transposed(rows))
    return Recorded(tuple(rows), either, either)


def joined(one: Recorded | None, other: Recorded | None) -> Recorded | None:
    """What either of two says, over the same suite."""
    if one is None or other is None:
        return one or other
    return Recorded(
        either_rows(one.may_need, other.may_need),
        either_rows(one.may_be_broken_by, other.may_be_broken_by),
        either_rows(one.written_by, other.written_by),
    )


def _transposed(rows: Sequence[int]) -> list[int]:
    columns = [0] * len(rows)
    for position, row in enumerate(rows):
        while row:
            lowest = row & -row
            columns[lowest.bit_length() - 1] |= 1 << position
            row ^= lowest
    return columns
