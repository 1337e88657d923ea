"""State that a process keeps outside of Python's objects, or in places too special for the heap walk.

A probe shows quickly whether anything has changed (`key`), and slowly what the state is now (`values`: name to text).
Keys consist of exact builtin types, so comparing them runs no code of the suite; they hold none of its objects. Texts
are equal in two processes whose state is equal.
A probe imports no module: as long as a module is not imported, its state is the initial one.
"""

import _signal  # type: ignore[import-not-found]
import faulthandler
import gc
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Protocol

from unknot.recorder.inside.labels import label

_getcwd, _umask, _open, _read, _close = os.getcwd, os.umask, os.open, os.read, os.close
_getsignal, _getitimer = _signal.getsignal, _signal.getitimer
_getrlimit = resource.getrlimit


class Probe(Protocol):
    is_mere_use: bool
    """After `values`: the difference comes from using the state, not from setting it."""

    def key(self) -> object: ...

    def values(self) -> dict[str, str]: ...


class ValueProbe:
    """State that one cheap call returns as a number, a text or a tuple of them."""

    is_mere_use = False

    def __init__(self, name: str, get: Callable[[], object]) -> None:
        self._name = name
        self.key = get

    def values(self) -> dict[str, str]:
        return {self._name: repr(self.key())}


class ObjectProbe:
    """An object that applies to the whole process, compared by identity and described by its label.

    Objects of coverage, debuggers, pytest and unknot count as the default: they come and go with the phases of a test.
    """

    is_mere_use = False
    _TOOLS = ("unknot.", "_pytest.", "pytest_", "coverage.", "pydevd")

    def __init__(self, name: str, get: Callable[[], object], default: Callable[[], object] = lambda: None) -> None:
        self._name = name
        self._get = get
        self._default = default

    def key(self) -> object:
        return id(self._get())

    def values(self) -> dict[str, str]:
        now = self._get()
        shown = label(now)
        plain = label(self._default())
        return {self._name: plain if shown.lstrip("<").startswith(self._TOOLS) else shown}


class WorkingDirectory:
    """A deleted directory has no name; that is a value too."""

    is_mere_use = False

    def key(self) -> str:
        try:
            return _getcwd()
        except OSError:
            return ""

    def values(self) -> dict[str, str]:
        return {"os.getcwd()": repr(self.key()) if self.key() else "a deleted directory"}


class Umask:
    """The mask can only be read by setting it. It is set to its last known value, so other threads that create files at
    that moment get a different mask only if it has just been changed, and then the one before the change."""

    is_mere_use = False

    def __init__(self) -> None:
        self._last = _umask_from_proc()

    def key(self) -> int:
        now = _umask(self._last)
        if now != self._last:
            _umask(now)
            self._last = now
        return now

    def values(self) -> dict[str, str]:
        return {"os.umask()": f"0o{self._last:03o}"}


def _umask_from_proc() -> int:
    try:
        descriptor = _open("/proc/self/status", os.O_RDONLY | os.O_CLOEXEC)
        try:
            lines = _read(descriptor, 4096).splitlines()
        finally:
            _close(descriptor)
        return next(int(line.split()[1], 8) for line in lines if line.startswith(b"Umask:"))
    except (OSError, StopIteration, ValueError):
        # No /proc: for two system calls, new files are accessible to their owner only.
        now = _umask(0o077)
        _umask(now)
        return now


class SignalHandlers:
    """Handlers of all signals, by identity, and whether a timer is running that will send one.

    pytest-timeout sets its own handler and timer during a test; they count as the default.
    """

    is_mere_use = False

    def __init__(self) -> None:
        self._numbers = tuple(sorted(map(int, signal.valid_signals())))
        self._names = {number: _signal_name(number) for number in self._numbers}

    def key(self) -> object:
        return tuple(map(id, map(_getsignal, self._numbers))), _getitimer(_signal.ITIMER_REAL) != (0.0, 0.0)

    def values(self) -> dict[str, str]:
        found = {f"signal.getsignal({name})": _handler(_getsignal(number)) for number, name in self._names.items()}
        theirs = label(_getsignal(_signal.SIGALRM)).startswith("pytest_timeout")
        running = _getitimer(_signal.ITIMER_REAL) != (0.0, 0.0) and not theirs
        return {**found, "signal.getitimer(ITIMER_REAL)": "running" if running else "not running"}


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def _handler(handler: object) -> str:
    if type(handler) is int:
        return {0: "SIG_DFL", 1: "SIG_IGN"}.get(handler, str(handler))
    shown = label(handler)
    return "SIG_DFL" if shown.startswith("pytest_timeout") else shown


