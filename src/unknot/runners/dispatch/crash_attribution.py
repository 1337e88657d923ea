"""Crash attribution: how often an order that broke off is run again before a test is blamed for it.

A test that kills its own process does so each time, at the same position. A kill from outside (an operator, the kernel
when memory runs out) hits any test. So an order that was broken off by a signal that others send too is run again, and
a test is blamed only after the order broke off there several times.

Between two tries a *control order* is run, one that completed before. If that is broken off too, the crash says nothing
about the test. Once a kill from outside is known, because an order completed where it was killed before, more kills are
needed: short orders are then hit at the same test by chance.
"""

import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto

from unknot.model.errors import RunnerError
from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.suite import Order, TestId
from unknot.runners.workers.slot import Answered

_FROM_OUTSIDE = frozenset({signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT})
_OF_ITS_OWN = frozenset({signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL, signal.SIGFPE})

_SHELL_STATUSES = frozenset(128 + number for number in _FROM_OUTSIDE | _OF_ITS_OWN)
"""A shell, and most programs that start others, pass a death by signal on like this."""

_MOST_TRIES = 12

_CRASHES_NEEDED = 2
_KILLS_NEEDED = 5
_KILLS_NEEDED_AMONG_OTHERS = 9
"""Of one order at one position, with a control order that completes between them; the last if kills from outside are
known."""

_MOST_GARBLED = 3
"""Results that make no sense rarely make more of it later."""

_MOST_CONTROLS_TRIED = 3
_LONGEST_CONTROL = 10.0
"""Seconds. A killer so rare that nothing happens in that time does not hit the same test again and again."""


def may_be_foreign(number: int) -> bool:
    """Whether a process that died by this signal, 0 for none, may have been killed from outside."""
    return number in _FROM_OUTSIDE


def died(status: int) -> bool:
    """Whether a process was ended by a signal, itself or what it passes on."""
    return status < 0 or status in _SHELL_STATUSES


def is_sent_by_others(status: int) -> bool:
    return may_be_foreign(-status if status < 0 else status - 128)


class AttemptEnd(Enum):
    WHOLE = auto()
    CRASHED = auto()
    TIMED_OUT = auto()
    GARBLED = auto()
    """There are results, but not of this order, or the order could not be run for a reason that is no test's. Nothing
    of it counts, and no test is to blame."""


@dataclass(frozen=True, slots=True)
class OrderAttempt:
    """One run of an order, as far as it came. `results` are those of the order's beginning that can be trusted.
    `position` is that of the test under way when it broke off, None if that is not known. `may_be_foreign` says that
    it may have been stopped from outside. `is_silent` says that it ended by itself and reported nothing at all, as a
    wrong command does."""

    end: AttemptEnd
    results: tuple[Result, ...] = ()
    position: int | None = None
    story: str = ""
    may_be_foreign: bool = False
    is_silent: bool = False


RunOnce = Callable[[Order, bool], OrderAttempt]
"""Runs an order from a clean state; the flag says to find out at which test the instance is lost."""


class ControlOrder:
    """The fastest order that completed so far. When a run was broken off, perhaps from outside, this order is run again
    for as long: if it is broken off too, the first crash says nothing.

    Assumes that an order which completed once does so again, unless it is killed."""

    def __init__(self, run: RunOnce) -> None:
        self._run = run
        self._order: Order = ()
        self._seconds = float("inf")

    @property
    def is_known(self) -> bool:
        """Whether any order has ever completed."""
        return bool(self._order)

    def timed(self, order: Order, watches_instance: bool = False) -> tuple[OrderAttempt, float]:
        """Runs an order; the attempt, and how many seconds it took."""
        began = time.monotonic()
        attempt = self._run(order, watches_instance)
        seconds = time.monotonic() - began
        if attempt.end is AttemptEnd.WHOLE:
            self.take(order, seconds)
        return attempt, seconds

    def take(self, order: Order, seconds: float) -> None:
        """This order completed. The fastest is kept."""
        if seconds < self._seconds:
            self._order, self._seconds = order, seconds

    def search(self, order: Order) -> None:
        """If no order is known to complete, tries some tests of this one, each alone."""
        for test in order[: -_MOST_CONTROLS_TRIED - 1 : -1]:
            if not self.is_known and test != order[0]:
                self.timed((test,))

    def completes(self, seconds: float) -> bool:
        """Whether it completes now, again and again for so many seconds, ten at most. Assumes that it is known. Cost:
        that time, and one run at least."""
        spent = 0.0
        while spent == 0.0 or spent < min(seconds, _LONGEST_CONTROL):
            attempt, more = self.timed(self._order)
            if attempt.end is not AttemptEnd.WHOLE:
                return False
            spent += more
        return True


