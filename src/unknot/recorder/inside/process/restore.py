"""How a fixture saves others' state and puts it back."""

import re
from collections.abc import Callable
from typing import NamedTuple


class Restore(NamedTuple):
    """Lines of Python: what to import, what to do before the test, and what after it."""

    imports: tuple[str, ...]
    save: tuple[str, ...]
    restore: tuple[str, ...]


def restore(name: str) -> Restore | None:
    """For a name of kind "process" or "environment", and for what others keep in memory: loggers, `sys.path`, ….
    None where nothing can be put back, as with threads that are still running."""
    if name in _FIXED:
        return _FIXED[name]
    for pattern, make in _MADE:
        if found := re.fullmatch(pattern, name, re.DOTALL):
            return make(*found.groups())
    return None


def _value(module: str, variable: str, get: str, put: str) -> Restore:
    """`put` has `{}` where the variable goes."""
    return Restore((f"import {module}",), (f"{variable} = {get}",), (put.format(variable),))


def _attribute(path: str, variable: str) -> Restore:
    return _value(path.partition(".")[0], variable, path, path + " = {}")


def _whole_list(path: str, variable: str) -> Restore:
    """The list stays the same object, for others hold it too."""
    module = path.partition(".")[0]
    return Restore((f"import {module}",), (f"{variable} = {path}[:]",), (f"{path}[:] = {variable}",))


def _entry(module: str, path: str, key: str, variable: str) -> Restore:
    return Restore(
        (f"import {module}",),
        (f"{variable} = {path}.get({key})",),
        (
            f"if {variable} is None:",
            f"    {path}.pop({key}, None)",
            "else:",
            f"    {path}[{key}] = {variable}",
        ),
    )


def _logger(logger: str, attribute: str) -> Restore:
    path = f"{logger}.{attribute}"
    if attribute == "level":
        return _value("logging", "level", path, logger + ".setLevel({})")
    return _whole_list(path, attribute) if attribute in ("handlers", "filters") else _attribute(path, attribute)


def _signal(which: str) -> Restore:
    number = f"signal.{which}" if which.startswith("SIG") else which
    return _value("signal", "handler", f"signal.getsignal({number})", f"signal.signal({number}, {{}})")


def _limit(which: str) -> Restore:
    limit = f"resource.{which}"
    return _value("resource", "limits", f"resource.getrlimit({limit})", f"resource.setrlimit({limit}, {{}})")


_MADE: tuple[tuple[str, Callable[..., Restore]], ...] = (
    (r"signal\.getsignal\((\w+)\)", _signal),
    (r"resource\.getrlimit\((\w+)\)", _limit),
    (r"(logging\.getLogger\(.*\))\.(level|propagate|disabled|handlers|filters)", _logger),
    (r"os\.environ\[(.*)\]", lambda key: _entry("os", "os.environ", key, "value")),
    (r"sys\.modules\[(.*)\]", lambda key: _entry("sys", "sys.modules", key, "module")),
    (r"sys\.(path|argv|meta_path|path_hooks|warnoptions)", lambda which: _whole_list(f"sys.{which}", which)),
    (r"(sys\.(excepthook|unraisablehook|displayhook|stdin|stdout|stderr))", _attribute),
)

_ZONE = _entry("os", "os.environ", '"TZ"', "zone")
_FIXED = {
    "os.getcwd()": _value("os", "directory", "os.getcwd()", "os.chdir({})"),
    "os.umask()": Restore(("import os",), ("mask = os.umask(0o022)", "os.umask(mask)"), ("os.umask(mask)",)),
    "locale.setlocale()": _value(
        "locale", "settings", "locale.setlocale(locale.LC_ALL)", "locale.setlocale(locale.LC_ALL, {})"
    ),
    "time.tzname": Restore((*_ZONE.imports, "import time"), _ZONE.save, (*_ZONE.restore, "time.tzset()")),
    "signal.getitimer(ITIMER_REAL)": Restore(("import signal",), (), ("signal.setitimer(signal.ITIMER_REAL, 0)",)),
    "random.getstate()": _value("random", "state", "random.getstate()", "random.setstate({})"),
    "numpy.random.get_state()": _value("numpy", "state", "numpy.random.get_state()", "numpy.random.set_state({})"),
    "decimal.getcontext()": _value("decimal", "context", "decimal.getcontext().copy()", "decimal.setcontext({})"),
    "tempfile.gettempdir()": _attribute("tempfile.tempdir", "directory"),
    "sys.getrecursionlimit()": _value("sys", "limit", "sys.getrecursionlimit()", "sys.setrecursionlimit({})"),
    "sys.getswitchinterval()": _value("sys", "interval", "sys.getswitchinterval()", "sys.setswitchinterval({})"),
    "sys.get_int_max_str_digits()": _value(
        "sys", "digits", "sys.get_int_max_str_digits()", "sys.set_int_max_str_digits({})"
    ),
    "gc.isenabled()": Restore(
        ("import gc",), ("enabled = gc.isenabled()",), ("if enabled:", "    gc.enable()", "else:", "    gc.disable()")
    ),
    "gc.get_threshold()": _value("gc", "threshold", "gc.get_threshold()", "gc.set_threshold(*{})"),
    "socket.getdefaulttimeout()": _value(
        "socket", "timeout", "socket.getdefaulttimeout()", "socket.setdefaulttimeout({})"
    ),
    "sys.gettrace()": _value("sys", "tracer", "sys.gettrace()", "sys.settrace({})"),
    "sys.getprofile()": _value("sys", "profiler", "sys.getprofile()", "sys.setprofile({})"),
    "threading.excepthook": _attribute("threading.excepthook", "hook"),
    "asyncio.get_event_loop_policy()": _value(
        "asyncio", "policy", "asyncio.get_event_loop_policy()", "asyncio.set_event_loop_policy({})"
    ),
    # The only way back to "nobody has set one": the next who asks gets a new policy, and from that a new loop.
    "asyncio.get_event_loop()": Restore(("import asyncio",), (), ("asyncio.set_event_loop_policy(None)",)),
    "logging.root.manager.disable": _value("logging", "level", "logging.root.manager.disable", "logging.disable({})"),
    "warnings.filters": Restore(
        ("import warnings",),
        ("caught = warnings.catch_warnings()", "caught.__enter__()"),
        ("caught.__exit__(None, None, None)",),
    ),
}
