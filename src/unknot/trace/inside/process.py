"""What tests leave changed in the state of the process, and who looks at that."""

import sys
from collections.abc import Iterable
from typing import Any

from unknot.trace.inside.audit import AuditListener
from unknot.trace.inside.ledger import Ledger
from unknot.trace.inside.process_events import EVENTS, event_reads
from unknot.trace.inside.process_state import ProcessSigns, ProcessState
from unknot.trace.inside.process_uses import readers, unseen_readers
from unknot.trace.inside.reads import Watching, Written
from unknot.trace.inside.stop_list import StopList

PROCESS = "process"


class Process(AuditListener):
    """Told at each border, it tells the ledger what has changed, and from then on who uses that: by one of the calls
    that look at it, or by an audit event that does so without naming it.

    A use counts for what an earlier test left: if the test at work has set it before, it is its own.
    """

    def __init__(self, ledger: Ledger, stop_list: StopList, watching: Watching) -> None:
        super().__init__(EVENTS)
        self._ledger = ledger
        self._stop_list = stop_list
        self._watching = watching
        self._state = ProcessState()
        self._signs = ProcessSigns()
        self._left: dict[str, int] = {}
        self.install()

    def look(self, written: Written) -> None:
        """The first look only looks."""
        for seen in self._state.look():
            if self._stop_list.stops(PROCESS, seen.name):
                continue
            restored = seen.sign == seen.sign_clean
            self._ledger.wrote(
                PROCESS,
                seen.name,
                written((PROCESS, seen.name)),
                shown=seen.shown,
                sign=seen.sign,
                restored=restored,
            )
            if restored:
                self._left.pop(seen.name, None)
            else:
                self.expect([seen.name])

    def expect(self, names: Iterable[str]) -> None:
        """Watches these from now on, whether or not they have changed yet."""
        for name in names:
            if name not in self._left:
                if unseen := unseen_readers(name):
                    self._ledger.fact(kind=PROCESS, name=name, unseen=unseen)
                for holder, attribute in readers(name, self._watching.users_modules()):
                    self._watching.watch(holder, attribute, _Use(self, name))
            self._left[name] = self._signs.sign(name)
        if self._left:
            self.start()

    def sign(self, name: str) -> int:
        """The fingerprint of what is there now."""
        return self._signs.sign(name)

    def was_used(self, name: str) -> bool:
        stack = self._ledger.stacks.here(sys._getframe(1))
        if not self._ledger.stacks.has_users(stack):
            return False
        if name in self._left and self._signs.sign(name) == self._left[name]:
            self._ledger.read(PROCESS, name, stack)
        return True

    def _take(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._ledger.test:
            for name in event_reads(event, arguments):
                if name in self._left:
                    self.was_used(name)


class _Use:
    def __init__(self, process: Process, name: str) -> None:
        self._process = process
        self._name = name

    def was_read(self) -> bool:
        return self._process.was_used(self._name)
