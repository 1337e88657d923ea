"""Where in the user's code something happens."""

import os
import sys
from collections.abc import Sequence
from types import CodeType, FrameType

from unknot.recorder.inside.ownership import Ownership

Frame = tuple[str, int, str]
"""File, line, function."""

_MOST_FRAMES = 5
_OURS = os.path.dirname(__file__) + os.sep
_MACHINERY = (f"{os.sep}_pytest{os.sep}", f"{os.sep}pluggy{os.sep}", _OURS)


class Stacks:
    """Takes short stacks: the frame in which it happened, if that is somebody else's code, then the user's frames that
    led there, innermost first, up to pytest.

    `roots` are the user's directories; what else is theirs `Ownership` says. Costs some 100 ns for each frame of the
    stack.
    """

    def __init__(self, roots: tuple[str, ...]) -> None:
        self._ownership = Ownership(roots)
        self._known: dict[str, bool] = {}
        self._moment: list[tuple[CodeType, int, int]] = []
        self._last: list[Frame] = []

    def adopt_neighbours(self, scratch: str) -> None:
        """Whatever is neither installed nor below `scratch`, where tests write, is the user's too."""
        self._ownership.adopt_neighbours(scratch)
        self._known.clear()

    def is_users(self, file: str) -> bool:
        known = self._known.get(file)
        if known is None:
            known = self._known[file] = self._ownership.is_users(file)
        return known

    def has_users(self, stack: Sequence[Frame]) -> bool:
        return any(self.is_users(file) for file, _, _ in stack)

    def here(self, frame: FrameType | None = None) -> list[Frame]:
        """The stack that ends in the frame, by default the caller's."""
        frame = frame or sys._getframe(1)
        while frame is not None and frame.f_code.co_filename.startswith(_OURS):
            frame = frame.f_back
        # Whoever looks at a whole container looks at many things in the same moment.
        moment = _moment(frame)
        if moment != self._moment:
            self._moment, self._last = moment, self._stack(frame)
        return self._last

    def _stack(self, frame: FrameType | None) -> list[Frame]:
        found: list[Frame] = []
        while frame is not None and len(found) < _MOST_FRAMES:
            file = frame.f_code.co_filename
            if self.is_users(file):
                found.append(_place(frame))
            elif not found and not any(part in file for part in _MACHINERY):
                found.append(_place(frame))
                frame = self._nearest_users(frame.f_back)
                continue
            frame = frame.f_back
        return found

    def _nearest_users(self, frame: FrameType | None) -> FrameType | None:
        while frame is not None and not self.is_users(frame.f_code.co_filename):
            frame = frame.f_back
        return frame


def _place(frame: FrameType) -> Frame:
    return frame.f_code.co_filename, frame.f_lineno or frame.f_code.co_firstlineno, frame.f_code.co_qualname


def _moment(frame: FrameType | None) -> list[tuple[CodeType, int, int]]:
    """The same as long as none of the frames has gone on. An address alone may be another frame's by now."""
    found: list[tuple[CodeType, int, int]] = []
    while frame is not None and len(found) < _MOST_FRAMES:
        found.append((frame.f_code, id(frame), frame.f_lasti))
        frame = frame.f_back
    return found
