"""Which audit events look at the state of the process without naming it."""

import os
import signal
from collections.abc import Callable, Sequence
from typing import Any

_DIRECTORY, _UMASK = "os.getcwd()", "os.umask()"
_exists, _getpid = os.path.lexists, os.getpid

_PATHS: dict[str, tuple[tuple[int, int | None], ...]] = {
    "open": ((0, None),),
    "os.chdir": ((0, None),),
    "os.chmod": ((0, 2),),
    "os.chown": ((0, 3),),
    "os.link": ((0, 2), (1, 3)),
    "os.listdir": ((0, None),),
    "os.mkdir": ((0, 2),),
    "os.remove": ((0, 1),),
    "os.rename": ((0, 2), (1, 3)),
    "os.rmdir": ((0, 1),),
    "os.scandir": ((0, None),),
    "os.symlink": ((1, 2),),
    "os.truncate": ((0, None),),
    "os.utime": ((0, 3),),
    "glob.glob": ((0, None),),
    "sqlite3.connect": ((0, None),),
}
"""Where among its arguments an event has a path, and the directory that it is relative to, if that can be given."""

_HERE_IF_NONE = ("os.listdir", "os.scandir")
_STARTS: dict[str, tuple[int | None, int | None]] = {
    "subprocess.Popen": (2, 3),
    "os.exec": (None, 2),
    "os.posix_spawn": (None, 2),
    "os.spawn": (None, 3),
    "os.system": (None, None),
}
"""Where an event that starts a program has its directory and its environment; None: they are always inherited."""


def event_reads(event: str, arguments: Sequence[Any]) -> tuple[str, ...]:
    """Names of the state that the event looks at: a relative path looks at the directory, a new file at the umask, a
    program that is started at both, a signal that is sent to the process at its handler, a new socket at the timeout.

    To be called from an audit hook, while one of these is left changed. Never raises, runs none of the suite's code.
    """
    find = _OTHERS.get(event)
    found = list(find(arguments)) if find is not None else []
    if event in _PATHS and any(_is_relative(event, arguments, *where) for where in _PATHS[event]):
        found.append(_DIRECTORY)
    if event in _STARTS:
        directory = _at(arguments, _STARTS[event][0])
        found += [_UMASK, _DIRECTORY] if directory is None else [_UMASK]
    return tuple(found)


def inherits_environment(event: str, arguments: Sequence[Any]) -> bool:
    """Whether the event starts a program that gets all of `os.environ`, without anybody's reading it."""
    return event in _STARTS and _at(arguments, _STARTS[event][1]) is None


def _at(arguments: Sequence[Any], place: int | None) -> Any:
    return arguments[place] if place is not None and place < len(arguments) else None


def _is_relative(event: str, arguments: Sequence[Any], place: int, directory: int | None) -> bool:
    path, descriptor = _at(arguments, place), _at(arguments, directory)
    if type(descriptor) is int and descriptor >= 0:
        return False
    if path is None:
        return event in _HERE_IF_NONE
    if issubclass(type(path), bytes):
        path = bytes.decode(path, errors="replace")
    if not issubclass(type(path), str):
        return False
    return bool(path) and not str.startswith(path, ("/", ":memory:", "file:"))


def _of_opening(arguments: Sequence[Any]) -> list[str]:
    path, flags = _at(arguments, 0), _at(arguments, 2)
    if type(flags) is not int or not flags & os.O_CREAT or type(path) not in (str, bytes):
        return []
    try:
        return [] if _exists(path) else [_UMASK]
    except ValueError:
        return []


def _of_signal(arguments: Sequence[Any]) -> list[str]:
    """Process 0 is the group, to which we belong."""
    process, number = _at(arguments, 0), _at(arguments, 1)
    return [_handler(number)] if process in (0, _getpid()) and type(number) in (int, signal.Signals) else []


def _of_signal_to_thread(arguments: Sequence[Any]) -> list[str]:
    number = _at(arguments, 1)
    return [_handler(number)] if type(number) in (int, signal.Signals) else []


def _handler(number: int) -> str:
    try:
        return f"signal.getsignal({signal.Signals(number).name})"
    except ValueError:
        return f"signal.getsignal({number})"


_OTHERS: dict[str, Callable[[Sequence[Any]], list[str]]] = {
    "open": _of_opening,
    "os.mkdir": lambda arguments: [_UMASK],
    "os.kill": _of_signal,
    "signal.pthread_kill": _of_signal_to_thread,
    "socket.__new__": lambda arguments: ["socket.getdefaulttimeout()"],
    "sys.excepthook": lambda arguments: ["sys.excepthook"],
    "sys.unraisablehook": lambda arguments: ["sys.unraisablehook"],
}

EVENTS = frozenset(_PATHS) | frozenset(_STARTS) | frozenset(_OTHERS)
"""The only events of which `event_reads` has anything to say."""
