"""Finds the line that wrote a location for good."""

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
    """Between `start` and `stop`, looks at the watched locations after every line of the user's files and remembers
    where each one changed last.

    What code of others changes is put down to the user's line that called it. What changes while none of the user's
    functions is at work (pytest undoing a patch) has no place, and the location is missing from the result; so is one
    whose last change was not seen at all: what is in the result is where the final content came from.

    Threads that begin meanwhile are stepped through too; those that were there before are not, and what they do is put
    down to the line that waits for them. Of two threads that the interpreter switches between in the middle of a line,
    the wrong one may be named.

    The watched callables are asked at every line: they should take well below a microsecond and must not run the
    suite's code. A line costs 0.1 µs and what they take; a line of others' code some 50 ns. After `most_lines` lines
    only the returns of functions are looked at (then the line given is that of the `def`), and after as many of those
    nothing any more.
    """

    def __init__(self, stacks: Stacks, most_lines: int = 30_000) -> None:
        self._stacks = stacks
        self._most_lines = most_lines
        self._steps: Steps | None = None
        self._locations: list[Location] = []
        self._former: tuple[Any, Any] = (None, None)
        self._interrupted = ""

    def start(self, watched: Mapping[Location, Callable[[], object]], own_file: str = "") -> None:
        """`own_file` is where returns are still looked at when there were too many lines; empty: all the user's."""
        self.stop()
        self._interrupted = ""
        if not watched:
            return
        self._locations = list(watched)
        self._former = _gettrace(), _threading_gettrace()
        self._steps = Steps(self._stacks.is_users, self._stack, own_file, tuple(watched.values()), self._most_lines)
        _threading_settrace(self._steps)
        self._steps.install()

    def stop(self) -> dict[Location, list[Frame]]:
        """The stacks of the last changes, the writing line first. Puts back the trace function that was there before,
        unless somebody else has set his own meanwhile."""
        steps, self._steps = self._steps, None
        if steps is None:
            return {}
        is_ours = _is_same(_gettrace(), steps)
        former, former_of_threads = self._former
        if is_ours:
            _settrace(former)
        if _is_same(_threading_gettrace(), steps):
            _threading_settrace(former_of_threads)
        self._interrupted = self._why_interrupted(steps.effort, is_ours)
        found = steps.finish()
        return {location: stack for location, stack in zip(self._locations, found, strict=True) if stack}

    @property
    def interrupted(self) -> str:
        """Why the last stretch was not stepped through to its end, in words; empty if it was."""
        return self._interrupted

    def _why_interrupted(self, effort: str, is_ours: bool) -> str:
        if effort == "given up":
            return f"more than {self._most_lines:,} lines and as many returns"
        if not is_ours:
            return "the test has set a trace function of its own"
        return f"more than {self._most_lines:,} lines" if effort == "returns only" else ""

    def _stack(self, frame: FrameType, line: int) -> list[Frame] | None:
        """Called in the middle of the suite's code, which is not traced for so long."""
        if line == _BEFORE:
            return self._callers(frame)
        (file, _, function), *callers = self._stacks.here(frame)
        return [(file, line if line > 0 else frame.f_code.co_firstlineno, function), *callers]

    def _callers(self, frame: FrameType) -> list[Frame] | None:
        """From the nearest of the user's frames on: what others did in between has come to its end already."""
        caller = frame.f_back
        while caller is not None and not self._stacks.is_users(caller.f_code.co_filename):
            caller = caller.f_back
        return None if caller is None else self._stacks.here(caller)


def _is_same(one: object, other: object) -> bool:
    return one is other
