"""A process that was forked for one worker off the one that has collected the suite."""

import contextlib
import os
import select
import signal
import time
from collections.abc import Callable
from pathlib import Path

from unknot.runners.pytest.piped_process import PipedProcess

_STATUS_SECONDS = 2.0
"""How long the process that forked it may take to report how it ended."""

_PAUSE_SECONDS = 0.005


class ForkedProcess(PipedProcess):
    """`clear` kills what tests have started and left. To be used once `began` has said its number."""

    def __init__(self, home: Path, clear: Callable[[], None]) -> None:
        super().__init__(home)
        self.status_path = home / "status"
        self.status_path.unlink(missing_ok=True)
        self._clear = clear
        self._pid = 0
        self._descriptor = -1
        self._status: int | None = None

    def began(self, pid: int) -> None:
        self._pid = pid
        try:
            self._descriptor = os.pidfd_open(pid)
        except ProcessLookupError:
            self._status = self._reported()

    @property
    def pid(self) -> int:
        return self._pid

    @property
    def exit_status(self) -> int | None:
        if self._status is None and self._descriptor >= 0:
            poll = select.poll()
            poll.register(self._descriptor, select.POLLIN)
            if poll.poll(0):
                self._status = self._reported()
        return self._status

    def _reported(self) -> int:
        """If nothing is left that could report it, it was killed with the process that forked it."""
        until = time.monotonic() + _STATUS_SECONDS
        while time.monotonic() < until:
            with contextlib.suppress(OSError, ValueError):
                return int(self.status_path.read_text(encoding="ascii"))
            time.sleep(_PAUSE_SECONDS)
        return -signal.SIGKILL

    @property
    def is_outdated(self) -> bool:
        return False

    def stop(self) -> None:
        """It has nothing to end gently: pytest's session is another process's."""
        self.kill()

    def kill(self) -> None:
        if self._descriptor >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._descriptor, signal.SIGKILL)
            poll = select.poll()
            poll.register(self._descriptor, select.POLLIN)
            poll.poll()
            os.close(self._descriptor)
            self._descriptor = -1
        self._clear()
        self._close_pipes()
