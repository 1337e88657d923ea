"""What tests leave changed in the state of the process, and which test uses that state."""

import os
import signal
from collections.abc import Callable, Sequence
from typing import Any

from unknot.recorder.inside.audit import AuditListener
from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.memory.stop_list import StopList
from unknot.recorder.inside.memory.watched_location import WatchedLocation, WriteStacks
from unknot.recorder.inside.process.readers import readers, unseen_readers
from unknot.recorder.inside.process.state import ProcessFingerprints, ProcessState, handler_name
from unknot.recorder.inside.stack import UserModules
from unknot.recorder.native import _watch

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
"""Which arguments of an event are a path, and which is the directory that it is relative to, if there is one."""

_HERE_IF_NONE = ("os.listdir", "os.scandir")
_STARTS: dict[str, int | None] = {
    "subprocess.Popen": 2,
    "os.exec": None,
    "os.posix_spawn": None,
    "os.spawn": None,
    "os.system": None,
}
"""Which argument of an event that starts a program is its directory; None: always inherited."""


def event_reads(event: str, arguments: Sequence[Any]) -> tuple[str, ...]:
    """Names of the state that an event reads without naming it: a relative path reads the directory, a new file the
    umask, a program that is started both, a signal that is sent to the process its handler, a new socket the timeout.

    Call it from an audit hook, while one of these is left changed. Never raises, runs none of the suite's code.
    """
    find = _OTHERS.get(event)
    found = list(find(arguments)) if find is not None else []
    if event in _PATHS and any(_is_relative(event, arguments, *where) for where in _PATHS[event]):
        found.append(_DIRECTORY)
    if event in _STARTS:
        directory = _at(arguments, _STARTS[event])
        found += [_UMASK, _DIRECTORY] if directory is None else [_UMASK]
    return tuple(found)


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
    """Process 0 is the process group, which includes this process."""
    return _of_signal_to_thread(arguments) if _at(arguments, 0) in (0, _getpid()) else []


def _of_signal_to_thread(arguments: Sequence[Any]) -> list[str]:
    number = _at(arguments, 1)
    return [handler_name(number)] if type(number) in (int, signal.Signals) else []


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
"""The only events for which `event_reads` may return anything."""


class ProcessLocation(WatchedLocation):
    """A state of the process."""

    def __init__(self, process: "ProcessCollector", kind: str, name: str) -> None:
        super().__init__(process.ledger, kind, name)
        self._process = process

    def fingerprint(self) -> int:
        return self._process.fingerprints.fingerprint(self.key[1])

    def expect(self, *, takes_fingerprint: bool = True) -> None:
        self._process.expect(self, takes_fingerprint=takes_fingerprint)

    def was_read(self) -> bool:
        # A state that was restored stays watched, but its use is not recorded.
        return not self._process.is_watched(self.key[1]) or super().was_read()


class ProcessCollector(AuditListener):
    """Records, at each test boundary, which state of the process has changed, and from then on which test uses it: by
    one of the calls that read it, or by an audit event that does so without naming it.
    Loggers are recorded here too: they are objects, but for code that logs they are part of the process.
    """

    def __init__(self, ledger: Ledger, stop_list: StopList, user_modules: UserModules) -> None:
        super().__init__(EVENTS)
        self.ledger = ledger
        self.fingerprints = ProcessFingerprints()
        self._stop_list = stop_list
        self._user_modules = user_modules
        self._state = ProcessState()
        self._watched: dict[str, ProcessLocation] = {}
        self.install()

    def compare(self, write_stacks: WriteStacks) -> None:
        """Records the changes since the last snapshot. The first call only takes one."""
        for change in self._state.compare():
            if self._stop_list.stops(change.name):
                continue
            restored = change.fingerprint == change.fingerprint_clean
            self.ledger.wrote(
                change.kind,
                change.name,
                write_stacks((change.kind, change.name)),
                shown=change.shown,
                fingerprint=change.fingerprint,
                clean=change.fingerprint_clean,
                restored=restored,
            )
            if restored:
                self._watched.pop(change.name, None)
            else:
                self.expect(self._watched.get(change.name) or ProcessLocation(self, change.kind, change.name))

    def expect(self, location: ProcessLocation, *, takes_fingerprint: bool = True) -> None:
        kind, name = location.key
        if name not in self._watched and (unseen := unseen_readers(name)):
            self.ledger.fact(kind=kind, name=name, unseen=unseen)
        self._watched[name] = location
        location.found = location.fingerprint() if takes_fingerprint else None
        # Repeated each time: new modules may have imported a call under another name.
        for holder, attribute in readers(name, self._user_modules.by_name().values()):
            _watch.watch(holder, attribute, location)
        self.start()

    def is_watched(self, name: str) -> bool:
        return name in self._watched

    def _on_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.ledger.test:
            for name in event_reads(event, arguments):
                if name in self._watched:
                    self._watched[name].was_read()
