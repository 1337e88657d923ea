"""The one process sweeper: finds processes by environment, session or parent, and kills them with all below them.

Reads /proc itself, with the standard library only: the reaper and the launcher are isolated programs without
site-packages. So there is one scan for them and for us, and no second one by psutil, which would be no faster: a look
at 115 processes takes 2.6 ms here and 2.8 ms by psutil (best of 15, on a busy machine), which is also to be imported.
Where there is no /proc, nothing is found.
"""

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Collection, Iterable
from typing import NamedTuple

SPARED = b"UNKNOT_REAPER=1"
"""Reapers are known by this in their environment. One may be below a process that another one kills, if unknot runs
below unknot, and has its own work to do then."""

_PAUSE_SECONDS = 0.01


class ProcessInfo(NamedTuple):
    """A process. `started` distinguishes it from a later one with the same number."""

    pid: int
    started: int
    parent: int
    group: int
    session: int

    def lives(self) -> bool:
        found = process_info(self.pid)
        return found is not None and found.started == self.started


def pids() -> list[int]:
    try:
        return [int(entry) for entry in os.listdir("/proc") if entry.isdigit()]
    except OSError:
        return []


def family(mark: bytes, *, session: int = 0) -> list[ProcessInfo]:
    """Processes with `mark` (`NAME=value`) in their environment or in this session, and their descendants: some
    programs overwrite their environment, as database servers do for their title, or leave their session. Never this
    process, nor a reaper. Cost: two reads for each process of the machine."""
    known = _all_processes()
    known.pop(os.getpid(), None)
    environments = {pid: _environment(pid) for pid in known}
    for pid, environment in environments.items():
        if _has(environment, SPARED):
            known.pop(pid)
    chosen = {pid for pid, found in known.items() if session and found.session == session}
    chosen |= {pid for pid in known if _has(environments[pid], mark)}
    return [known[pid] for pid in sorted(_with_descendants(chosen, known))]


def has_company(mark: bytes) -> bool:
    """Whether processes of the family live that are neither this one nor above it."""
    others = {process.pid: process for process in family(mark)}
    above = others.pop(os.getppid(), None)
    while above is not None:
        above = others.pop(above.parent, None)
    return bool(others)


def wait_for_end(process: "subprocess.Popen[bytes]", seconds: float) -> bool:
    """Whether a child ended within these seconds. At once when it does: `Popen.wait` with a time limit sleeps up to
    50 ms too long."""
    try:
        descriptor = os.pidfd_open(process.pid)
    except (AttributeError, OSError):
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
    else:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        poll.poll(seconds * 1000)
        os.close(descriptor)
    return process.poll() is not None


def descendants(pid: int) -> list[int]:
    """All below this process. One that forks meanwhile may be missed: look again until none is left."""
    return sorted(_with_descendants({pid}, _all_processes()) - {pid})


def kill_family(
    mark: bytes,
    *,
    seconds: float,
    seen: Iterable[ProcessInfo] = (),
    spared_mark: bytes = b"",
    spared: Collection[int] = (),
    looks: int = 2,
) -> bool:
    """Kills the family of the mark, and those of `seen` that still live, until none is left; whether that was reached
    within these seconds. Neither the process numbers `spared` nor the family of `spared_mark` are killed. What is
    started meanwhile is found in the next round. A process that is just being replaced by another program shows no
    environment: so two `looks` in a row must find none, unless the caller says that one is enough."""
    until = time.monotonic() + seconds
    remembered = list(seen)
    quiet = 0
    while True:
        remembered = [process for process in remembered if process.lives()]
        found = {process.pid for process in (*family(mark), *remembered)}.difference(spared)
        if found and spared_mark:
            found.difference_update(process.pid for process in family(spared_mark))
        quiet = 0 if found else quiet + 1
        if quiet == looks:
            return True
        if time.monotonic() > until:
            return False
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(_PAUSE_SECONDS)


def _with_descendants(chosen: set[int], known: dict[int, ProcessInfo]) -> set[int]:
    children: dict[int, list[int]] = {}
    for process in known.values():
        children.setdefault(process.parent, []).append(process.pid)
    found = set(chosen)
    waiting = list(chosen)
    while waiting:
        below = [child for child in children.get(waiting.pop(), ()) if child not in found]
        found.update(below)
        waiting += below
    return found


def _all_processes() -> dict[int, ProcessInfo]:
    return {pid: found for pid in pids() if (found := process_info(pid))}


def process_info(pid: int) -> ProcessInfo | None:
    """None if it is gone, or dead and only not yet fetched by its parent."""
    try:
        # The name stands in parentheses and may hold anything, parentheses too.
        fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    except OSError:
        return None
    if len(fields) < 20 or fields[0] in b"ZX":
        return None
    return ProcessInfo(pid, int(fields[19]), parent=int(fields[1]), group=int(fields[2]), session=int(fields[3]))


def seconds_since_start() -> float:
    """How long this process lives; where the system does not say, how long it has computed."""
    found = process_info(os.getpid())
    if found is None:
        return time.process_time()
    return time.clock_gettime(time.CLOCK_BOOTTIME) - found.started / os.sysconf("SC_CLK_TCK")


def _environment(pid: int) -> bytes:
    """Empty for a process that is gone or not ours to read."""
    try:
        return _read(f"/proc/{pid}/environ")
    except OSError:
        return b""


def _has(environment: bytes, variable: bytes) -> bool:
    # Most do not have it anywhere: splitting them all would cost more than reading them.
    return variable in environment and variable in environment.split(b"\0")


def _read(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:
        return file.readall()
