"""Which pairs are untried, as short strings for the lock file: one for each test, as docs/reference/json.md has it.

Rows of neighbouring tests are mostly alike, because one order clears the same candidates of many tests. So a row is
written as one of the rows before it and the positions in which it differs.
"""

import re
from collections.abc import Sequence

from unknot.model.pairs import pairs_in
from unknot.store.typed_json import Fault, at

_MOST_CHARACTERS = 250_000
"""A lock file is committed and read in reviews: rather than this, it has only the number of pairs."""

_COMPARED = 24
"""So many rows before a row are compared with it: enough for the few kinds of tests that there are in a suite."""

_RANGE = r"\d{1,9}(?:-\d{1,9})?"
_ROW = re.compile(rf"(?:(\d{{1,9}}):)?((?:{_RANGE}(?:,{_RANGE})*)?)", re.ASCII)


def untried_texts(rows: Sequence[int]) -> list[str] | None:
    """One string for each row; None if that would be too long. Deterministic. Cost: a few operations on ints of n bits
    for each row and each of the rows that it is compared with."""
    texts = []
    room = _MOST_CHARACTERS
    for number, row in enumerate(rows):
        before = range(max(0, number - _COMPARED), number)
        alike = min(before, key=lambda other: runs_in(row ^ rows[other]), default=0)
        if number and runs_in(row ^ rows[alike]) < runs_in(row):
            text = f"{alike}:{ranges_of(row ^ rows[alike])}"
        else:
            text = ranges_of(row)
        room -= len(text)
        if room < 0:
            return None
        texts.append(text)
    return texts


def rows_from(texts: Sequence[str], tests: int, untried: int) -> tuple[int, ...]:
    """The rows that these strings describe. Raises Fault for what is not a row of so many tests, for a test that is
    said to be untried before itself, and if the pairs are not as many as `untried`."""
    if len(texts) != tests:
        raise Fault(f"must have one entry for each of the {tests} tests, has {len(texts)}")
    rows: list[int] = []
    for number, text in enumerate(texts):
        with at(f"[{number}]"):
            rows.append(_row(text, rows, tests))
    if pairs_in(rows) != untried:
        raise Fault(f"holds {pairs_in(rows)} pairs; untried says {untried}")
    return tuple(rows) if untried else ()


def runs_in(row: int) -> int:
    """How many stretches of neighbouring positions there are."""
    return (row & ~(row << 1)).bit_count()


def ranges_of(row: int) -> str:
    """
    >>> ranges_of(0b1011100)
    '2-4,6'
    """
    found = []
    at = 0
    while row:
        gap = (row & -row).bit_length() - 1
        row >>= gap
        length = (~row & (row + 1)).bit_length() - 1
        row >>= length
        first, at = at + gap, at + gap + length
        found.append(str(first) if length == 1 else f"{first}-{at - 1}")
    return ",".join(found)


def _row(text: str, rows: Sequence[int], tests: int) -> int:
    match = _ROW.fullmatch(text)
    if match is None:
        raise Fault('must be positions, as in "3,7-9", or what differs from an earlier entry, as in "2:3,7-9"')
    like, ranges = match.groups()
    if like is not None and int(like) >= len(rows):
        raise Fault(f"there is no entry {like} before it")
    row = 0
    for part in filter(None, ranges.split(",")):
        first, _, last = part.partition("-")
        low, high = int(first), int(last or first)
        if not row.bit_length() <= low <= high < tests:
            raise Fault(f"{part}: positions must rise, and there are {tests} tests, counted from 0")
        row |= (1 << high + 1) - (1 << low)
    if like is not None:
        row ^= rows[int(like)]
    if row >> len(rows) & 1:
        raise Fault("says that a test is untried before itself")
    return row
