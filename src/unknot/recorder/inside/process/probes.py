"""State that a process keeps outside of Python's objects, or in places too special for the heap walk: what a probe is,
and short functions, each of which returns the current state as text.

Texts are equal in two processes whose state is equal. No function imports a module: as long as a module is not
imported, its state is the initial one. None runs code of the suite.
"""

import _signal  # type: ignore[import-not-found]
import contextvars
import os
import re
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from typing import Any

from unknot.recorder.inside.labels import label

_getcwd, _umask, _waitid, _listdir = os.getcwd, os.umask, os.waitid, os.listdir
_open, _read, _close, _readlink = os.open, os.read, os.close, os.readlink
_getitimer, _getsignal = _signal.getitimer, _signal.getsignal
_copy_context = contextvars.copy_context
_Thread = threading.Thread
_contents_of_thread = _Thread.__dict__["__dict__"].__get__

_TOOLS = ("unknot.", "_pytest.", "pytest_", "coverage.", "pydevd")


class Probe:
    """Reads one or more states. `key` shows quickly whether anything has changed, `values` slowly what the states are
    now (name to text). Keys consist of exact builtin types, so comparing them runs no code of the suite; they hold none
    of its objects."""

    kind = "process"
    is_mere_use = False
    """After `values`: the difference comes from using the state, not from setting it."""

    def key(self) -> object:
        raise NotImplementedError

    def values(self) -> dict[str, str]:
        raise NotImplementedError

    def default(self, name: str) -> str | None:  # noqa: ARG002 - a few probes need the name
        """The content of a location that no snapshot has; None if it does not exist."""
        return None


def object_text(get: Callable[[], object], default: Callable[[], object] = lambda: None) -> Callable[[], str]:
    """For an object that applies to the whole process: its label. Objects of coverage, debuggers, pytest and unknot
    count as the default: they come and go with the phases of a test."""

    def text() -> str:
        shown = label(get())
        return label(default()) if shown.lstrip("<").startswith(_TOOLS) else shown

    return text


def attribute_text(module: str, name: str) -> Callable[[], str]:
    """For a hook or stream whose original the module keeps as `__name__`."""

    def get(attribute: str) -> object:
        return getattr(sys.modules.get(module), attribute, None)

    return object_text(lambda: get(name), lambda: get(f"__{name}__"))


def working_directory() -> str:
    try:
        return repr(_getcwd())
    except OSError:
        return "a deleted directory"


class Umask:
    """The mask can only be read by setting it. It is set to its last known value, so other threads that create files at
    that moment get a different mask only if it has just been changed, and then the one before the change."""

    def __init__(self) -> None:
        # For two system calls, new files are accessible to their owner only.
        self._last = _umask(0o077)
        _umask(self._last)

    def text(self) -> str:
        now = _umask(self._last)
        if now != self._last:
            _umask(now)
            self._last = now
        return f"0o{now:03o}"


def timer() -> str:
    """Whether a timer is running that will send a signal. pytest-timeout's does not count."""
    is_running = _getitimer(_signal.ITIMER_REAL) != (0.0, 0.0)
    theirs = is_running and label(_getsignal(_signal.SIGALRM)).startswith("pytest_timeout")
    return "running" if is_running and not theirs else "not running"


def temporary_directory() -> str:
    """Where `tempfile` creates files. Choosing the directory on first use and caching it is no change."""
    now = tempfile.tempdir
    return repr(now if type(now) in (str, bytes) and now else _default_directory)


def _first_directory() -> str:
    configured = [os.environ.get(name) for name in ("TMPDIR", "TEMP", "TMP")]
    found = next((path for path in [*configured, "/tmp", "/var/tmp"] if path and os.path.isdir(path)), "/tmp")
    return os.path.abspath(found)


_default_directory = _first_directory()


