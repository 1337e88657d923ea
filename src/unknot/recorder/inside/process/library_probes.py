"""State of the process that libraries keep: locale, random numbers, decimal, event loops, threads, child processes."""

import _locale
import contextvars
import os
import re
import sys
import threading
from typing import Any

from unknot.recorder.inside.labels import label
from unknot.recorder.inside.process.probes import Probe, ValueProbe
from unknot.recorder.inside.process.random_probes import NumpyRandomGenerator, RandomGenerator

_copy_context = contextvars.copy_context
_Thread = threading.Thread
_contents_of_thread = _Thread.__dict__["__dict__"].__get__
_waitid, _listdir = os.waitid, os.listdir


class DecimalContext:
    """Precision, rounding, limits and traps; flags are set by every calculation and mean nothing.

    A thread gets its context on first use, from a template that tests may change; `getcontext` would create it too
    early. So the probe only searches for it, and uses the template as long as there is none.
    """

    is_mere_use = False
    NAME = "decimal.getcontext()"
    _DEFAULT = (28, "ROUND_HALF_EVEN", -999999, 999999, 1, 0, "InvalidOperation", "DivisionByZero", "Overflow")

    def __init__(self) -> None:
        self._variable: contextvars.ContextVar[Any] | None = None

    def key(self) -> object:
        module = sys.modules.get("_decimal")
        if module is None:
            return self._DEFAULT
        if self._variable is None:
            self._variable = next((each for each in _copy_context() if each.name == "decimal_context"), None)
        current = self._variable.get(None) if self._variable is not None else None
        if current is None:
            current = module.DefaultContext
        if type(current) is not module.Context:
            return label(current)
        settings = current.__reduce__()[1]
        return *settings[:6], *[trap.__name__ for trap in settings[7]]

    def values(self) -> dict[str, str]:
        key = self.key()
        if not isinstance(key, tuple):
            return {self.NAME: str(key)}
        precision, rounding, *limits = key[:6]
        return {self.NAME: f"prec={precision}, rounding={rounding}, traps={', '.join(key[6:])}, limits={limits}"}


class EventLoops:
    """asyncio's policy, and the loop that is set for the main thread: none yet, set to None, open or closed."""

    is_mere_use = False

    def key(self) -> object:
        policy, state = self._current()
        return id(policy), state

    def values(self) -> dict[str, str]:
        policy, state = self._current()
        shown = "default" if policy is None or _is_asyncios(policy) else label(policy)
        return {"asyncio.get_event_loop_policy()": shown, "asyncio.get_event_loop()": state}

    @staticmethod
    def _current() -> tuple[object, str]:
        policy: Any = getattr(sys.modules.get("asyncio.events"), "_event_loop_policy", None)
        if policy is None or not _is_asyncios(policy):
            return policy, "none yet"
        local = policy._local
        loop = local._loop
        if loop is None:
            return policy, "set to None" if local._set_called else "none yet"
        return policy, ("closed" if loop.__dict__.get("_closed") is True else "open") if _is_asyncios(loop) else "open"


def _is_asyncios(value: object) -> bool:
    return label(type(value)).startswith("asyncio.")


class RunningThreads:
    """Threads that would keep the process from ending, by name. Numbers in names count the threads made so far, and are
    left out."""

    is_mere_use = False
    NAME = "threading.enumerate()"

    def key(self) -> object:
        return tuple(map(id, _running_threads()))

    def values(self) -> dict[str, str]:
        found = [_contents_of_thread(thread) for thread in _running_threads() if issubclass(type(thread), _Thread)]
        names = [thread.get("_name") for thread in found if thread.get("_daemonic") is not True]
        shown = sorted(re.sub(r"\d+", "#", name) for name in names if type(name) is str)
        return {self.NAME: ", ".join(name for name in shown if not name.startswith("pytest_timeout"))}


def _running_threads() -> tuple[object, ...]:
    return tuple(threading._active.copy().values())  # type: ignore[attr-defined]


class ChildProcesses:
    """Child processes that are still running, by program. The helper processes that multiprocessing starts once and
    shares do not count."""

    is_mere_use = False
    NAME = "os.waitid()"

    def key(self) -> object:
        try:
            _waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return ()
        return _children()

    def values(self) -> dict[str, str]:
        return {self.NAME: ", ".join(sorted(filter(None, map(_program, _children()))))}


def _children() -> tuple[int, ...]:
    found: list[int] = []
    try:
        for task in _listdir("/proc/self/task"):
            found += map(int, _contents(f"/proc/self/task/{task}/children").split())
    except OSError:
        return ()
    return tuple(found)


def _program(process: int) -> str:
    """Empty for a zombie."""
    line = _contents(f"/proc/{process}/cmdline")
    if b"multiprocessing.resource_tracker" in line or b"multiprocessing.forkserver" in line:
        return ""
    try:
        # Right after the start, there is no command line yet.
        return os.path.basename(os.readlink(f"/proc/{process}/exe"))
    except OSError:
        return ""


def _contents(path: str) -> bytes:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(descriptor, 4096)
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def library_probes() -> list[Probe]:
    """Running all of them costs about 8 µs, and 100 µs while child processes are running."""
    return [
        ValueProbe("locale.setlocale()", lambda: _locale.setlocale(_locale.LC_ALL)),
        RandomGenerator(),
        NumpyRandomGenerator(),
        DecimalContext(),
        EventLoops(),
        RunningThreads(),
        ChildProcesses(),
    ]
