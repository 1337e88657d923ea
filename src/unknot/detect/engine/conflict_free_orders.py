"""Orders in which, by all that is known, no test fails.

In an order that only respects needs, known polluters break most of what comes after them: a test that removes the
project in which all others work leaves nothing to observe. Here every known polluter comes after its victims, so that
a failure shows something new.
"""

from collections.abc import Sequence

from unknot.detect.engine.findings import Findings, Pollution


def conflict_free_order(findings: Findings, sequence: Sequence[int]) -> list[int]:
    """The sequence, changed as little as possible: every test after what it needs, and every known polluter after its
    victims; if that is impossible, victims are left out.

    Cost: the tests times what they need, for each time that a test has to wait."""
    expected = list(sequence)
    order = _Order(findings)
    while waiting := [test for test in expected if order.can_have(test)]:
        size = len(order.placed)
        for test in waiting:
            order.place(test)
        if len(order.placed) == size:
            order.force(waiting[0])
    return list(order.placed)


class _Order:
    """An order while it is built. `dropped` tests are left out."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._of: dict[int, list[Pollution]] = {}
        for known in findings.pollutions:
            for polluter in known.polluters:
                self._of.setdefault(polluter, []).append(known)
        self.placed: dict[int, None] = {}
        self.dropped: set[int] = set()

    def can_have(self, test: int) -> bool:
        return test not in self.placed and test not in self.dropped

    def place(self, test: int) -> None:
        """Adds the test with what it needs, unless that would break a test that is still to come."""
        group = self._group(test)
        if group and not any(self._would_break(group[:place], member) for place, member in enumerate(group)):
            self.placed.update(dict.fromkeys(group))

    def force(self, test: int) -> None:
        """Adds the test with what it needs and leaves out the tests that this breaks; drops the test if it cannot be
        added."""
        group = self._group(test)
        for place, member in enumerate(group):
            self.dropped |= self._would_break(group[:place], member)
        if group and self.dropped.isdisjoint(group):
            self.placed.update(dict.fromkeys(group))
        else:
            self.dropped.add(test)

    def _group(self, test: int) -> list[int]:
        """What is still missing for the test, and the test. Empty if it cannot be added."""
        group = [member for member in self._findings.closure(test) if member not in self.placed]
        return group if test not in self.placed and self.dropped.isdisjoint(group) else []

    def _would_break(self, before: Sequence[int], test: int) -> set[int]:
        """The tests that are still to come and would be broken after these and the test."""
        there = {*before, test}
        return {
            known.victim
            for known in self._of.get(test, ())
            if self.can_have(known.victim)
            and known.victim not in there
            and all(polluter in there or polluter in self.placed for polluter in known.polluters)
        }
