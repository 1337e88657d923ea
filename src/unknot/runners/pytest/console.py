"""The process that has the terminal of a run: a pytest that collects nothing, and reports what it is fed."""

import contextlib
import json
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from unknot.model.errors import RunnerError
from unknot.model.run import Result
from unknot.model.suite import Order, TestId

_PLUGIN = "unknot.runners.pytest.inside.console"
_ENDING_SECONDS = 10.0
_POLL_SECONDS = 0.1


class PytestConsole:
    """Use as a context manager. Prints nothing until `collected`, so that a run that cannot begin leaves no traces.

    Cost: one start of pytest with the user's plugins and conftest files, while the workers start. `maxfail` and
    `failed` are known once that has happened: after how many failures the run ends (0: never), and which tests failed
    the last time."""

    def __init__(self, directory: Path, words: Sequence[str]) -> None:
        """`words` are pytest's options, and the paths by which it finds its root and its conftest files."""
        there, self._messages = os.pipe()
        self._answers, back = os.pipe()
        os.set_blocking(self._answers, False)
        self._buffer = b""
        self.maxfail = 0
        self.failed: tuple[str, ...] = ()
        self.is_ready = self.is_stopped = False
        """Whether pytest wants no more results: as many tests have failed as may fail."""
        self._early_errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed at the end
        errors = os.dup(2)
        numbers = (there, back, errors)
        command = [sys.executable, "-P", "-m", "pytest", "-p", _PLUGIN, *words]
        try:
            self._process = subprocess.Popen(
                command,
                cwd=directory,
                env={**os.environ, "UNKNOT_CONSOLE": " ".join(map(str, (*numbers, os.getpid())))},
                stdin=subprocess.DEVNULL,
                stderr=self._early_errors,
                pass_fds=numbers,
            )
        finally:
            for number in numbers:
                os.close(number)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Without a call of `end`, nothing more is printed than was sent."""
        self._close_pipe()
        try:
            self._process.wait(timeout=_ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._answers)
        self._early_errors.close()

    def collected(self, tests: Order, details: str, lanes: int) -> None:
        """Raises RunnerError if pytest has ended already."""
        self._send("collected", tests=len(tests), details=details, lanes=lanes)
        if self._process.poll() is not None:
            self._early_errors.seek(0)
            log = self._early_errors.read().decode(errors="replace").strip()
            raise RunnerError(
                f"the pytest that reports the results ended with status {self._process.returncode}:\n{log}",
                hint="make `pytest --collect-only` succeed in the project directory",
                slug="console-ended",
            )

    def report(self, test: TestId, result: Result) -> None:
        """The verdict of a test."""
        self._send(
            "test",
            test=test,
            outcome=str(result.outcome),
            seconds=result.seconds,
            story=result.story,
            details=result.details,
        )

    def write_line(self, text: str, *, is_result: bool) -> None:
        """To standard output if it belongs to the result, else to standard error; on a line of its own."""
        self._send("line", text=text, result=is_result)

    def end(self, *, interrupted: str = "", coverage: Path | None = None) -> int:
        """Prints the summary and returns pytest's exit code. `interrupted` says why some tests have no verdict;
        `coverage` is where workers have left their data."""
        self._send("end", interrupted=interrupted, coverage=str(coverage or ""))
        self._close_pipe()
        return self._process.wait()

    def finish(self) -> None:
        """Every verdict was reported: lets it print the summary at once, unless coverage is still to come."""
        self._send("finish")

    def wait_until_ready(self) -> None:
        """Until pytest has read its options and its cache, or has ended."""
        while not self.is_ready and self._process.poll() is None:
            select.select([self._answers], [], [], _POLL_SECONDS)
            self.poll()

    def poll(self) -> None:
        """Reads what pytest has said."""
        with contextlib.suppress(BlockingIOError):
            while chunk := os.read(self._answers, 1 << 16):
                self._buffer += chunk
        *lines, self._buffer = self._buffer.split(b"\n")
        for line in lines:
            message = json.loads(line)
            self.is_ready = True
            self.maxfail = message.get("maxfail", self.maxfail)
            self.failed = tuple(message.get("failed", self.failed))
            self.is_stopped |= message.get("stop", False)

    def _send(self, event: str, **message: Any) -> None:
        data = memoryview(json.dumps({"event": event, **message}, separators=(",", ":")).encode() + b"\n")
        # A pytest that has ended, because a plugin wanted it to, has an exit code that says so.
        with contextlib.suppress(BrokenPipeError):
            while data and self._messages >= 0:
                data = data[os.write(self._messages, data) :]

    def _close_pipe(self) -> None:
        if self._messages >= 0:
            os.close(self._messages)
            self._messages = -1


def coverage_directory() -> tempfile.TemporaryDirectory[str]:
    """For the data of the workers of one run."""
    return tempfile.TemporaryDirectory(prefix="unknot-coverage-")
