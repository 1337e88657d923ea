"""One way to change each state of the process, as a test might leave it behind."""

import asyncio
import decimal
import gc
import locale
import logging
import os
import random
import resource
import signal
import socket
import sys
import tempfile
import time
import warnings


def handle(*_: object) -> None:
    """A handler, a hook, a profiler."""


def _limit_files() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft - 1, hard))


def _zone() -> None:
    os.environ["TZ"] = "Asia/Tokyo"
    time.tzset()


def _decimal() -> None:
    decimal.getcontext().prec = 5


def _hook(name: str) -> None:
    setattr(sys, name, handle)


def _locale() -> None:
    now = locale.setlocale(locale.LC_ALL)
    locale.setlocale(locale.LC_ALL, "C" if now == "C.UTF-8" else "C.UTF-8")


class OtherPolicy(asyncio.DefaultEventLoopPolicy):  # type: ignore[name-defined,misc,unused-ignore]
    """Somebody's own."""


PROCESS = {
    "os.getcwd()": lambda: os.chdir("/"),
    "os.umask()": lambda: os.umask(0o071),
    "locale.setlocale()": _locale,
    "time.tzname": _zone,
    "signal.getsignal(SIGUSR1)": lambda: signal.signal(signal.SIGUSR1, handle),
    "signal.getsignal(SIGPIPE)": lambda: signal.signal(signal.SIGPIPE, signal.SIG_DFL),
    "signal.getsignal(40)": lambda: signal.signal(40, handle),
    "signal.getitimer(ITIMER_REAL)": lambda: signal.setitimer(signal.ITIMER_REAL, 1000),
    "random.getstate()": lambda: random.seed(4),
    "decimal.getcontext()": _decimal,
    "tempfile.gettempdir()": lambda: setattr(tempfile, "tempdir", "/somewhere"),
    "sys.getrecursionlimit()": lambda: sys.setrecursionlimit(sys.getrecursionlimit() + 7),
    "sys.getswitchinterval()": lambda: sys.setswitchinterval(0.123),
    "sys.get_int_max_str_digits()": lambda: sys.set_int_max_str_digits(9999),
    "gc.isenabled()": gc.disable,
    "gc.get_threshold()": lambda: gc.set_threshold(777, 7, 7),
    "socket.getdefaulttimeout()": lambda: socket.setdefaulttimeout(12.5),
    "resource.getrlimit(RLIMIT_NOFILE)": _limit_files,
    "sys.getprofile()": lambda: sys.setprofile(handle),
    "sys.excepthook": lambda: _hook("excepthook"),
    "sys.displayhook": lambda: _hook("displayhook"),
    "sys.stdin": lambda: _hook("stdin"),
    "asyncio.get_event_loop_policy()": lambda: asyncio.set_event_loop_policy(OtherPolicy()),
    "asyncio.get_event_loop()": lambda: asyncio.run(asyncio.sleep(0)),
}
"""Each changes the state of that name and no other."""

LOGGING = {
    "logging.getLogger().level": lambda: logging.getLogger().setLevel(7),
    "logging.getLogger().handlers": lambda: logging.getLogger().addHandler(logging.NullHandler()),
    "logging.getLogger('shop.cart').level": lambda: logging.getLogger("shop.cart").setLevel("DEBUG"),
    "logging.getLogger('shop.cart').handlers": lambda: logging.getLogger("shop.cart").addHandler(logging.NullHandler()),
    "logging.getLogger('shop.cart').filters": lambda: logging.getLogger("shop.cart").addFilter(logging.Filter("x")),
    "logging.getLogger('shop.cart').disabled": lambda: setattr(logging.getLogger("shop.cart"), "disabled", True),
    "logging.getLogger('shop.cart').propagate": lambda: setattr(logging.getLogger("shop.cart"), "propagate", False),
    "logging.root.manager.disable": lambda: logging.disable(logging.INFO),
}

OTHERS = {
    "os.environ['UNKNOT']": lambda: os.environ.update(UNKNOT="x"),
    "sys.path": lambda: sys.path.append("/somewhere"),
    "sys.modules['json']": lambda: sys.modules.update(json=sys),
    "warnings.filters": lambda: warnings.simplefilter("ignore"),
}
"""Of the heap walk's business; here for their restoring."""
