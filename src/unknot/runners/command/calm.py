"""Whether runs come to their end at present, or somebody ends whatever is run."""

import time
from collections.abc import Callable

from unknot.model.suite import Order
from unknot.runners.command.attempt import End, OrderAttempt

_OTHERS_TRIED = 3
_LONGEST_LOOK = 10.0
"""Seconds. Whoever kills so rarely that nothing happens in that time does not hit the same test again and again."""

Run = Callable[[Order, bool], OrderAttempt]
"""An order, from a clean state, and whether to watch at which test the instance is lost."""


class Calm:
    """Remembers the quickest order that came to its end. Where a run was broken off and it may have been from outside,
    that order is run again for as long: if it is broken off too, nobody can say whose doing the first was.

    Assumes that an order which came to its end once does so again, unless somebody ends it."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._known: Order = ()
        self._seconds = float("inf")

    @property
    def is_known(self) -> bool:
        """Whether anything has ever come to its end."""
        return bool(self._known)

    def tried(self, order: Order, is_watched: bool = False) -> tuple[OrderAttempt, float]:
        """Runs it; how that went, and how many seconds it took."""
        began = time.monotonic()
        attempt = self._run(order, is_watched)
        seconds = time.monotonic() - began
        if attempt.end is End.WHOLE and seconds < self._seconds:
            self._known, self._seconds = order, seconds
        return attempt, seconds

    def look_among(self, order: Order) -> None:
        """If nothing is known that comes to its end, some tests of this order are tried, each alone."""
        for test in order[: -_OTHERS_TRIED - 1 : -1]:
            if not self.is_known and test != order[0]:
                self.tried((test,))

    def holds(self, seconds: float) -> bool:
        """Whether what is known comes to its end now, again and again for so many seconds, some at most. Assumes that
        something is known. Cost: that time, and one run at least."""
        spent = 0.0
        while spent == 0.0 or spent < min(seconds, _LONGEST_LOOK):
            attempt, more = self.tried(self._known)
            if attempt.end is not End.WHOLE:
                return False
            spent += more
        return True
