"""Tests that were ended by a signal which others send too: by whose doing?

A test that kills its own process does so each time, at the same place. Whoever kills from outside (an operator, the
system when memory runs out) does not keep to one test. So an order that was broken off is asked again, by itself, and
a test is only believed to have crashed after it happened there several times.
"""

import signal
from collections import Counter

from unknot.model.errors import RunnerError

FROM_OUTSIDE = frozenset({signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT})
_NEEDED = 4
_MOST = 12


def may_be_foreign(number: int) -> bool:
    """Whether a process that died by this signal, 0 for none, may have been ended by somebody else."""
    return number in FROM_OUTSIDE


class Kills:
    """Counts, for the orders of one batch, by their key."""

    def __init__(self) -> None:
        self._at: Counter[tuple[int, int]] = Counter()
        self._of: Counter[int] = Counter()

    def is_its_own(self, key: int, place: int) -> bool:
        """Notes one more at this place of the order; whether that is the doing of the test there. Raises RunnerError if
        the order is ended again and again, each time elsewhere."""
        self._at[key, place] += 1
        self._of[key] += 1
        if self._at[key, place] >= _NEEDED:
            return True
        if self._of[key] >= _MOST:
            raise RunnerError(
                f"an order was run {_MOST} times, and each time its process was killed in the midst of another test",
                hint="see what kills processes on this machine: memory that runs out, a limit, another program;"
                " what was found so far is kept",
            )
        return False
