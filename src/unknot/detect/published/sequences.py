"""Sequences that passed, within a bound."""

from collections.abc import Iterator
from itertools import count


class Sequences:
    """Remembers sequences of tests in reference order, each as a bitset; never more than `most`.

    Cost: an int and an entry in a table for each sequence, some 150 bytes and n bits.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: set[int] = set()
        self._by_length: dict[int, list[int]] = {}
        self.is_full = False
        """Whether one had to be forgotten."""

    def remember(self, sequence: int) -> bool:
        """Whether it is new, and there was room for it."""
        if sequence in self._known:
            return False
        if len(self._known) == self._most:
            self.is_full = True
            return False
        self._known.add(sequence)
        self._by_length.setdefault(sequence.bit_count(), []).append(sequence)
        return True

    def of_length(self, length: int, start: int = 0) -> Iterator[int]:
        """In the sequence remembered, from that number on; those remembered meanwhile too."""
        known = self._by_length.setdefault(length, [])
        for place in count(start):
            if place >= len(known):
                return
            yield known[place]
