"""What tests leave changed in the state of the process, and who looks at that."""

import sys
from collections.abc import Iterable
from typing import Any

from unknot.recorder.inside.audit import AuditListener
from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.memory.logging_state import LoggingState, logging_sign
from unknot.recorder.inside.memory.reads import Watching, Written
from unknot.recorder.inside.memory.stop_list import StopList
from unknot.recorder.inside.process.events import EVENTS, event_reads
from unknot.recorder.inside.process.state import ProcessSigns, ProcessState
from unknot.recorder.inside.process.uses import readers, unseen_readers

_LOGGING = "logging."


class Process(AuditListener):
    """Told at each border, it tells the ledger what has changed, and from then on who uses that: by one of the calls
    that look at it, or by an audit event that does so without naming it. `seen` is what the last user of each saw.
    Loggers are told of here too: they are objects, but a part of the process for those who log.
    """

    def __init__(self, ledger: Ledger, stop_list: StopList, watching: Watching) -> None:
        super().__init__(EVENTS)
        self._ledger = ledger
        self._stop_list = stop_list
        self._watching = watching
        self._states = (ProcessState(), LoggingState())
        self._signs = ProcessSigns()
        self._left: dict[str, str] = {}
        self._found: dict[str, int] = {}
        self.seen: dict[str, int] = {}
        self.install()

    def look(self, written: Written) -> None:
        """The first look only looks."""
        for seen in (seen for state in self._states for seen in state.look()):
            if self._stop_list.stops(seen.kind, seen.name):
                continue
            restored = seen.sign == seen.sign_clean
            self._ledger.wrote(
                seen.kind,
                seen.name,
                written((seen.kind, seen.name)),
                shown=seen.shown,
                sign=seen.sign,
                clean=seen.sign_clean,
                restored=restored,
            )
            if restored:
                self._left.pop(seen.name, None)
            else:
                self.expect([(seen.kind, seen.name)])

    def expect(self, locations: Iterable[tuple[str, str]]) -> None:
        """Watches these from now on, whether or not they have changed yet."""
        for kind, name in locations:
            if name not in self._left:
                if unseen := unseen_readers(name):
                    self._ledger.fact(kind=kind, name=name, unseen=unseen)
                self._left[name] = kind
            self._found[name] = self.sign(name)
            # Once more each time: modules may have come that know a call by another name.
            for holder, attribute in readers(name, self._watching.users_modules().values()):
                self._watching.watch(holder, attribute, _Use(self, name))
        if self._left:
            self.start()

    def sign(self, name: str) -> int:
        """The fingerprint of what is there now."""
        return logging_sign(name) if name.startswith(_LOGGING) else self._signs.sign(name)

    def was_used(self, name: str) -> bool:
        stack = self._ledger.stacks.here(sys._getframe(1))
        if not self._ledger.stacks.has_users(stack):
            return False
        if name in self._left:
            self.seen[name] = self.sign(name)
            self._ledger.read(self._left[name], name, stack, found=self._found.get(name), seen=self.seen[name])
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
