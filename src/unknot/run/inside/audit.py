"""Listens to CPython's audit events."""

import sys
from typing import Any


class AuditListener:
    """Hands the events of interest to `_take` while it is active."""

    def __init__(self, events: frozenset[str]) -> None:
        self._events = events
        self._active = False

    def install(self) -> None:
        """Cannot be undone: CPython has no way to remove an audit hook. Inactive until `start`."""
        interesting = self._events

        def hook(event: str, arguments: tuple[Any, ...]) -> None:
            # Called tens of thousands of times a second, nearly always for an event that does not matter.
            if event in interesting and self._active:
                self._take(event, arguments)

        sys.addaudithook(hook)

    def start(self) -> None:
        self._active = True

    def stop(self) -> None:
        self._active = False

    def _take(self, event: str, arguments: tuple[Any, ...]) -> None:
        raise NotImplementedError
