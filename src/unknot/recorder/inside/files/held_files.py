"""Files that are still open after the test that opened them."""

import contextlib
from collections.abc import Collection
from os import listdir as _listdir
from os import readlink as _readlink

from unknot.recorder.inside.files.states import FileState, state_of

_DESCRIPTORS = "/proc/self/fd"


class HeldFiles:
    """Knows the files that a test has opened to write and left open: whoever writes to them later, a log for example,
    raises no event. They are looked at, by size and time only, at each border after that.

    Costs one call of the system for each such file and border; the list of open files is read after tests that have
    written to a file. What is still in a buffer is taken for a write of the test in which it is flushed.
    """

    def __init__(self) -> None:
        self._held: dict[str, FileState | None] = {}

    def changed(self, written: Collection[str]) -> list[str]:
        """Which of them have changed since the last border, but for those that the test is known to have `written`."""
        found = []
        for path, before in self._held.items():
            after = state_of(path, read=False)
            if after != before:
                self._held[path] = after
                if path not in written and after is not None:
                    found.append(path)
        if written:
            is_open = _open_files()
            self._held = {path: state_of(path, read=False) for path in (*self._held, *written) if path in is_open}
        return found


def _open_files() -> set[str]:
    found = set()
    try:
        for name in _listdir(_DESCRIPTORS):
            with contextlib.suppress(OSError):
                found.add(_readlink(f"{_DESCRIPTORS}/{name}"))
    except OSError:
        pass
    return found
