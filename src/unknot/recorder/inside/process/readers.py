"""Which calls read and set the state of the process, as far as they can be recorded."""

import sys
from collections.abc import Iterable
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from unknot.recorder.inside.labels import module_contents
from unknot.recorder.inside.process.library_probes import DecimalContext
from unknot.recorder.inside.process.logging_state import logging_slots
from unknot.recorder.inside.process.random_probes import NumpyRandomGenerator, RandomGenerator

READERS = {
    "os.getcwd()": "os:getcwd os:getcwdb",
    "os.umask()": "",
    "locale.setlocale()": (
        "locale:setlocale locale:localeconv locale:getlocale locale:format_string locale:currency locale:str "
        "locale:atof locale:atoi "
        "locale:delocalize locale:localize locale:strcoll locale:strxfrm locale:nl_langinfo "
        "locale:getpreferredencoding locale:getencoding time:strftime time:strptime calendar:LocaleTextCalendar "
        "calendar:different_locale"
    ),
    "time.tzname": (
        "time:tzname time:timezone time:altzone time:daylight time:localtime time:mktime time:strftime time:ctime "
        "time:asctime email.utils:localtime email.utils:formatdate datetime:datetime.now datetime:datetime.today "
        "datetime:datetime.fromtimestamp datetime:datetime.astimezone datetime:datetime.timestamp datetime:date.today "
        "datetime:date.fromtimestamp"
    ),
    "signal.getsignal()": "signal:getsignal signal:raise_signal",
    "signal.getitimer(ITIMER_REAL)": "signal:getitimer",
    DecimalContext.NAME: "decimal:getcontext decimal:localcontext",
    "tempfile.gettempdir()": (
        "tempfile:tempdir tempfile:gettempdir tempfile:gettempdirb tempfile:mkstemp tempfile:mkdtemp tempfile:mktemp "
        "tempfile:NamedTemporaryFile tempfile:TemporaryFile tempfile:SpooledTemporaryFile tempfile:TemporaryDirectory"
    ),
    "sys.getrecursionlimit()": "sys:getrecursionlimit",
    "sys.getswitchinterval()": "sys:getswitchinterval",
    "sys.get_int_max_str_digits()": "sys:get_int_max_str_digits",
    "gc.isenabled()": "gc:isenabled",
    "gc.get_threshold()": "gc:get_threshold",
    "socket.getdefaulttimeout()": "socket:getdefaulttimeout",
    "faulthandler.is_enabled()": "faulthandler:is_enabled",
    "resource.getrlimit()": "resource:getrlimit",
    "sys.gettrace()": "sys:gettrace",
    "sys.getprofile()": "sys:getprofile",
    "asyncio.get_event_loop_policy()": (
        "asyncio:get_event_loop_policy asyncio.events:get_event_loop_policy asyncio:new_event_loop asyncio:run "
        "asyncio:Runner asyncio:get_event_loop"
    ),
    "asyncio.get_event_loop()": "asyncio:get_event_loop asyncio.events:get_event_loop",
    "threading.enumerate()": "threading:enumerate threading:active_count",
    "os.waitid()": (
        "os:wait os:wait3 os:wait4 os:waitpid os:waitid multiprocessing:active_children "
        "multiprocessing.process:active_children"
    ),
}

"""Calls that read each state: module, colon, attribute."""

SETTERS = {
    "os.getcwd()": "os:chdir os:fchdir",
    "os.umask()": "os:umask",
    "locale.setlocale()": "locale:setlocale locale:resetlocale",
    "time.tzname": "time:tzset",
    "signal.getsignal()": "signal:signal signal:siginterrupt",
    "signal.getitimer(ITIMER_REAL)": "signal:setitimer signal:alarm",
    RandomGenerator.NAME: "random:seed random:setstate",
    NumpyRandomGenerator.NAME: "numpy.random:seed numpy.random:set_state numpy.random:set_bit_generator",
    DecimalContext.NAME: "decimal:setcontext",
    "sys.getrecursionlimit()": "sys:setrecursionlimit",
    "sys.getswitchinterval()": "sys:setswitchinterval",
    "sys.get_int_max_str_digits()": "sys:set_int_max_str_digits",
    "gc.isenabled()": "gc:enable gc:disable",
    "gc.get_threshold()": "gc:set_threshold",
    "socket.getdefaulttimeout()": "socket:setdefaulttimeout",
    "faulthandler.is_enabled()": "faulthandler:enable faulthandler:disable",
    "resource.getrlimit()": "resource:setrlimit resource:prlimit",
    "sys.gettrace()": "sys:settrace",
    "sys.getprofile()": "sys:setprofile",
    "asyncio.get_event_loop_policy()": "asyncio:set_event_loop_policy asyncio.events:set_event_loop_policy",
    "asyncio.get_event_loop()": "asyncio:set_event_loop asyncio.events:set_event_loop asyncio:run asyncio:Runner",
}

"""Calls that set each state."""

