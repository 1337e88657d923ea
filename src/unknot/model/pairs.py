"""A set of test pairs as one bitset per test: converted to another suite, and counted."""

from collections.abc import Sequence
from operator import itemgetter

from unknot.model.suite import Suite


def rows_in(now: Suite, rows: Sequence[int], before: Suite) -> tuple[int, ...]:
    """Converts rows over the positions of `before` to positions of `now`. Pairs with tests that are gone are dropped;
    new tests have no pairs. Cost: a few microseconds per row and hundred tests, however full the row is.

    >>> rows_in(Suite(("c", "x", "a")), [0b110, 0b001, 0b011], Suite(("a", "b", "c")))
    (4, 0, 1)
    """
    if now.tests == before.tests:
        return tuple(rows)
    # Picking digits of a binary string is faster than picking bits. One extra digit, always 0, stands for new tests.
    size = len(before)
    columns = [size - before.index[test] if test in before.index else 0 for test in reversed(now.tests)]
    if not columns:
        return ()
    pick = itemgetter(*columns)
    return tuple(
        int("".join(pick(f"{rows[before.index[test]]:0{size + 1}b}")), 2) if test in before.index else 0
        for test in now.tests
    )


def pairs_in(rows: Sequence[int]) -> int:
    """
    >>> pairs_in([0b110, 0b001])
    3
    """
    return sum(row.bit_count() for row in rows)
