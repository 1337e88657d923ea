"""What a process holds that two forked children cannot both use: threads, open files, connections, timers."""

import os
import signal
import stat

from unknot.recorder.inside.second_pass.fork_safety import is_read_only, thread_count

_OWN = "/proc/self/fd"
_CONNECTED = ("/proc/self/net/tcp", "/proc/self/net/tcp6")
_ESTABLISHED = "01"
_SQLITE_MAGIC = b"SQLite format 3\x00"


def open_descriptors() -> frozenset[tuple[int, str]]:
    """Numbers with what they lead to."""
    found = set()
    try:
        numbers = os.listdir(_OWN)
    except OSError:
        return frozenset()
    for number in numbers:
        try:
            found.add((int(number), os.readlink(f"{_OWN}/{number}")))
        except OSError:
            continue
    return frozenset(found)


def why_not_share(before: frozenset[tuple[int, str]], *, by_layers: bool = False) -> str:
    """Why two children forked now would disturb each other, empty if they would not. `before` are the descriptors
    that every order begins with. A file that is only read is harmless, unless a child gets a layer of its own over its
    files (`by_layers`): the descriptor would still lead below the layer."""
    if thread_count() > 1:
        return "threads are running"
    if signal.getitimer(signal.ITIMER_REAL)[0]:
        return "a timer is set"
    for number, target in open_descriptors() - before:
        if _is_written(number) or (by_layers and _is_on_disk(number)):
            return f"{target} is open"
    return ""


def _is_written(number: int) -> bool:
    try:
        mode = os.fstat(number).st_mode
        if not stat.S_ISREG(mode):
            return stat.S_ISSOCK(mode) or stat.S_ISFIFO(mode)
        return not is_read_only(number)
    except (OSError, StopIteration):
        return False


def _is_on_disk(number: int) -> bool:
    try:
        mode = os.fstat(number).st_mode
    except OSError:
        return False
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)


def connections() -> list[str]:
    """Open connections to databases and servers, in words: what a fork would make two processes talk over."""
    found = []
    held = open_descriptors()
    # Looking through all connections of the machine takes a while.
    sockets = _established_sockets() if any(target.startswith("socket:") for _, target in held) else {}
    for number, target in held:
        if target in sockets:
            found.append(f"a network connection to port {sockets[target]}")
        elif os.path.isfile(target) and _is_written(number) and _is_sqlite(target):
            found.append(f"the SQLite database {os.path.basename(target)}")
    return sorted(set(found))


def _established_sockets() -> dict[str, int]:
    """From what /proc shows as a descriptor's target to the port at the other end."""
    found: dict[str, int] = {}
    for table in _CONNECTED:
        try:
            with open(table, encoding="ascii") as lines:
                next(lines)
                for line in lines:
                    fields = line.split()
                    if fields[3] == _ESTABLISHED:
                        found[f"socket:[{fields[9]}]"] = int(fields[2].rpartition(":")[2], 16)
        except (OSError, StopIteration):
            continue
    return found


def _is_sqlite(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            beginning = file.read(len(_SQLITE_MAGIC))
    except OSError:
        return False
    # An empty file is a new database only by its name.
    return beginning == _SQLITE_MAGIC or (not beginning and path.endswith((".db", ".sqlite", ".sqlite3")))