class OrderRetries:
    """Runs an order until its results can be trusted. One that completed is trusted. One that broke off is run again:
    a test is blamed only if the order breaks off there again. If that could have come from outside, it must happen
    there several times, never elsewhere, and only while the control order completes. Where nothing has ever completed,
    it must happen every time. A test that was blamed for a kill before is treated as one that crashes by itself. A test
    that took too long is blamed at once, because each further try takes as long.

    Where the command does not say how far it came, shorter beginnings of the order are run until the test that stops it
    is known. Assumes that an order which breaks off does so again, and that a beginning without its culprit does not.
    """

    def __init__(self, run: RunOnce) -> None:
        self._control = ControlOrder(run)
        self._kills_needed = _KILLS_NEEDED
        self._killers: set[TestId] = set()

    @property
    def has_control(self) -> bool:
        return self._control.is_known

    def completed(self, order: Order) -> None:
        """This order completed elsewhere, so it can serve as the control order until a faster one is known."""
        self._control.take(order, sys.float_info.max)

    def answer(self, order: Order) -> Generator[None, None, Answered]:
        """As `run`, with the seconds that it took and the tests that count."""
        began = time.monotonic()
        results = yield from self.run(order)
        executed = sum(result.outcome is not Outcome.NOT_RUN for result in results)
        return Answered(results, executed, time.monotonic() - began)

    def run(self, order: Order) -> Generator[None, None, tuple[Result, ...]]:
        """Yields before each try: then the work can be broken off. Raises RunnerError if the order breaks off again and
        again at no one test."""
        broken: Counter[int | None] = Counter()
        watched: set[int | None] = set()
        garbled = 0
        was_killed = False
        attempt = None
        for number in range(_MOST_TRIES):
            yield
            attempt, seconds = self._control.timed(order, number > 0)
            if attempt.position is not None and order[attempt.position] in self._killers:
                attempt = replace(attempt, may_be_foreign=False)
            if attempt.end is AttemptEnd.WHOLE:
                if was_killed:
                    self._kills_needed = _KILLS_NEEDED_AMONG_OTHERS
                return attempt.results
            was_killed |= attempt.may_be_foreign
            if attempt.end is AttemptEnd.GARBLED:
                garbled += not attempt.may_be_foreign
                if garbled == _MOST_GARBLED:
                    break
                continue
            if number:
                watched.add(attempt.position)
            if number == 0 and attempt.may_be_foreign:
                self._control.search(order)
            if not self._says_something(order, attempt, seconds):
                continue
            broken[attempt.position] += 1
            is_scattered = attempt.may_be_foreign and len(watched - {None}) > 1
            if is_scattered or broken[attempt.position] < self._needed(attempt):
                continue
            found = attempt if attempt.position is not None else self._bisected(order, attempt)
            if found is not None:
                self._check_command(order, found)
                if found.may_be_foreign and found.position is not None:
                    self._killers.add(order[found.position])
                return tuple(_results(order, found))
        assert attempt is not None
        if attempt.is_silent and not self._control.is_known:
            raise _reports_nothing(attempt)
        raise _no_agreement(order, number + 1, attempt)

    def _says_something(self, order: Order, attempt: OrderAttempt, seconds: float) -> bool:
        """Whether a run that broke off says anything about its tests."""
        if not attempt.may_be_foreign:
            return True
        return self._control.completes(seconds) if self._control.is_known else len(order) == 1

    def _needed(self, attempt: OrderAttempt) -> int:
        if attempt.end is AttemptEnd.TIMED_OUT:
            return 1
        if not attempt.may_be_foreign:
            return _CRASHES_NEEDED
        return self._kills_needed if self._control.is_known else _MOST_TRIES

    def _bisected(self, order: Order, whole: OrderAttempt) -> OrderAttempt | None:
        """The test that it stops at, by halves. None if the runs contradict each other."""
        good = 0
        good_results: tuple[Result, ...] = ()
        bad, last, seconds = len(order), whole, 0.0
        while bad - good > 1:
            middle = (good + bad) // 2
            attempt, spent = self._control.timed(order[:middle])
            if attempt.end is AttemptEnd.WHOLE:
                good, good_results = middle, attempt.results
            elif attempt.end is AttemptEnd.GARBLED:
                return None
            else:
                bad, last, seconds = middle, attempt, spent
        for _ in range(self._needed(last) - 1):
            # The search has run each beginning once; the one that counts must break off again.
            if not self._says_something(order[:bad], last, seconds):
                return None
            again, seconds = self._control.timed(order[:bad])
            if again.end is not last.end:
                return None
        return OrderAttempt(last.end, good_results, bad - 1, last.story, last.may_be_foreign, last.is_silent)

    def _check_command(self, order: Order, found: OrderAttempt) -> None:
        """Raises RunnerError if the command reports nothing, whichever test it is given: then no test is to blame."""
        if not found.is_silent or found.position != 0 or len(order) == 1:
            return
        self._control.search(order)
        if not self._control.is_known:
            raise _reports_nothing(found)


def _results(order: Order, found: OrderAttempt) -> Iterator[Result]:
    assert found.position is not None
    yield from found.results
    outcome = Outcome.TIMED_OUT if found.end is AttemptEnd.TIMED_OUT else Outcome.CRASHED
    yield Result(outcome, 0.0, found.story)
    for _ in order[found.position + 1 :]:
        yield Result(Outcome.NOT_RUN)


def _reports_nothing(last: OrderAttempt) -> RunnerError:
    return RunnerError(
        f"the command reports no test, whichever it is given:\n{last.story}",
        hint="run it by hand with one test; see that it writes results where and how `results`,"
        " `results-file` and `pattern` say",
        slug="results-empty",
    )


def _no_agreement(order: Order, tries: int, last: OrderAttempt) -> RunnerError:
    message = (
        f"an order of {len(order)} tests that begins with {order[0]} was run {tries} times and gave no results that can"
        f" be trusted; the last time:\n{last.story}"
    )
    if last.end is AttemptEnd.GARBLED and not last.may_be_foreign:
        return RunnerError(
            message,
            hint="it must run just the tests it is given, in that sequence, report each once by the id that the list"
            " has, and end with one of `statuses` if they are given; docs/how-to-run-any-suite.md has ways for tools"
            " that do not",
            slug="results-inconsistent",
        )
    return RunnerError(
        message,
        hint="run these tests by hand; see what else on this machine ends processes: memory that runs out, a limit,"
        " another program; what was found so far is kept",
        slug="order-killed",
    )