class TempfileDirectory:
    """Where `tempfile` creates files. Choosing the directory on first use and caching it is no change."""

    is_mere_use = False

    def __init__(self) -> None:
        configured = [os.environ.get(name) for name in ("TMPDIR", "TEMP", "TMP")]
        self._default = next(
            (path for path in [*configured, "/tmp", "/var/tmp"] if path and os.path.isdir(path)), "/tmp"
        )

    def key(self) -> object:
        now = tempfile.tempdir
        return now if type(now) in (str, bytes) else None

    def values(self) -> dict[str, str]:
        return {"tempfile.gettempdir()": repr(self.key() or os.path.abspath(self._default))}


class ResourceLimits:
    """The limits that tests lower: open files and memory."""

    is_mere_use = False
    _WHICH = ("RLIMIT_NOFILE", "RLIMIT_AS")

    def __init__(self) -> None:
        self._numbers = {name: getattr(resource, name) for name in self._WHICH}

    def key(self) -> object:
        return [*map(_getrlimit, self._numbers.values())]

    def values(self) -> dict[str, str]:
        return {f"resource.getrlimit({name})": repr(_getrlimit(number)) for name, number in self._numbers.items()}


def _time_zone() -> object:
    """An object that has replaced the value in the module is not compared, since it may define `__eq__`."""
    names: object = time.tzname
    if type(names) is tuple and [*map(type, names), type(time.timezone)] == [str, str, int]:
        return *names, time.timezone
    return label(names)


def _default_timeout() -> object:
    module = sys.modules.get("_socket")
    return module.getdefaulttimeout() if module is not None else None


def _threading_hook() -> object:
    return getattr(sys.modules.get("threading"), "excepthook", None)


def _threading_first_hook() -> object:
    return getattr(sys.modules.get("threading"), "__excepthook__", None)


def _stream(name: str) -> ObjectProbe:
    return ObjectProbe(f"sys.{name}", lambda: getattr(sys, name, None), lambda: getattr(sys, f"__{name}__", None))


def plain_probes() -> list[Probe]:
    """Probes that need only a call or two. Running all of them costs about 12 µs."""
    return [
        WorkingDirectory(),
        Umask(),
        SignalHandlers(),
        TempfileDirectory(),
        ResourceLimits(),
        ValueProbe("time.tzname", _time_zone),
        ValueProbe("sys.getrecursionlimit()", sys.getrecursionlimit),
        ValueProbe("sys.getswitchinterval()", sys.getswitchinterval),
        ValueProbe("sys.get_int_max_str_digits()", sys.get_int_max_str_digits),
        ValueProbe("gc.isenabled()", gc.isenabled),
        ValueProbe("gc.get_threshold()", gc.get_threshold),
        ValueProbe("socket.getdefaulttimeout()", _default_timeout),
        ValueProbe("faulthandler.is_enabled()", faulthandler.is_enabled),
        ObjectProbe("sys.gettrace()", sys.gettrace),
        ObjectProbe("sys.getprofile()", sys.getprofile),
        ObjectProbe("sys.excepthook", lambda: sys.excepthook, lambda: sys.__excepthook__),
        ObjectProbe("sys.unraisablehook", lambda: sys.unraisablehook, lambda: sys.__unraisablehook__),
        ObjectProbe("sys.displayhook", lambda: sys.displayhook, lambda: sys.__displayhook__),
        ObjectProbe("threading.excepthook", _threading_hook, _threading_first_hook),
        _stream("stdin"),
        _stream("stdout"),
        _stream("stderr"),
    ]
