"""Free ports of this machine, each claimed by one instance at a time, and the programs that listen on them."""

import errno
import itertools
import os
import random
import socket
from collections.abc import Iterable, Iterator
from pathlib import Path

from unknot.model.errors import RunnerError
from unknot.runners.sandbox.locks import lock_directory, take_lock
from unknot.runners.sandbox.processes import pids

_LOWEST = 15_000
_HIGHEST = 65_535
_ENOUGH = 2_000
"""Fewer candidates than this are not worth staying out of the kernel's range for."""

_EPHEMERAL = Path("/proc/sys/net/ipv4/ip_local_port_range")
_ADDRESSES = ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"), (socket.AF_INET, "0.0.0.0"))

_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_LISTENING = "0A"

_FOR_CONTAINERS = frozenset(
    {"docker-proxy", "dockerd", "containerd-shim", "conmon", "rootlessport", "rootlesskit", "slirp4netns", "pasta"}
)
"""They listen in the place of a container, and do not descend from what started it."""


class Ports:
    """Ports that no other instance of this user has, until `release`.

    A claim is a lock on a file, so the kernel gives it up when this process ends in whatever way. Others may still take
    a port on which nothing listens yet: see `taken`. Cost: a few system calls for each port.
    """

    def __init__(self, count: int) -> None:
        """Raises RunnerError if there are not so many."""
        self.numbers: list[int] = []
        self._locks: list[int] = []
        if not count:
            return
        directory = lock_directory("ports")
        for number in _candidates():
            lock = take_lock(directory / str(number))
            if lock is None:
                continue
            if is_taken(number):
                os.close(lock)
                continue
            self.numbers.append(number)
            self._locks.append(lock)
            if len(self.numbers) == count:
                return
        self.release()
        raise RunnerError(
            f"no {count} free ports between {_LOWEST} and {_HIGHEST} on this machine",
            hint="end what holds them (`ss -tln` shows it), or use fewer workers",
            slug="no-free-ports",
        )

    def taken(self, *, lingering: bool = True) -> list[int]:
        """Those that a server could not listen on now. Without `lingering`, a server that sets SO_REUSEADDR is meant:
        connections of an earlier one, if that did so too, are no hindrance for it."""
        return [number for number in self.numbers if is_taken(number, lingering=lingering)]

    def release(self) -> None:
        """To be called twice does no harm."""
        while self._locks:
            os.close(self._locks.pop())


def is_taken(number: int, *, lingering: bool = True) -> bool:
    return any(_refuses(family, address, number, lingering) for family, address in _ADDRESSES)


def _refuses(family: int, address: str, number: int, lingering: bool) -> bool:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            if family == socket.AF_INET6:
                probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            if not lingering:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((address, number))
    except OSError as problem:
        # A machine without IPv6 has no such address: that takes no port away.
        return problem.errno in (errno.EADDRINUSE, errno.EACCES)
    return False


def _candidates() -> Iterator[int]:
    """All that may be tried, from a random one on: a process that starts at the same time tries others. Outside
    the range from which the kernel takes ports for outgoing connections, if there is room."""
    low, high = _ephemeral_range()
    below, above = range(_LOWEST, min(low, _HIGHEST + 1)), range(max(high + 1, _LOWEST), _HIGHEST + 1)
    wanted = max(below, above, key=len)
    if len(wanted) < _ENOUGH:
        wanted = range(_LOWEST, _HIGHEST + 1)
    start = random.SystemRandom().randrange(len(wanted))
    return itertools.chain(wanted[start:], wanted[:start])


def _ephemeral_range() -> tuple[int, int]:
    try:
        low, high = map(int, _EPHEMERAL.read_text().split())
    except (OSError, ValueError):
        return 32_768, 60_999
    return low, high


def foreign_listener(port: int, own: Iterable[int]) -> str:
    """The name of a program that listens on this port and is not among the processes `own`; empty if there is none, or
    none can be found. Cost: a look at the open files of `own`; of all processes only if that was not enough."""
    sockets = _listening_on(port)
    own = set(own)
    for pid in own:
        sockets -= _sockets_of(pid)
    if not sockets:
        return ""
    for pid in pids():
        if pid not in own and sockets & _sockets_of(pid):
            name = _name(pid)
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
