"""How much of a run may be spent on looking."""

import time

_clock = time.process_time

_FREE_SECONDS = 2.0
_SHARE = 0.5
_LIMITS = (1_000_000, 200_000, 50_000, 10_000)


class Patience:
    """Knows how many entries a look may visit: fewer when looking has taken more than its share of the run.

    A suite whose state grows from test to test would otherwise be looked at longer and longer.
    """

    def __init__(self) -> None:
        self._started = _clock()
        self._looking = 0.0
        self._level = 0
        self._since = 0.0

    @property
    def most_entries(self) -> int:
        return _LIMITS[self._level]

    def begin(self) -> None:
        self._since = _clock()

    def end(self) -> bool:
        """Whether the limit is another one from now on. Then the account begins anew, to give that one a chance."""
        now = _clock()
        self._looking += now - self._since
        is_too_much = self._looking > _FREE_SECONDS and self._looking > _SHARE * (now - self._started)
        if not is_too_much or self._level + 1 == len(_LIMITS):
            return False
        self._level += 1
        self._started, self._looking = now, 0.0
        return True
