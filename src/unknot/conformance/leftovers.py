"""Finds what a runner leaves behind: processes by a mark in their environment, files in a private TMPDIR."""

import contextlib
import os
import shutil
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_VARIABLE = "UNKNOT_CONFORMANCE"
_PATIENCE = 15.0
"""Seconds that a killed process may take to disappear on a busy machine."""

_GLANCE = 0.05
"""Seconds between two checks."""

_STAYS = ("multiprocessing.resource_tracker", "multiprocessing.forkserver")
"""Python's own helpers, one for each process, that end with it."""


@dataclass(frozen=True)
class LeftoverWatch:
    """`mark` is in the environment of every process started meanwhile; `temporary` was TMPDIR."""

    mark: bytes
    temporary: Path

    def processes(self) -> list[str]:
        """The processes that still run, as number and command line, after some time to exit. A port that is still in
        use belongs to one of them. A process that is just being replaced by another program shows no environment: only
        if two checks in a row find none, there is none."""
        deadline = time.monotonic() + _PATIENCE
        none_before = False
        while True:
            found = list(self.running())
            if (not found and none_before) or (found and time.monotonic() > deadline):
                return found
            none_before = not found
            time.sleep(_GLANCE)

    @contextlib.contextmanager
    def while_running(self) -> Iterator[set[str]]:
        """Collects the processes that run meanwhile, by checking at short intervals."""
        seen: set[str] = set()
        over = threading.Event()

        def look() -> None:
            while not over.wait(_GLANCE):
                seen.update(self.running())

        looker = threading.Thread(target=look)
        looker.start()
        try:
            yield seen
        finally:
            over.set()
            looker.join()

    def running(self) -> Iterator[str]:
        for entry in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):
                process = Path("/proc", entry)
                if int(entry) == os.getpid() or self.mark not in (process / "environ").read_bytes().split(b"\0"):
                    continue
                words = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                if not any(name in words for name in _STAYS):
                    yield f"{entry} {words}"

    def files(self) -> list[str]:
        """The files left in the temporary directory, except empty ones, which serve as locks, and their directories."""
        deadline = time.monotonic() + _PATIENCE
        while (found := sorted(self._lying())) and time.monotonic() < deadline:
            time.sleep(0.05)
        return found

    def _lying(self) -> Iterator[str]:
        for path in self.temporary.rglob("*"):
            with contextlib.suppress(OSError):
                if path.is_symlink() or (not path.is_dir() and path.stat().st_size):
                    yield str(path.relative_to(self.temporary))


def can_see_processes() -> bool:
    return os.path.exists("/proc/self/environ")


@contextlib.contextmanager
def watch_leftovers() -> Iterator[LeftoverWatch]:
    """Marks every process started meanwhile and gives it its own temporary directory. The name of the directory is
    short, because the names of sockets in it are limited."""
    token = uuid.uuid4().hex
    temporary = Path(tempfile.mkdtemp(prefix="c", dir="/tmp"))
    before = {name: os.environ.get(name) for name in (_VARIABLE, "TMPDIR")}
    chosen = tempfile.tempdir
    os.environ.update({_VARIABLE: token, "TMPDIR": str(temporary)})
    tempfile.tempdir = None
    try:
        yield LeftoverWatch(f"{_VARIABLE}={token}".encode(), temporary)
    finally:
        tempfile.tempdir = chosen
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        shutil.rmtree(temporary, ignore_errors=True)
