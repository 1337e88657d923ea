"""The last of a slot: waits for the end of the process that holds it, then clears away what is left.

Started as a program, by its path and without any of our modules; `guard` does that, and uses `clear_away` too.
"""

import contextlib
import os
import shutil
import signal
import stat
import sys
import time
from collections.abc import Callable
from typing import Any

SPARED = b"UNKNOT_GUARDIAN=1"
"""Guardians are known by this in their environment. One may be below a process that another one ends, if unknot runs
below unknot, and has its own work to do then."""

_PATIENCE_SECONDS = 30.0
"""For processes that do not go when they are killed: they wait for a disk or a network."""

_PAUSE_SECONDS = 0.02
_REMOVALS = 5


def clear_away(mark: str, home: str) -> None:
    """Kills every process that has `mark` in its environment, and what is below one, until none is found; then removes
    the directory `home`. Without /proc no process is found."""
    end_processes(os.fsencode(mark))
    for _ in range(_REMOVALS):
        if not os.path.lexists(home):
            return
        shutil.rmtree(home, onerror=_after_opening)
        time.sleep(_PAUSE_SECONDS)


def end_processes(mark: bytes, spared: bytes = b"") -> None:
    """All that have `mark` in their environment, but for those that have `spared` too, and what is below these. A
    process that is just being replaced by another program shows no environment: so it takes two looks in a row that
    find nobody."""
    until = time.monotonic() + _PATIENCE_SECONDS
    quiet = 0
    while quiet < 2 and time.monotonic() < until:
        found = marked(mark) - (marked(spared) if spared else set())
        for process in found:
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)
        quiet = 0 if found else quiet + 1
        if quiet < 2:
            time.sleep(_PAUSE_SECONDS)


def marked(mark: bytes) -> set[int]:
    """Those with the mark and all below them: a program that writes a title into its own environment, as database
    servers do, is known by its parent only. Never this process, never a guardian."""
    environments = {int(entry): _environment(entry) for entry in _listed("/proc") if entry.isdigit()}
    children: dict[int, list[int]] = {}
    for process in environments:
        children.setdefault(_parent(process), []).append(process)
    found: set[int] = set()
    waiting = [process for process, environment in environments.items() if mark in environment]
    while waiting:
        process = waiting.pop()
        if process not in found and process != os.getpid() and SPARED not in environments[process]:
            found.add(process)
            waiting += children.get(process, [])
    return found


def _listed(directory: str) -> list[str]:
    try:
        return os.listdir(directory)
    except OSError:
        return []


def _environment(process: str) -> frozenset[bytes]:
    with contextlib.suppress(OSError), open(f"/proc/{process}/environ", "rb") as file:
        return frozenset(file.read().split(b"\0"))
    return frozenset()


def _parent(process: int) -> int:
    """0 if it is gone, or is about to be: a zombie needs no killing."""
    with contextlib.suppress(OSError), open(f"/proc/{process}/stat", "rb") as file:
        # The name, in parentheses, may hold anything.
        state, parent = file.read().rpartition(b")")[2].split()[:2]
        return 0 if state in (b"Z", b"X") else int(parent)
    return 0


def _after_opening(remove: Callable[..., Any], path: str, _: Any) -> None:
    """A test may have left a directory that nobody may write."""
    with contextlib.suppress(OSError):
        os.chmod(os.path.dirname(path), stat.S_IRWXU)
        if os.path.isdir(path) and not os.path.islink(path):
            os.chmod(path, stat.S_IRWXU)
            shutil.rmtree(path, ignore_errors=True)
        else:
            remove(path)


def _wait(descriptor: int) -> None:
    while os.read(descriptor, 4096):
        pass


if __name__ == "__main__":
    _wait(int(sys.argv[1]))
    clear_away(sys.argv[2], sys.argv[3])
