"""The way out of a process under test: a pipe or a file that survives what tests do to file descriptors."""

import fcntl
import json
import os
import resource
from typing import Any

_FAR_FROM_SMALL_NUMBERS = 200
"""Tests that close descriptors wholesale mostly stop at a few hundred; our copy lives that far below the limit."""


class Channel:
    """Writes one JSON object per line. Only one process of a worker writes at a time, so lines never interleave; one
    that is killed in the middle of a line leaves a piece, which the line break before each message cuts off.

    A test may close our descriptor, or close it and get the same number for a file of its own. Each write therefore
    checks that the number still leads to the pipe or file, and opens that again by its path if not.
    """

    def __init__(self, path: str, flags: int = 0) -> None:
        self.path = path
        self._flags = os.O_WRONLY | flags
        self._fd = -1
        self._identity = (0, 0)
        self._open()

    def _open(self) -> None:
        near = os.open(self.path, self._flags)
        soft_limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        floor = max(3, min(soft_limit, 65536) - _FAR_FROM_SMALL_NUMBERS)
        try:
            self._fd = fcntl.fcntl(near, fcntl.F_DUPFD_CLOEXEC, floor)
            os.close(near)
        except OSError:
            self._fd = near
        status = os.fstat(self._fd)
        self._identity = (status.st_dev, status.st_ino)

    @property
    def descriptor(self) -> int:
        return self._fd

    def leads_to(self, target: str) -> bool:
        """Whether it is the pipe that is shown so in /proc."""
        return target == os.readlink(f"/proc/self/fd/{self._fd}")

    def send(self, message: dict[str, Any]) -> None:
        self.write(b"\n" + json.dumps(message, separators=(",", ":")).encode() + b"\n")

    def write(self, data: bytes) -> None:
        self._check()
        view = memoryview(data)
        while view:
            view = view[os.write(self._fd, view) :]

    def close(self) -> None:
        if self._is_there():
            os.close(self._fd)
        self._fd = -1

    def _check(self) -> None:
        if not self._is_there():
            self._open()

    def _is_there(self) -> bool:
        try:
            status = os.fstat(self._fd)
        except OSError:
            return False
        return (status.st_dev, status.st_ino) == self._identity
