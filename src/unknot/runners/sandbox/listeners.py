"""Who listens on a port: our own program, or somebody who was quicker."""

import os
from collections.abc import Iterable
from pathlib import Path

_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_LISTENING = "0A"

_FOR_CONTAINERS = frozenset(
    {"docker-proxy", "dockerd", "containerd-shim", "conmon", "rootlessport", "rootlesskit", "slirp4netns", "pasta"}
)
"""They listen in the place of a container, and do not descend from whoever started it."""


def stranger(port: int, own: Iterable[int]) -> str:
    """The name of a program that listens on this port and is not among the processes `own`; empty if there is none, or
    nobody can tell. Cost: a look at the open files of `own`; of all processes only if that was not enough."""
    sockets = _listening_on(port)
    own = set(own)
    for pid in own:
        sockets -= _sockets_of(pid)
    if not sockets:
        return ""
    for entry in os.listdir("/proc"):
        if entry.isdigit() and int(entry) not in own and sockets & _sockets_of(int(entry)):
            name = _name(int(entry))
            # The kernel cuts names to 15 characters.
            if not any(proxy.startswith(name) for proxy in _FOR_CONTAINERS):
                return name or "another program"
    return ""


def _listening_on(port: int) -> set[str]:
    found = set()
    for table in _TABLES:
        try:
            lines = table.read_text().splitlines()[1:]
        except OSError:
            continue
        for fields in map(str.split, lines):
            if len(fields) > 9 and fields[3] == _LISTENING and int(fields[1].rpartition(":")[2], 16) == port:
                found.add(f"socket:[{fields[9]}]")
    return found


def _sockets_of(pid: int) -> set[str]:
    """Empty for a process that is gone or not ours to look into."""
    directory = f"/proc/{pid}/fd"
    found = set()
    try:
        for descriptor in os.listdir(directory):
            try:
                found.add(os.readlink(f"{directory}/{descriptor}"))
            except OSError:
                continue
    except OSError:
        return set()
    return found


def _name(pid: int) -> str:
    try:
        return Path("/proc", str(pid), "comm").read_text(errors="replace").strip()
    except OSError:
        return ""
