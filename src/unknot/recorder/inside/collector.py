"""What all that listen to audit events for the ledger share."""

import sys
from _thread import get_ident
from collections.abc import Callable
from typing import Any

from unknot.recorder.inside.audit import AuditListener
from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.stack import Frame


class Collector(AuditListener):
    """Hands events to `_heard`, one at a time in each thread, and only while a test is at work.

    Never raises: an audit hook that raises would fail the suite's own statement. What goes wrong here is told once in a
    note. Events that come from our own work (a file read to compare it) are not heard.
    """

    def __init__(self, ledger: Ledger, events: frozenset[str]) -> None:
        super().__init__(events)
        self.ledger = ledger
        self.events = events
        self._touched: set[str] = set()
        self._busy: set[int] = set()
        self._ill = False

    def touched_outside(self) -> set[str]:
        """What the test at work has changed, or is connected to, that a fork of the process would share."""
        return set(self._touched)

    def begin_test(self) -> None:
        self._touched = set()

    def end_of_test(self) -> None:
        """Tells what the test has left. To be called at each border, while the ledger still knows the test."""
        self._unheard(self._tell_what_is_left)

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        """For somebody who has the one hook for several of us."""
        if self._active and self.ledger.test:
            self._unheard(self._heard, event, arguments)

    def _take(self, event: str, arguments: tuple[Any, ...]) -> None:
        self.hear(event, arguments)

    def _unheard(self, work: Callable[..., None], *arguments: Any) -> None:
        """Does it if this thread is not at such work already."""
        me = get_ident()
        if me in self._busy:
            return
        self._busy.add(me)
        try:
            work(*arguments)
        except Exception as error:  # noqa: BLE001 - whatever it is, it must not reach the suite
            self._tell_once(error)
        finally:
            self._busy.discard(me)

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        raise NotImplementedError

    def _tell_what_is_left(self) -> None:
        """For those that tell at once there is nothing."""

    def _tell_once(self, error: Exception) -> None:
        if not self._ill:
            self._ill = True
            # Not its text: that could be the work of a class of the suite.
            self.ledger.note(f"{type(self).__name__.lower()} may be incomplete: {type(error).__name__} in the recorder")

    def _stack(self) -> list[Frame]:
        return self.ledger.stacks.here(sys._getframe(1))
