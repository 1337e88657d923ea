"""Locations whose reads are recorded, in memory and of the process."""

import sys
from collections.abc import Callable, Sequence
from typing import Any

from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.stack import Frame
from unknot.recorder.native import _watch

Key = tuple[str, str]
"""Kind and name of a location."""

WriteStacks = Callable[[Key], Sequence[Frame]]
"""Where the test that has just ended wrote a location; empty if unknown."""


class WatchedLocation:
    """A location whose reads are recorded. `found` is the fingerprint at the last test boundary, if known; `seen` the
    one that the last reader read."""

    def __init__(self, ledger: Ledger, kind: str, name: str) -> None:
        self._ledger = ledger
        self.key = (kind, name)
        self.found: int | None = None
        self.seen: int | None = None

    def fingerprint(self) -> int:
        """Of the current content; 0 if the location does not exist."""
        raise NotImplementedError

    def affordable_fingerprint(self) -> int | None:
        """The same, or None, which means unknown, if taking it once has shown that it takes too long."""
        return self.fingerprint()

    def quick_fingerprint(self) -> Callable[[], object] | None:
        """For where `fingerprint` takes too long to run after every line: shows, within one test, whether the location
        was written, but not whether something nested in it was. None if there is no such shortcut."""
        return None

    def expect(self, *, takes_fingerprint: bool = True) -> None:
        """Watches it from now on, whether or not it has changed yet."""
        raise NotImplementedError

    def was_read(self) -> bool:
        """Called in the middle of the suite's code. False if the read does not count, because the suite's code did not
        cause it: then the next read in the same test is reported too."""
        if self._ledger.has_read(*self.key):
            return True
        stack = self._ledger.stacks.here(sys._getframe(1))
        if not self._ledger.stacks.has_users(stack):
            return False
        self.seen = self.affordable_fingerprint()
        self._ledger.read(*self.key, stack, found=self.found, seen=self.seen, **self._details())
        return True

    def was_written(self) -> None:
        """Called in the middle of the suite's code, after the first write in a test that passed the watch. A change is
        found at the end of the test in any case."""

    def _details(self) -> dict[str, Any]:
        """What else the record of a read contains."""
        return {}


def begin_watching() -> None:
    """From now on each watched location can be reported once more."""
    _watch.next_epoch()
    _watch.set_active(True)
