"""What the runs so far say about pairs of tests."""

from collections.abc import Iterable


class Pairs:
    """For every test, as bitsets: whom it did as wanted *without*, *after*, and *right after*.

    A fact is never withdrawn: "once without" is enough to say that a test alone is not needed, "once after" that it
    alone does not break, unless a third test hid it in between; "right after" leaves no room for a third.
    """

    def __init__(self, size: int) -> None:
        self.without = [0] * size
        self.after = [0] * size
        self.right_after = [0] * size
        self._everyone = (1 << size) - 1

    def saw(self, order: Iterable[tuple[int, bool]]) -> None:
        """An order as positions, each with whether the test did as wanted. Cost: one operation on ints per test."""
        before = worked = previous = 0
        for position, as_wanted in order:
            mine = 1 << position
            if as_wanted:
                self.without[position] |= self._everyone & ~before
                self.after[position] |= worked
                self.right_after[position] |= previous
                worked |= mine
            before |= mine
            # A test that failed may not have done what it does otherwise.
            previous = mine if as_wanted else 0
