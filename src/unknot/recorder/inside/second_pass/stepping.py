"""Finds the line that wrote the final content of a location."""

import sys
import threading
from collections.abc import Callable, Hashable, Mapping
from types import FrameType
from typing import Any, Generic, TypeVar

from unknot.recorder.inside.stack import Frame, Stacks
from unknot.recorder.native._step import Steps

Location = TypeVar("Location", bound=Hashable)

_BEFORE = 0
_ALL_FILES = ""
"""After too many lines, returns are still checked in all files of the user."""

_gettrace, _settrace = sys.gettrace, sys.settrace
_threading_gettrace, _threading_settrace = threading.gettrace, threading.settrace


class Stepper(Generic[Location]):
    """Between `start` and `stop`, checks the watched locations after every line of the user's files and remembers
    where each one changed last.

    A change made by library code is attributed to the user's line that called it. A change while none of the user's
    functions is running (pytest undoing a patch) has no line, and the location is missing from the result; so is one
    whose last change was missed. What is in the result is where the final content came from.

    Threads that start meanwhile are stepped through too. Earlier threads are not, and what they do is attributed to the
    line that waits for them. If the interpreter switches threads in the middle of a line, the wrong one may be named.

    The watched callables run after every line: they should take well below a microsecond and must not run the suite's
    code. A line costs 0.1 µs plus the callables; a line of library code about 50 ns. After `most_lines` lines only
    returns of functions are checked (the line is then that of the `def`), and after as many of those nothing.
    """

    def __init__(self, stacks: Stacks, most_lines: int = 30_000) -> None:
        self._stacks = stacks
        self._most_lines = most_lines
        self._steps: Any = None
        self._locations: list[Location] = []
        self._previous: tuple[Any, Any] = (None, None)

    def start(self, watched: Mapping[Location, Callable[[], object]]) -> None:
        self.stop()
        if not watched:
            return
        self._locations = list(watched)
        self._previous = _gettrace(), _threading_gettrace()
        self._steps = Steps(self._stacks.is_users, self._stack, _ALL_FILES, tuple(watched.values()), self._most_lines)
        _threading_settrace(self._steps)
        self._steps.install()

    def stop(self) -> dict[Location, list[Frame]]:
        """The stacks of the last changes, the writing line first. Restores the earlier trace function, unless the suite
        has set its own meanwhile."""
        steps, self._steps = self._steps, None
        if steps is None:
            return {}
        previous, previous_of_threads = self._previous
        if _gettrace() is steps:
            _settrace(previous)
        if _threading_gettrace() is steps:
            _threading_settrace(previous_of_threads)
        found = steps.finish()
        return {location: stack for location, stack in zip(self._locations, found, strict=True) if stack}

    def _stack(self, frame: FrameType, line: int) -> list[Frame] | None:
        """Called in the middle of the suite's code, which is not traced during the call."""
        if line == _BEFORE:
            # Library calls between the user's frame and this one have returned already.
            caller = self._stacks.nearest_users(frame.f_back)
            return None if caller is None else self._stacks.here(caller)
        (file, _, function), *callers = self._stacks.here(frame)
        return [(file, line if line > 0 else frame.f_code.co_firstlineno, function), *callers]
