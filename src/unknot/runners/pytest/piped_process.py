"""A pytest process as its worker sees it: two pipes and a log."""

import contextlib
import json
import os
import select
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

_LOG_LINES = 40
_LOG_BYTES_READ = 64 * 1024
_LOG_BYTES_KEPT = 8 * 1024 * 1024


class PipedProcess(ABC):
    """Its pipes and its log are in the directory `home`. Ended by `stop` or `kill`, whatever happens."""

    def __init__(self, home: Path) -> None:
        self._buffer = b""
        self._log_path = home / "log"
        self._answers_path, self._commands_path = home / "answers", home / "commands"
        for pipe in (self._answers_path, self._commands_path):
            pipe.unlink(missing_ok=True)
            os.mkfifo(pipe, 0o600)
        self._log_path.write_bytes(b"")
        # Opened for both directions so that neither end blocks or sees an early end of file.
        self.answers = os.open(self._answers_path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        self._commands = os.open(self._commands_path, os.O_RDWR | os.O_CLOEXEC)

    @property
    @abstractmethod
    def pid(self) -> int: ...

    @property
    @abstractmethod
    def exit_status(self) -> int | None: ...

    @property
    @abstractmethod
    def is_outdated(self) -> bool:
        """Whether the system under test, or the namespace, is another one by now: this process, and what it forks,
        would not find it."""

    @abstractmethod
    def stop(self) -> None:
        """Lets it end by itself; kills it if it does not."""

    @abstractmethod
    def kill(self) -> None: ...

    def wait_for_answers(self, seconds: float) -> bool:
        """Whether there is something to read, now or within these seconds."""
        poll = select.poll()
        poll.register(self.answers, select.POLLIN)
        return bool(poll.poll(seconds * 1000))

    def read(self) -> list[Mapping[str, Any]]:
        """The messages that have come in, oldest first; never blocks."""
        with contextlib.suppress(BlockingIOError):
            while chunk := os.read(self.answers, 1 << 20):
                self._buffer += chunk
        *lines, self._buffer = self._buffer.split(b"\n")
        return list(_parsed(lines))

    def send(self, command: Mapping[str, Any]) -> None:
        """Hands over a command. A large one goes in pieces as the other side reads; if that side dies meanwhile, the
        rest is dropped, and the caller finds out by `exit_status`."""
        data = memoryview(json.dumps(command, separators=(",", ":")).encode() + b"\n")
        os.set_blocking(self._commands, False)
        while data and self.exit_status is None:
            _, ready, _ = select.select([], [self._commands], [], 0.2)
            if ready:
                data = data[os.write(self._commands, data) :]

    def log(self) -> str:
        """The end of what pytest itself printed."""
        with open(self._log_path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _LOG_BYTES_READ))
            text = file.read().decode(errors="replace")
        return "\n".join(text.strip().splitlines()[-_LOG_LINES:])

    def cut_log(self) -> None:
        """Tests that are not captured may print 100 MB each."""
        if self._log_path.stat().st_size > _LOG_BYTES_KEPT:
            os.truncate(self._log_path, 0)

    def send_stop(self) -> None:
        """Does not wait, so that several can end at the same time. To be called twice does no harm."""
        with contextlib.suppress(OSError):
            self.send({"do": "stop"})

    def _close_pipes(self) -> None:
        for descriptor in (self.answers, self._commands):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        self.answers = self._commands = -1


def _parsed(lines: Sequence[bytes]) -> Iterator[Mapping[str, Any]]:
    """A process that was killed while it wrote leaves a piece of a line, and a test may write to any descriptor."""
    for line in filter(None, lines):
        with contextlib.suppress(ValueError):
            message = json.loads(line.decode())
            if isinstance(message, dict) and "event" in message:
                yield message
