"""One run of an order, as far as it came."""

import signal
from dataclasses import dataclass
from enum import Enum, auto

from unknot.model.run import Result
from unknot.runners.dispatch.kills import FROM_OUTSIDE, may_be_foreign

_SHELL_SAYS = frozenset(
    128 + number
    for number in (
        *FROM_OUTSIDE,
        signal.SIGSEGV,
        signal.SIGABRT,
        signal.SIGBUS,
        signal.SIGILL,
        signal.SIGFPE,
    )
)
"""A shell, and most programs that start others, pass a death by signal on like this."""


class End(Enum):
    WHOLE = auto()
    CRASHED = auto()
    TIMED_OUT = auto()
    GARBLED = auto()
    """There are results, but not of this order, or the order could not be carried out for a reason that is no test's.
    Nothing of it is believed, and no test is to blame."""


@dataclass(frozen=True, slots=True)
class OrderAttempt:
    """`results` are those of the order's beginning, as far as they can be believed. `place` is the position of the test
    that was under way when it broke off, None if nobody knows. `may_be_foreign` says that it may have been stopped
    from outside: by the system for want of memory, by a person."""

    end: End
    results: tuple[Result, ...] = ()
    place: int | None = None
    story: str = ""
    may_be_foreign: bool = False
    is_silent: bool = False
    """It ended by itself and told nothing at all: so does a command that is not the right one."""


def died(status: int) -> bool:
    """Whether a process was ended by a signal, itself or what it passes on."""
    return status < 0 or status in _SHELL_SAYS


def is_sent_by_others(status: int) -> bool:
    return may_be_foreign(-status if status < 0 else status - 128)
