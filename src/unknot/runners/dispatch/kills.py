"""Tests that were ended by a signal which others send too: by whose doing?

A test that kills its own process does so each time, at the same place. Whoever kills from outside (an operator, the
system when memory runs out) does not keep to one test. So an order that was broken off is asked again, by itself, and
a test is only believed to have crashed after it happened there several times. Where somebody is known to kill from
outside, because an order came through where it was killed before, or was killed at two places, short orders are hit
at the same test by chance: then it must happen more often.
"""

import signal
from collections import Counter

from unknot.model.errors import RunnerError

FROM_OUTSIDE = frozenset({signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT})
_NEEDED = 4
_NEEDED_AMONG_KILLS = 9
_MOST = 12


def may_be_foreign(number: int) -> bool:
    """Whether a process that died by this signal, 0 for none, may have been ended by somebody else."""
    return number in FROM_OUTSIDE


class Kills:
    """Counts, by the keys of orders, until they are decided. What is known of others that kill stays known."""

    def __init__(self) -> None:
        self._at: dict[int, Counter[int]] = {}
        self._needed = _NEEDED

    def is_its_own(self, key: int, place: int) -> bool:
        """Notes one more at this place of the order; whether that is the doing of the test there. Raises RunnerError if
        the order is ended again and again, each time elsewhere."""
        at = self._at.setdefault(key, Counter())
        at[place] += 1
        if len(at) > 1:
            self._needed = _NEEDED_AMONG_KILLS
        if at[place] >= self._needed:
            return True
        if at.total() >= _MOST:
            raise RunnerError(
                f"an order was run {_MOST} times, and each time it was killed, now in one test, now in another",
                hint="see what kills processes on this machine: memory that runs out, a limit, another program;"
                " what was found so far is kept",
            )
        return False

    def decided(self, key: int, crashed: int | None) -> None:
        """This order has its results, and will not be asked again; at `crashed`, if anywhere, its process went down.
        Whatever was killed elsewhere was the doing of others."""
        if any(place != crashed for place in self._at.pop(key, ())):
            self._needed = _NEEDED_AMONG_KILLS

    def forget_orders(self) -> None:
        """From now on, keys stand for other orders."""
        self._at.clear()
