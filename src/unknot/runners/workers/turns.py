"""Who may run at the same time: tasks that write what workers share run alone, all others together."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_LOOK_SECONDS = 0.1


class Turns:
    """For the slots of this process. A task that waits to be alone keeps others from starting, so that its turn
    comes. Cost: microseconds, unless it has to wait."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._together = 0
        self._is_alone = False
        self._waiting_to_be_alone = 0

    @contextmanager
    def taken(self, *, alone: bool, is_cancelled: Callable[[], bool]) -> Iterator[bool]:
        """Waits for the turn and holds it. False if the task was cancelled before it came."""
        if not (self._take_alone(is_cancelled) if alone else self._take_together(is_cancelled)):
            yield False
            return
        try:
            yield True
        finally:
            with self._changed:
                if alone:
                    self._is_alone = False
                else:
                    self._together -= 1
                self._changed.notify_all()

    def _take_alone(self, is_cancelled: Callable[[], bool]) -> bool:
        with self._changed:
            self._waiting_to_be_alone += 1
            try:
                while self._is_alone or self._together:
                    if is_cancelled():
                        return False
                    self._changed.wait(_LOOK_SECONDS)
                self._is_alone = True
                return True
            finally:
                self._waiting_to_be_alone -= 1
                self._changed.notify_all()

    def _take_together(self, is_cancelled: Callable[[], bool]) -> bool:
        with self._changed:
            while self._is_alone or self._waiting_to_be_alone:
                if is_cancelled():
                    return False
                self._changed.wait(_LOOK_SECONDS)
            self._together += 1
            return True
