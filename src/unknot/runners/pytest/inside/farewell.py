"""How a forked process says that it came to its own end, and was not ended by a test."""

import mmap


class Farewell:
    """A byte of memory that parent and child share. An exit status would not do: a test can leave with any. Nor would
    a pipe: a test can close it. Parents wait for one child at a time, so that one byte serves a whole tree."""

    def __init__(self) -> None:
        self._shared = mmap.mmap(-1, 1)

    def clear(self) -> None:
        self._shared[0] = 0

    def say(self, status: int) -> None:
        """Called by the child as the last thing it does; `status` is not 0."""
        self._shared[0] = status

    def heard(self) -> int:
        """What the child said; 0 if it was ended before it could."""
        return self._shared[0]
