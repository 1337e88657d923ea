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
from collections.abc import Callable
from typing import Any


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
    """A custom policy."""


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


Restore = Callable[[], object]


def _saver(read: Callable[[], Any], write: Callable[[Any], object]) -> Callable[[], Restore]:
    def save() -> Restore:
        value = read()
        return lambda: write(value)

    return save


def _attribute(owner: object, name: str) -> Callable[[], Restore]:
    return _saver(lambda: getattr(owner, name), lambda value: setattr(owner, name, value))


def _handler(number: int) -> Callable[[], Restore]:
    return _saver(lambda: signal.getsignal(number), lambda handler: signal.signal(number, handler))


def _save_umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def _set_zone(zone: str | None) -> None:
    if zone is None:
        os.environ.pop("TZ", None)
    else:
        os.environ["TZ"] = zone
    time.tzset()


def _limit_files_to(limits: tuple[int, int]) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, limits)


SAVERS: dict[str, Callable[[], Restore]] = {
    "os.getcwd()": _saver(os.getcwd, os.chdir),
    "os.umask()": _saver(_save_umask, os.umask),
    "locale.setlocale()": _saver(
        lambda: locale.setlocale(locale.LC_ALL), lambda settings: locale.setlocale(locale.LC_ALL, settings)
    ),
    "time.tzname": _saver(lambda: os.environ.get("TZ"), _set_zone),
    "signal.getsignal(SIGUSR1)": _handler(signal.SIGUSR1),
    "signal.getsignal(SIGPIPE)": _handler(signal.SIGPIPE),
    "signal.getsignal(40)": _handler(40),
    "signal.getitimer(ITIMER_REAL)": _saver(lambda: 0, lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds)),
    "random.getstate()": _saver(random.getstate, random.setstate),
    "decimal.getcontext()": _saver(lambda: decimal.getcontext().copy(), decimal.setcontext),
    "tempfile.gettempdir()": _attribute(tempfile, "tempdir"),
    "sys.getrecursionlimit()": _saver(sys.getrecursionlimit, sys.setrecursionlimit),
    "sys.getswitchinterval()": _saver(sys.getswitchinterval, sys.setswitchinterval),
    "sys.get_int_max_str_digits()": _saver(sys.get_int_max_str_digits, sys.set_int_max_str_digits),
    "gc.isenabled()": _saver(gc.isenabled, lambda enabled: gc.enable() if enabled else gc.disable()),
    "gc.get_threshold()": _saver(gc.get_threshold, lambda threshold: gc.set_threshold(*threshold)),
    "socket.getdefaulttimeout()": _saver(socket.getdefaulttimeout, socket.setdefaulttimeout),
    "resource.getrlimit(RLIMIT_NOFILE)": _saver(lambda: resource.getrlimit(resource.RLIMIT_NOFILE), _limit_files_to),
    "sys.getprofile()": _saver(sys.getprofile, sys.setprofile),
    "sys.excepthook": _attribute(sys, "excepthook"),
    "sys.displayhook": _attribute(sys, "displayhook"),
    "sys.stdin": _attribute(sys, "stdin"),
    "asyncio.get_event_loop_policy()": _saver(asyncio.get_event_loop_policy, asyncio.set_event_loop_policy),
    # The only way back to "no policy set": the next caller gets a new policy, and from it a new loop.
    "asyncio.get_event_loop()": _saver(lambda: None, asyncio.set_event_loop_policy),
}
"""For each state of `PROCESS`, a function that saves it and returns the function that restores it."""