UNSEEN = {
    "os.getcwd()": "os.stat and os.path.exists of a relative path, and what C code opens",
    "os.umask()": "os.mkfifo, os.mknod, and what C code creates",
    "locale.setlocale()": "the format code 'n', the strftime of dates, and C code that uses the C library",
    "time.tzname": "methods of datetime, and code that imported time.localtime earlier, as logging does",
    "signal.getsignal()": "a signal from outside",
    "signal.getitimer(ITIMER_REAL)": "the expiry of the timer",
    DecimalContext.NAME: "every calculation with Decimal",
    "sys.getrecursionlimit()": "every deep recursion",
    "sys.getswitchinterval()": "every program with threads",
    "sys.get_int_max_str_digits()": "int() and str() of long numbers",
    "gc.isenabled()": "the garbage collector itself, and so weak references and __del__",
    "gc.get_threshold()": "the garbage collector itself, and so weak references and __del__",
    "faulthandler.is_enabled()": "a crash",
    "resource.getrlimit()": "any code that reaches the limit",
    "sys.gettrace()": "every call of a function",
    "sys.getprofile()": "every call of a function",
    "asyncio.get_event_loop()": "code that imported asyncio.get_event_loop before its module was known as the user's",
    "threading.enumerate()": "anything the threads do",
    "os.waitid()": "anything the processes do",
    "sys.excepthook": "an uncaught exception",
    "sys.unraisablehook": "an exception in a __del__",
    "threading.excepthook": "an exception that ends a thread",
}
"""Uses of each state that cannot be recorded, in words."""

Slot = tuple[object, str]
"""A module, class or other object, and the name of its attribute."""

_FUNCTIONS = (FunctionType, BuiltinFunctionType, MethodType, type)


def readers(name: str, among: Iterable[ModuleType] = ()) -> list[Slot]:
    """The attributes whose access means that this state is about to be read: functions of imported modules, and the
    same functions under the names by which the modules in `among` have imported them.

    Chosen so that each access is listed once: `os.path.abspath` looks up `os.getcwd` when it needs it, and only then.
    Some are attributes of C classes, which may be impossible to watch.
    """
    slots = logging_slots(name) or _resolved(READERS, name) or _methods_of_generator(name) or _attribute(name)
    return [*slots, *_aliases(slots, among)]


def setters(name: str, among: Iterable[ModuleType] = ()) -> list[Slot]:
    """The attributes whose access means that this state is about to be set. What a test reads after that is its own.
    Saving and restoring, with `os.umask` or with `locale.setlocale` without a value, looks the same."""
    slots = _resolved(SETTERS, name)
    return [*slots, *_aliases(slots, among)]


def unseen_readers(name: str) -> str:
    """Which uses of this state cannot be recorded; empty if all can."""
    return UNSEEN.get(name) or UNSEEN.get(_generic(name), "")


def _generic(name: str) -> str:
    """`signal.getsignal(SIGUSR1)` belongs to `signal.getsignal()`."""
    return f"{name.partition('(')[0]}()"


def _resolved(table: dict[str, str], name: str) -> list[Slot]:
    paths = table.get(name) or table.get(_generic(name), "")
    return [slot for path in paths.split() if (slot := _slot(path)) is not None]


def _slot(path: str) -> Slot | None:
    """None if its module is not imported; this imports none."""
    module_name, _, attribute = path.partition(":")
    holder: object = sys.modules.get(module_name)
    cls, _, method = attribute.rpartition(".")
    if cls:
        holder, attribute = _contents(holder).get(cls), method
    return (holder, attribute) if attribute in _contents(holder) else None


def _contents(holder: object) -> dict[str, object]:
    if issubclass(type(holder), ModuleType):
        return module_contents(holder)  # type: ignore[arg-type]
    return dict(type.__dict__["__dict__"].__get__(holder)) if issubclass(type(holder), type) else {}


def _methods_of_generator(name: str) -> list[Slot]:
    """`random.choice` and similar functions are bound methods of one hidden object."""
    module_name, hidden = {
        RandomGenerator.NAME: ("random", getattr(sys.modules.get("random"), "_inst", None)),
        NumpyRandomGenerator.NAME: ("numpy.random", getattr(sys.modules.get("numpy.random.mtrand"), "_rand", None)),
    }.get(name, ("", None))
    if hidden is None:
        return []
    module = sys.modules[module_name]
    setting = {attribute for _, attribute in setters(name)}
    bound: dict[str, Any] = {
        key: value for key, value in module_contents(module).items() if type(value) in (MethodType, BuiltinFunctionType)
    }
    return [(module, key) for key, value in bound.items() if value.__self__ is hidden and key not in setting]


def _attribute(name: str) -> list[Slot]:
    """State that is itself an attribute of a module: `sys.excepthook`."""
    slot = _slot(":".join(name.rsplit(".", 1)))
    return [slot] if slot else []


def _aliases(slots: list[Slot], among: Iterable[ModuleType]) -> list[Slot]:
    """Only functions: an equal number or text in a module may be unrelated."""
    known = {id(_contents(holder).get(attribute)) for holder, attribute in slots}
    here = {(id(holder), attribute) for holder, attribute in slots}
    return [
        (module, key)
        for module in among
        for key, value in list(module_contents(module).items())
        if id(value) in known and type(value) in _FUNCTIONS and (id(module), key) not in here
    ]