def time_zone() -> str:
    """An object that has replaced the value in the module is not shown, since it may define `__repr__`."""
    names: object = time.tzname
    if type(names) is tuple and [*map(type, names), type(time.timezone)] == [str, str, int]:
        return repr((*names, time.timezone))
    return label(names)


def socket_timeout() -> str:
    module = sys.modules.get("_socket")
    return repr(module.getdefaulttimeout() if module is not None else None)


class DecimalContext:
    """Precision, rounding, limits and traps; flags are set by every calculation and mean nothing.

    A thread gets its context on first use, from a template that tests may change; `getcontext` would create it too
    early. So this only searches for it, and uses the template as long as there is none.
    """

    _DEFAULT = ((28, "ROUND_HALF_EVEN", -999999, 999999, 1, 0), ("InvalidOperation", "DivisionByZero", "Overflow"))

    def __init__(self) -> None:
        self._variable: contextvars.ContextVar[Any] | None = None

    def text(self) -> str:
        module: Any = sys.modules.get("_decimal")
        current = self._current(module)
        if current is None:
            settings, traps = self._DEFAULT
        elif type(current) is not module.Context:
            return label(current)
        else:
            found = current.__reduce__()[1]
            settings, traps = found[:6], tuple(trap.__name__ for trap in found[7])
        precision, rounding, *limits = settings
        return f"prec={precision}, rounding={rounding}, traps={', '.join(traps)}, limits={limits}"

    def _current(self, module: Any) -> Any:
        if module is None:
            return None
        if self._variable is None:
            self._variable = next((each for each in _copy_context() if each.name == "decimal_context"), None)
        current = self._variable.get(None) if self._variable is not None else None
        return module.DefaultContext if current is None else current


def event_loop_policy() -> str:
    policy = _policy()
    return "default" if policy is None or _is_asyncios(policy) else label(policy)


def event_loop() -> str:
    """The loop that is set for the main thread. A policy that is not asyncio's hides it."""
    policy = _policy()
    if policy is None or not _is_asyncios(policy):
        return "none yet"
    loop = policy._local._loop
    if loop is None:
        return "set to None" if policy._local._set_called else "none yet"
    return "closed" if _is_asyncios(loop) and loop.__dict__.get("_closed") is True else "open"


def _policy() -> Any:
    return getattr(sys.modules.get("asyncio.events"), "_event_loop_policy", None)


def _is_asyncios(value: object) -> bool:
    return label(type(value)).startswith("asyncio.")


def running_threads() -> str:
    """Threads that would keep the process from ending, by name. Numbers in names count the threads made so far, and are
    left out."""
    threads = threading._active.copy().values()  # type: ignore[attr-defined]
    found = [_contents_of_thread(thread) for thread in threads if issubclass(type(thread), _Thread)]
    names = [thread.get("_name") for thread in found if thread.get("_daemonic") is not True]
    shown = sorted(re.sub(r"\d+", "#", name) for name in names if type(name) is str)
    return ", ".join(name for name in shown if not name.startswith("pytest_timeout"))


def child_processes() -> str:
    """Child processes that are still running, by program. The helper processes that multiprocessing starts once and
    shares do not count."""
    try:
        _waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        tasks = _listdir("/proc/self/task")
    except OSError:
        return ""
    children = [child for task in tasks for child in _contents(f"/proc/self/task/{task}/children").decode().split()]
    return ", ".join(sorted(filter(None, map(_program, children))))


def _program(process: str) -> str:
    """Empty for a zombie."""
    line = _contents(f"/proc/{process}/cmdline")
    if b"multiprocessing.resource_tracker" in line or b"multiprocessing.forkserver" in line:
        return ""
    try:
        # Right after the start, there is no command line yet.
        return os.path.basename(_readlink(f"/proc/{process}/exe"))
    except OSError:
        return ""


def _contents(path: str) -> bytes:
    try:
        descriptor = _open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return _read(descriptor, 4096)
    except OSError:
        return b""
    finally:
        _close(descriptor)
