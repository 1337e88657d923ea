"""Runs a command and measures it: wall seconds, and the peak memory of the largest process of its tree.

The kernel hands both over when the command is waited for: `ru_maxrss` from `wait4` is the maximum over the process
itself and all descendants that were waited for, at any depth. A process that was never waited for is not counted.
"""

import os
import pty
import signal
import subprocess
import termios
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

_KIBIBYTES_A_MEGABYTE = 1024


@dataclass(frozen=True)
class Finished:
    """How a command ended."""

    code: int
    seconds: float
    peak_mb: float
    timed_out: bool
    output: str
    """stdout and stderr, as they came."""

    def last_line(self) -> str:
        """The last line that says something; for one-line messages."""
        lines = [line.strip() for line in self.output.splitlines() if line.strip()]
        return lines[-1] if lines else ""


def run(
    command: Sequence[str | Path],
    *,
    directory: Path,
    environment: Mapping[str, str],
    timeout: float,
    log: Path,
    terminal: bool = False,
) -> Finished:
    """Runs `command` in a session of its own; after `timeout` seconds all of that session is killed.

    With `terminal` it believes to write to a terminal of 80 columns. The output is kept in `log`.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as output:
        screen = _Screen(output.fileno()) if terminal else None
        started = time.monotonic()
        process = subprocess.Popen(
            [str(word) for word in command],
            cwd=directory,
            env=dict(environment),
            stdin=screen.inner if screen else subprocess.DEVNULL,
            stdout=screen.inner if screen else output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        code, usage_kib, timed_out = _wait(process, timeout)
        seconds = time.monotonic() - started
        if screen is not None:
            screen.close()
    return Finished(
        code=code,
        seconds=seconds,
        peak_mb=usage_kib / _KIBIBYTES_A_MEGABYTE,
        timed_out=timed_out,
        output=log.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n"),
    )


def _wait(process: "subprocess.Popen[bytes]", timeout: float) -> tuple[int, int, bool]:
    expired = threading.Event()

    def kill() -> None:
        expired.set()
        os.killpg(process.pid, signal.SIGKILL)

    timer = threading.Timer(timeout, kill)
    timer.daemon = True
    timer.start()
    try:
        _, status, usage = os.wait4(process.pid, 0)
    except BaseException:  # Ctrl-C, or asked to end: the command must not live on
        os.killpg(process.pid, signal.SIGKILL)
        raise
    finally:
        timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_maxrss, expired.is_set()


def end_when_asked() -> None:
    """Makes `kill` end this process like Ctrl-C does, so that the command under way is ended too."""

    def end(number: int, frame: FrameType | None) -> None:
        del frame
        signal.signal(number, signal.SIG_IGN)  # `timeout` asks twice
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, end)


class _Screen:
    """A pseudo-terminal whose output is copied to a file."""

    def __init__(self, output: int) -> None:
        self._outer, self.inner = pty.openpty()
        termios.tcsetwinsize(self.inner, (24, 80))
        self._output = output
        self._copier = threading.Thread(target=self._copy, daemon=True)
        self._copier.start()

    def _copy(self) -> None:
        while True:
            try:
                data = os.read(self._outer, 65536)
            except OSError:  # Linux says EIO when the last writer has gone
                return
            if not data:
                return
            os.write(self._output, data)

    def close(self) -> None:
        """After the command has ended: takes what is still to be read."""
        os.close(self.inner)
        self._copier.join(timeout=10)
        os.close(self._outer)
