"""Which test comes next: what is worth most for its price, as far as dependencies allow."""

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from unknot.model.dependencies import Dependencies
from unknot.plan.bitsets import Scale, members
from unknot.plan.priority.running_order import RunningOrder
from unknot.plan.priority.worth import Worth

_ROUNDS = 5
"""Once all is covered, the rest of the suite is put in order as if nothing were, so many times at most."""

_Entry = tuple[float, int, int, int]
"""Minus the worth for the price, minus the tie, the test to take, and the test that it opens the way for, or -1."""


class Ranking:
    """Takes the test that is worth most for its price, with what it needs, again and again.

    A test's worth falls as others are taken, so the best of yesterday is looked at again before it is taken; its price
    falls when something that it needs is placed, and then it is put up again. A test that a conflict forbids for now
    waits until a test of that conflict is placed; and those which would open the way for it, the victim before its
    polluter or a cleaner before the victim, are put up for what they are worth together.
    """

    def __init__(self, dependencies: Dependencies, worth: Worth, prices: Sequence[float], ties: Sequence[int]) -> None:
        self._worth = worth
        self._running = RunningOrder(dependencies, prices)
        self._scale = Scale(prices)
        self._ties = ties or [0] * len(prices)
        self._heap: list[_Entry] = []
        self._waiting: dict[int, set[int]] = {}
        self._detours: set[tuple[int, int]] = set()
        self._dependents: dict[int, list[int]] = {}
        for need in dependencies.needs:
            for option in need.any_of:
                if option in dependencies.suite.index:
                    self._dependents.setdefault(dependencies.suite.index[option], []).append(
                        dependencies.suite.index[need.dependent]
                    )

    def order(self) -> list[int]:
        self._worth.forget()
        self._worth.take(self._running.placed)
        for _ in range(_ROUNDS):
            if not self._round():
                break
            self._worth.forget()
        self._worth.forget()
        return self._running.finished()

    def _round(self) -> bool:
        """Until nothing left is worth anything. Whether anything was."""
        running = self._running
        self._heap = [self._entry(test) for test in members(running.left)]
        heapify(self._heap)
        self._waiting.clear()
        gained = False
        while running.left:
            test = self._next()
            if test is not None:
                new = running.take(test)
                if not new:
                    self._wait(test)
                    continue
                gained = True
            elif any(running.is_left(other) for others in self._waiting.values() for other in others):
                new = running.take_first()
            else:
                break
            self._placed(new)
        return gained

    def _next(self) -> int | None:
        """The test that is worth most for its price, or none where nothing is worth anything."""
        heap = self._heap
        while heap:
            worth, _, test, opens = heappop(heap)
            if worth == 0:
                # Nothing behind it is worth more, and worth only falls.
                heap.clear()
            elif self._running.is_left(test):
                now = self._entry(test, opens)
                if now[0] < 0:
                    if not heap or now <= heap[0]:
                        return test
                    heappush(heap, now)
        return None

    def _wait(self, test: int) -> None:
        for other in self._running.obstacle:
            self._waiting.setdefault(other, set()).add(test)
            # Once each until something is placed: two tests may stand in each other's way.
            if other != test and self._running.is_left(other) and (other, test) not in self._detours:
                self._detours.add((other, test))
                heappush(self._heap, self._entry(other, test))

    def _placed(self, new: int) -> None:
        self._worth.take(new)
        self._detours.clear()
        again: set[int] = set()
        for test in members(new):
            again.update(self._dependents.get(test, ()), self._waiting.pop(test, ()))
        for other in again:
            if self._running.is_left(other):
                heappush(self._heap, self._entry(other))

    def _entry(self, test: int, opens: int = -1) -> _Entry:
        new = self._running.missing(test)
        if opens >= 0 and self._running.is_left(opens):
            new |= self._running.missing(opens)
        worth = self._worth.of(new)
        return (-worth / self._scale.weigh(new) if worth else 0.0, -self._ties[test], test, opens)
