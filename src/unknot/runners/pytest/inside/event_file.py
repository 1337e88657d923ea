"""The file that a recorder writes to, in the process of tests that may do anything to open files."""

import os

from unknot.runners.pytest.inside.channel import Channel

_ENOUGH = 1 << 16
"""Characters that are kept back, because there are many short lines."""


class EventFile:
    """A new file of lines. Survives tests that close descriptors, or write to those of others: whole lines of ours
    never mix with what they write. Never raises into the suite: `problem` says why the file is not complete."""

    def __init__(self, path: str) -> None:
        with open(path, "wb"):
            pass
        self._channel = Channel(path, os.O_APPEND)
        self._process = os.getpid()
        self._kept: list[str] = []
        self._length = 0
        self.problem = ""

    def write(self, line: str) -> None:
        """With its line break."""
        self._kept.append(line)
        self._length += len(line)
        if self._length > _ENOUGH:
            self.flush()

    def flush(self) -> None:
        """A child that a test has forked has lines of its parent, which are not its to write."""
        if not self._kept or os.getpid() != self._process:
            return
        lines = "".join(self._kept)
        self._kept.clear()
        self._length = 0
        try:
            # The break before it ends what a test may have written.
            self._channel.write(b"\n" + lines.encode("utf-8", "backslashreplace"))
        except OSError as error:
            self.problem = self.problem or str(error)

    def close(self) -> None:
        self.flush()
        self._channel.close()
