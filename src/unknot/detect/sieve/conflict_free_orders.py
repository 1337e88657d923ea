"""Orders at random in which, by all that is known, nobody fails.

In an order that only respects needs, known polluters break most of what comes after them: a test that removes the
project in which all others work leaves nothing to be seen. Here every known polluter comes after its victims, so that
whoever fails shows something new.
"""

import random
from collections.abc import Sequence

from unknot.detect.engine.findings import Findings, Pollution


def peaceful(findings: Findings, tests: Sequence[int], chance: random.Random, *, needed_first: bool) -> list[int]:
    """Every test after what it needs, and every known polluter after its victims; where that cannot be, victims are
    left out. With `needed_first`, whoever is needed comes before the others: what undoes the work of a test mostly
    needs it, and would hide that it breaks somebody.

    Cost: the tests times what they need, for each time that somebody has to wait."""
    wanted = chance.sample(tests, len(tests))
    if needed_first:
        needed = {option for clauses in findings.clauses.values() for clause in clauses for option in clause.any_of}
        wanted.sort(key=lambda test: test not in needed)
    order = _Order(findings)
    while waiting := [test for test in wanted if order.can_have(test)]:
        size = len(order.placed)
        for test in waiting:
            order.place(test)
        if len(order.placed) == size:
            order.force(waiting[0])
    return list(order.placed)


class _Order:
    """An order as it grows. Whoever was `dropped` has no place in it."""

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
        """With what it needs; not if that would break somebody who is still to come."""
        group = self._group(test)
        if group and not any(self._would_break(group[:place], member) for place, member in enumerate(group)):
            self.placed.update(dict.fromkeys(group))

    def force(self, test: int) -> None:
        """With what it needs, or not at all; whoever that breaks is left out."""
        group = self._group(test)
        for place, member in enumerate(group):
            self.dropped |= self._would_break(group[:place], member)
        if group and self.dropped.isdisjoint(group):
            self.placed.update(dict.fromkeys(group))
        else:
            self.dropped.add(test)

    def _group(self, test: int) -> list[int]:
        """What is still missing for the test, and the test. Nothing if it cannot be had."""
        group = [member for member in self._findings.closure(test) if member not in self.placed]
        return group if test not in self.placed and self.dropped.isdisjoint(group) else []

    def _would_break(self, before: Sequence[int], test: int) -> set[int]:
        """Who is still to come and could not do as wanted after these and the test."""
        there = {*before, test}
        return {
            known.victim
            for known in self._of.get(test, ())
            if self.can_have(known.victim)
            and known.victim not in there
            and all(polluter in there or polluter in self.placed for polluter in known.polluters)
        }
