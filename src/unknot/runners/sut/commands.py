"""What surrounds an instance: its directories, its log, and commands that run to their end (prepare, stop, a check)."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from unknot.model.errors import RunnerError
from unknot.runners.sandbox.tree import remove


class InstancePaths:
    """`directory` is the system's own (UNKNOT_DIR), `temporary` its TMPDIR, `store` is for states kept,
    `coverage` for the sockets through which programs hand over the lines that they ran. The paths are short: a socket's
    path may have 107 characters."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._base = home / "instance"
        self.directory = self._base / "dir"
        self.temporary = self._base / "tmp"
        self.store = self._base / "store"
        self.coverage = self._base / "coverage"
        self.log = self._base / "log"
        self.check_log = self._base / "check-log"

    def recreate(self) -> None:
        """All of them, empty."""
        self.make_empty(self.directory, self.temporary, self.store, self.coverage)
        if os.geteuid() == 0:
            # Servers that root starts change to a user of their own, which must reach the directories: through the
            # home, without seeing what else is there.
            for directory in (self._home, self._base):
                with explained(directory):
                    directory.chmod(directory.stat().st_mode & 0o7777 | 0o011)

    def make_empty(self, *directories: Path) -> None:
        """Whatever was there. Other users may use `temporary` and `coverage` as they may use /tmp; `directory` is for
        `prepare` to give away."""
        for directory in directories:
            with explained(directory):
                remove(str(directory))
                directory.mkdir(parents=True)
                if directory in (self.temporary, self.coverage) and os.geteuid() == 0:
                    directory.chmod(0o1777)

    def remove(self) -> None:
        """As far as it can be removed; the log stays with the slot's home."""
        for directory in (self.directory, self.temporary, self.store, self.coverage):
            with contextlib.suppress(OSError):
                remove(str(directory))


@contextlib.contextmanager
def explained(directory: Path) -> Iterator[None]:
    """A problem with files there becomes a RunnerError."""
    try:
        yield
    except OSError as problem:
        raise RunnerError(
            f"cannot write to {directory}, which belongs to the instance: {problem.strerror or problem}",
            hint="free some space, set TMPDIR to another disk, or check what else writes there",
            slug="directory-unwritable",
        ) from problem


_LINES = 40
_BYTES_READ = 64 * 1024
_BYTES_KEPT = 8 * 1024 * 1024
_LINE_LENGTH = 500


class Log:
    """Grows while a program writes; `cut` throws the old part away, so that a chatty program does not fill the disk."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def opened(self) -> IO[bytes]:
        """For a program to write to. Appending, so that it can be cut under the writer's hands."""
        return open(self.path, "ab", buffering=0)

    def clear(self) -> None:
        """Raises RunnerError if it cannot be written."""
        with explained(self.path):
            self.path.write_bytes(b"")

    def cut(self) -> None:
        """On a full disk the end of it is lost too."""
        with contextlib.suppress(OSError):
            if self.path.stat().st_size > _BYTES_KEPT:
                kept = self._end()
                os.truncate(self.path, 0)
                with self.opened() as file:
                    file.write(kept)

    def story(self) -> str:
        """The last lines, at most some dozen; empty if there are none. Cost does not depend on the log's size."""
        lines = self._end().decode(errors="replace").strip().splitlines()[-_LINES:]
        return "\n".join(line if len(line) <= _LINE_LENGTH else f"{line[:_LINE_LENGTH]}…" for line in lines)

    def printed(self, by: str = "it") -> str:
        """The same as the end of a message; empty if there is nothing."""
        story = self.story()
        return f"; {by} printed:\n{story}" if story else ""

    def _end(self) -> bytes:
        try:
            with open(self.path, "rb") as file:
                file.seek(max(0, os.fstat(file.fileno()).st_size - _BYTES_READ))
                return file.read(_BYTES_READ)
        except FileNotFoundError:
            return b""


@dataclass(frozen=True)
class InstanceContext:
    """What the programs, checks and resets of an instance find around them.

    `directory` is its private directory, `work` the working directory of commands. `store` is a private directory for
    kept states, outside `directory` and on the same file system. `environment` is the whole environment of what is
    started, `log` is where its output goes. `placeholders` are the names that words may use: dir, worker, port0, …
    """

    directory: Path
    work: Path
    store: Path
    log: Log
    environment: Mapping[str, str]
    placeholders: Mapping[str, str]


def start(words: Sequence[str], context: InstanceContext) -> subprocess.Popen[bytes]:
    """In a session of its own, so that Ctrl-C does not reach it and all of it can be ended. Raises RunnerError if there
    is no such program. Never a shell."""
    with explained(context.log.path):
        output = context.log.opened()
    try:
        return subprocess.Popen(
            list(words),
            cwd=context.work,
            env=dict(context.environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        if isinstance(problem, FileNotFoundError):
            reason = "there is no such program"
        raise RunnerError(
            f"cannot run `{words[0]}` for the instance: {reason}",
            hint="install it, or correct the command in the configuration of the instance; it runs in the project's"
            " working copy, without a shell",
            slug="instance-not-started",
        ) from problem
    finally:
        output.close()


def finish(words: Sequence[str], context: InstanceContext, *, seconds: float) -> int | None:
    """Runs it to its end and returns its exit status; None if it took too long and was killed."""
    return wait_for(start(words, context), seconds)


def wait_for(process: subprocess.Popen[bytes], seconds: float) -> int | None:
    """Its exit status; None if it took too long and was killed with its group. What it has left in the background
    when it ended by itself lives on."""
    try:
        return process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if process.poll() is None:
            kill_group(process.pid)
            process.wait()


def kill_group(leader: int, number: signal.Signals = signal.SIGKILL) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)
