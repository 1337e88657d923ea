"""Listens to CPython's audit events, and the base class of the collectors that record them."""

import os
import sys
from _thread import get_ident
from collections.abc import Callable
from typing import Any

from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.stack import Frame


class AuditListener:
    """Passes the events of interest to `_on_event` while it is active."""

    def __init__(self, events: frozenset[str]) -> None:
        self._events = events
        self._active = False

    def install(self) -> None:
        """Cannot be undone: CPython has no way to remove an audit hook. Inactive until `start`."""
        interesting = self._events

        def hook(event: str, arguments: tuple[Any, ...]) -> None:
            # Called tens of thousands of times a second, nearly always for an event that does not matter.
            if event in interesting and self._active:
                self._on_event(event, arguments)

        sys.addaudithook(hook)

    def start(self) -> None:
        self._active = True

    def stop(self) -> None:
        self._active = False

    def _on_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        raise NotImplementedError


class Collector(AuditListener):
    """Passes events to `_record_event`, one at a time in each thread, and only while a test is running.

    Never raises: an audit hook that raises would fail the suite's own statement. The first internal error is recorded
    as a note. Events caused by the recorder itself (such as reading a file to compare it) are ignored.
    """

    subject = "events"
    """What this collector records, for the note about an internal error."""

    def __init__(self, ledger: Ledger, events: frozenset[str]) -> None:
        super().__init__(events)
        self.ledger = ledger
        self.events = events
        self._busy: set[int] = set()
        self._has_failed = False

    def begin_test(self) -> None:
        """Does nothing in collectors that keep nothing about a test."""

    def end_test(self) -> None:
        """Records what the test has left. Call at each test boundary, while the ledger still knows the test."""
        self._guarded(self._record_leftovers)

    def handle(self, event: str, arguments: tuple[Any, ...]) -> None:
        """For a caller that has one audit hook for several collectors."""
        if self._active and self.ledger.test:
            self._guarded(self._record_event, event, arguments)

    def _on_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        self.handle(event, arguments)

    def _guarded(self, work: Callable[..., None], *arguments: Any) -> None:
        """Calls `work`, unless this thread is in such a call already."""
        me = get_ident()
        if me in self._busy:
            return
        self._busy.add(me)
        try:
            work(*arguments)
        except Exception as error:  # noqa: BLE001 - no error of the recorder may reach the suite
            self._note_once(error)
        finally:
            self._busy.discard(me)

    def _record_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        raise NotImplementedError

    def _record_leftovers(self) -> None:
        """Does nothing in collectors that record at once."""

    def _note_once(self, error: Exception) -> None:
        if not self._has_failed:
            self._has_failed = True
            # Without the error's text, which could come from a class of the suite.
            self.ledger.note(f"{self.subject} may be incomplete: {type(error).__name__} in the recorder")

    def _stack(self) -> list[Frame]:
        return self.ledger.stacks.here(sys._getframe(1))


def absolute(path: object, directory: object = None) -> str:
    """Empty for descriptors and in-memory databases. Never raises: an audit hook that raises would fail the test.

    A `file:` URI names a SQLite database in too many ways to parse here; its path part is near enough.
    """
    if not isinstance(path, str | bytes | os.PathLike):
        return ""
    try:
        name = os.fsdecode(path)
        if name.startswith("file:"):
            name = name.removeprefix("file:").split("?")[0]
        if not name or name.startswith(":memory:"):
            return ""
        if isinstance(directory, int) and directory >= 0 and not os.path.isabs(name):
            # As `shutil.rmtree` does it: relative to an open directory.
            name = os.path.join(os.readlink(f"/proc/self/fd/{directory}"), name)
        return os.path.abspath(name)
    except (OSError, ValueError, TypeError):
        return ""
