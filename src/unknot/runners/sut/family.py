"""The processes of an instance: those that carry its mark, its session, and whatever descends from them."""

import contextlib
import os
import signal
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from unknot.runners.sandbox.reaper import SPARED

_ROUNDS = 200
_ROUND_SECONDS = 0.01
"""How long a killed process may take to go."""


@dataclass(frozen=True, slots=True)
class SystemProcess:
    """A process, told from a later one with the same number by when it was started."""

    pid: int
    started: int
    parent: int
    group: int
    session: int

    def lives(self) -> bool:
        found = _member(self.pid)
        return found is not None and found.started == self.started


def family(mark: bytes, *, session: int = 0) -> list[SystemProcess]:
    """Processes with `mark` in their environment or in this session, and their descendants: some programs overwrite
    their environment, or leave their session. Never this process, nor the guardian of a slot. Without /proc nothing is
    found. Cost: a look at every process of the machine."""
    known = {member.pid: member for member in _all_members()}
    known.pop(os.getpid(), None)
    environments = {pid: _environment(pid) for pid in known}
    for pid, environment in environments.items():
        if _has(environment, SPARED):
            known.pop(pid)
    chosen = {
        pid for pid, member in known.items() if (session and member.session == session) or _has(environments[pid], mark)
    }
    while more := {pid for pid, member in known.items() if member.parent in chosen} - chosen:
        chosen |= more
    return [known[pid] for pid in sorted(chosen)]


def tops(members: Iterable[SystemProcess]) -> list[SystemProcess]:
    """Those whose parent is not among them: they are responsible for the others."""
    members = list(members)
    pids = {member.pid for member in members}
    return [member for member in members if member.parent not in pids]


def kill_all(mark: bytes, seen: Iterable[SystemProcess] = ()) -> bool:
    """Kills what carries the mark and what of `seen` still lives, until nothing is left; returns whether that was
    reached. What is started meanwhile is found in the next round."""
    remembered = list(seen)
    quiet = 0
    for _ in range(_ROUNDS):
        remembered = [member for member in remembered if member.lives()]
        found = {*family(mark), *remembered}
        # A process that is just being replaced by another program shows no environment: so two looks must find nobody.
        quiet = 0 if found else quiet + 1
        if quiet == 2:
            return True
        for member in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(member.pid, signal.SIGKILL)
        time.sleep(_ROUND_SECONDS)
    return False


def _all_members() -> Iterator[SystemProcess]:
    try:
        entries = os.listdir("/proc")
    except OSError:
        return
    for entry in entries:
        if entry.isdigit() and (member := _member(int(entry))):
            yield member


def _member(pid: int) -> SystemProcess | None:
    """None if it is gone, or dead and only not yet fetched by its parent."""
    try:
        # The name stands in parentheses and may hold anything, parentheses too.
        fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    except OSError:
        return None
    if len(fields) < 20 or fields[0] in b"ZX":
        return None
    return SystemProcess(pid, int(fields[19]), parent=int(fields[1]), group=int(fields[2]), session=int(fields[3]))


def _environment(pid: int) -> bytes:
    """Empty for a process that is gone or not ours to look into."""
    try:
        return _read(f"/proc/{pid}/environ")
    except OSError:
        return b""


def _has(environment: bytes, variable: bytes) -> bool:
    # Most do not have it anywhere: taking them all apart would cost more than reading them.
    return variable in environment and variable in environment.split(b"\0")


def _read(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:
        return file.readall()
