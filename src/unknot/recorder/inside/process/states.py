"""The state of the process by name: how it is read, which calls read it, and which uses of it cannot be recorded."""

import _locale
import faulthandler
import gc
import resource
import sys
from collections.abc import Callable
from typing import NamedTuple

from unknot.recorder.inside.process.probes import (
    DecimalContext,
    Umask,
    attribute_text,
    child_processes,
    event_loop,
    event_loop_policy,
    object_text,
    running_threads,
    socket_timeout,
    temporary_directory,
    time_zone,
    timer,
    working_directory,
)

_getrlimit = resource.getrlimit


class State(NamedTuple):
    text: Callable[[], str] | None = None
    """The current content; None if a probe of its own compares it."""
    readers: str = ""
    """Calls that read it: module, colon, attribute. If empty, and the state is an attribute itself, that attribute."""
    unseen: str = ""
    """Uses that cannot be recorded, in words."""


def _text_of(get: Callable[[], object]) -> Callable[[], str]:
    return lambda: repr(get())


def _limit(which: int) -> State:
    return State(lambda: repr(_getrlimit(which)), "resource:getrlimit", unseen="any code that reaches the limit")


_COLLECTOR = "the garbage collector itself, and so weak references and __del__"

STATES: dict[str, State] = {
    "os.getcwd()": State(
        working_directory,
        "os:getcwd os:getcwdb",
        unseen="os.stat and os.path.exists of a relative path, and what C code opens",
    ),
    "os.umask()": State(Umask().text, unseen="os.mkfifo, os.mknod, and what C code creates"),
    "signal.getsignal()": State(None, "signal:getsignal signal:raise_signal", unseen="a signal from outside"),
    "signal.getitimer(ITIMER_REAL)": State(timer, "signal:getitimer", unseen="the expiry of the timer"),
    "tempfile.gettempdir()": State(
        temporary_directory,
        "tempfile:tempdir tempfile:gettempdir tempfile:gettempdirb tempfile:mkstemp tempfile:mkdtemp tempfile:mktemp "
        "tempfile:NamedTemporaryFile tempfile:TemporaryFile tempfile:SpooledTemporaryFile tempfile:TemporaryDirectory",
    ),
    "resource.getrlimit(RLIMIT_NOFILE)": _limit(resource.RLIMIT_NOFILE),
    "resource.getrlimit(RLIMIT_AS)": _limit(resource.RLIMIT_AS),
    "time.tzname": State(
        time_zone,
        "time:tzname time:timezone time:altzone time:daylight time:localtime time:mktime time:strftime time:ctime "
        "time:asctime email.utils:localtime email.utils:formatdate datetime:datetime.now datetime:datetime.today "
        "datetime:datetime.fromtimestamp datetime:datetime.astimezone datetime:datetime.timestamp datetime:date.today "
        "datetime:date.fromtimestamp",
        unseen="methods of datetime, and code that imported time.localtime earlier, as logging does",
    ),
    "sys.getrecursionlimit()": State(
        _text_of(sys.getrecursionlimit), "sys:getrecursionlimit", unseen="every deep recursion"
    ),
    "sys.getswitchinterval()": State(
        _text_of(sys.getswitchinterval), "sys:getswitchinterval", unseen="every program with threads"
    ),
    "sys.get_int_max_str_digits()": State(
        _text_of(sys.get_int_max_str_digits), "sys:get_int_max_str_digits", unseen="int() and str() of long numbers"
    ),
    "gc.isenabled()": State(_text_of(gc.isenabled), "gc:isenabled", unseen=_COLLECTOR),
    "gc.get_threshold()": State(_text_of(gc.get_threshold), "gc:get_threshold", unseen=_COLLECTOR),
    "socket.getdefaulttimeout()": State(socket_timeout, "socket:getdefaulttimeout"),
    "faulthandler.is_enabled()": State(_text_of(faulthandler.is_enabled), "faulthandler:is_enabled", unseen="a crash"),
    "sys.gettrace()": State(object_text(sys.gettrace), "sys:gettrace", unseen="every call of a function"),
    "sys.getprofile()": State(object_text(sys.getprofile), "sys:getprofile", unseen="every call of a function"),
    "sys.excepthook": State(attribute_text("sys", "excepthook"), unseen="an uncaught exception"),
    "sys.unraisablehook": State(attribute_text("sys", "unraisablehook"), unseen="an exception in a __del__"),
    "sys.displayhook": State(attribute_text("sys", "displayhook")),
    "threading.excepthook": State(attribute_text("threading", "excepthook"), unseen="an exception that ends a thread"),
    "sys.stdin": State(attribute_text("sys", "stdin")),
    "sys.stdout": State(attribute_text("sys", "stdout")),
    "sys.stderr": State(attribute_text("sys", "stderr")),
    "locale.setlocale()": State(
        _text_of(lambda: _locale.setlocale(_locale.LC_ALL)),
        "locale:setlocale locale:localeconv locale:getlocale locale:format_string locale:currency locale:str "
        "locale:atof locale:atoi locale:delocalize locale:localize locale:strcoll locale:strxfrm locale:nl_langinfo "
        "locale:getpreferredencoding locale:getencoding time:strftime time:strptime calendar:LocaleTextCalendar "
        "calendar:different_locale",
        unseen="the format code 'n', the strftime of dates, and C code that uses the C library",
    ),
    "decimal.getcontext()": State(
        DecimalContext().text, "decimal:getcontext decimal:localcontext", unseen="every calculation with Decimal"
    ),
    "asyncio.get_event_loop_policy()": State(
        event_loop_policy,
        "asyncio:get_event_loop_policy asyncio.events:get_event_loop_policy asyncio:new_event_loop asyncio:run "
        "asyncio:Runner asyncio:get_event_loop",
    ),
    "asyncio.get_event_loop()": State(
        event_loop,
        "asyncio:get_event_loop asyncio.events:get_event_loop",
        unseen="code that imported asyncio.get_event_loop before its module was known as the user's",
    ),
    "threading.enumerate()": State(
        running_threads, "threading:enumerate threading:active_count", unseen="anything the threads do"
    ),
    "os.waitid()": State(
        child_processes,
        "os:wait os:wait3 os:wait4 os:waitpid os:waitid multiprocessing:active_children "
        "multiprocessing.process:active_children",
        unseen="anything the processes do",
    ),
}
"""Reading all of them costs about 30 µs, and 100 µs while child processes are running."""
