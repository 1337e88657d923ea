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
        self._steps: Steps | None = None
        self._locations: list[Location] = []
        self._previous: tuple[Any, Any] = (None, None)
        self._interrupted = ""

    def start(self, watched: Mapping[Location, Callable[[], object]], own_file: str = "") -> None:
        """`own_file` is where returns are still checked after too many lines; empty: in all files of the user."""
        self.stop()
        self._interrupted = ""
        if not watched:
            return
        self._locations = list(watched)
        self._previous = _gettrace(), _threading_gettrace()
        self._steps = Steps(self._stacks.is_users, self._stack, own_file, tuple(watched.values()), self._most_lines)
        _threading_settrace(self._steps)
        self._steps.install()

    def stop(self) -> dict[Location, list[Frame]]:
        """The stacks of the last changes, the writing line first. Restores the earlier trace function, unless the suite
        has set its own meanwhile."""
        steps, self._steps = self._steps, None
        if steps is None:
            return {}
        is_ours = _is_same(_gettrace(), steps)
        previous, previous_of_threads = self._previous
        if is_ours:
            _settrace(previous)
        if _is_same(_threading_gettrace(), steps):
            _threading_settrace(previous_of_threads)
        self._interrupted = self._why_interrupted(steps.effort, is_ours)
        found = steps.finish()
        return {location: stack for location, stack in zip(self._locations, found, strict=True) if stack}

    @property
    def interrupted(self) -> str:
        """Why stepping ended early, in words; empty if it did not."""
        return self._interrupted

    def _why_interrupted(self, effort: str, is_ours: bool) -> str:
        if effort == "given up":
            return f"more than {self._most_lines:,} lines and as many returns"
        if not is_ours:
            return "the test has set a trace function of its own"
        return f"more than {self._most_lines:,} lines" if effort == "returns only" else ""

    def _stack(self, frame: FrameType, line: int) -> list[Frame] | None:
        """Called in the middle of the suite's code, which is not traced during the call."""
        if line == _BEFORE:
            return self._callers(frame)
        (file, _, function), *callers = self._stacks.here(frame)
        return [(file, line if line > 0 else frame.f_code.co_firstlineno, function), *callers]

    def _callers(self, frame: FrameType) -> list[Frame] | None:
        """From the nearest frame of the user on: library calls in between have returned already."""
        caller = frame.f_back
        while caller is not None and not self._stacks.is_users(caller.f_code.co_filename):
            caller = caller.f_back
        return None if caller is None else self._stacks.here(caller)


def _is_same(one: object, other: object) -> bool:
    return one is other
