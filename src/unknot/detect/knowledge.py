"""What the runs so far say about pairs of tests."""

from collections.abc import Iterable

from unknot.model.bits import bits


class Pairs:
    """For every test, as bitsets: whom it did as wanted *without*, and whom it did as wanted *after*.

    A fact is never withdrawn: "once without" is enough to say that a test alone is not needed, "once after" that it
    alone does not break. What a third test hid is not seen here.
    """

    def __init__(self, size: int) -> None:
        self.without = [0] * size
        self.after = [0] * size
        self._everyone = (1 << size) - 1

    def saw(self, order: Iterable[tuple[int, bool]]) -> None:
        """An order as positions, each with whether the test did as wanted. Cost: one operation on ints per test."""
        before = 0
        for position, as_wanted in order:
            if as_wanted:
                self.without[position] |= self._everyone & ~before
                self.after[position] |= before
            before |= 1 << position

    def never_without(self, test: int, others: Iterable[int]) -> int:
        return bits(others) & ~self.without[test]

    def never_after(self, test: int, others: Iterable[int]) -> int:
        return bits(others) & ~self.after[test]
