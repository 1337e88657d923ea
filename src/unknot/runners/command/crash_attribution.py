"""How often an order is run until what came of it can be believed."""

from collections import Counter
from collections.abc import Iterator

from unknot.model.errors import RunnerError
from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.suite import Order
from unknot.runners.command.attempt import End, OrderAttempt
from unknot.runners.command.calm import Calm, Run

_TRIES = 12
_NEEDED = 2
_NEEDED_IF_FOREIGN = 5
_MOST_GARBLED = 3
"""Results that make no sense rarely make more of it later."""


class Believing:
    """An order that came to its end is believed. One that broke off is run again: a crash is a test's doing only if it
    happens again at the same test. If it could have come from outside, it must happen there several times, never
    elsewhere, and not while what has come to its end before is broken off too: whoever kills from outside does
    not keep to one test. Where nothing has ever come to its end, it must happen every time. A test that took too long
    is believed at once, because asking again costs that much time again.

    Where the command does not say how far it came, shorter beginnings of the order are run until it is known whom it
    stops at. Assumes that an order which breaks off does so again, and that a beginning without its culprit does not.
    """

    def __init__(self, run: Run) -> None:
        self._calm = Calm(run)

    def answer(self, order: Order) -> tuple[Result, ...]:
        """Raises RunnerError if it breaks off again and again without saying the same thing."""
        broken: Counter[int | None] = Counter()
        watched: set[int | None] = set()
        garbled = 0
        attempt = None
        for number in range(_TRIES):
            attempt, seconds = self._calm.tried(order, number > 0)
            if attempt.end is End.WHOLE:
                return attempt.results
            if attempt.end is End.GARBLED:
                garbled += not attempt.may_be_foreign
                if garbled == _MOST_GARBLED:
                    break
                continue
            if number:
                watched.add(attempt.place)
            if number == 0 and attempt.may_be_foreign:
                self._calm.look_among(order)
            if not self._may_be_its_own(order, attempt, seconds):
                continue
            broken[attempt.place] += 1
            is_scattered = attempt.may_be_foreign and len(watched - {None}) > 1
            if is_scattered or broken[attempt.place] < self._needed(attempt):
                continue
            found = attempt if attempt.place is not None else self._searched(order, attempt)
            if found is not None:
                self._check_command(order, found)
                return _told(order, found)
        assert attempt is not None
        if attempt.is_silent and not self._calm.is_known:
            raise _tells_nothing(attempt)
        raise _never_the_same(order, number + 1, attempt)

    def _may_be_its_own(self, order: Order, attempt: OrderAttempt, seconds: float) -> bool:
        """Whether a run that broke off says anything about its tests."""
        if not attempt.may_be_foreign:
            return True
        return self._calm.holds(seconds) if self._calm.is_known else len(order) == 1

    def _needed(self, attempt: OrderAttempt) -> int:
        if attempt.end is End.TIMED_OUT:
            return 1
        if not attempt.may_be_foreign:
            return _NEEDED
        return _NEEDED_IF_FOREIGN if self._calm.is_known else _TRIES

    def _searched(self, order: Order, whole: OrderAttempt) -> OrderAttempt | None:
        """Whom it stops at, by halves. None if the answers do not fit together."""
        good = 0
        good_results: tuple[Result, ...] = ()
        bad, last, seconds = len(order), whole, 0.0
        while bad - good > 1:
            middle = (good + bad) // 2
            attempt, spent = self._calm.tried(order[:middle])
            if attempt.end is End.WHOLE:
                good, good_results = middle, attempt.results
            elif attempt.end is End.GARBLED:
                return None
            else:
                bad, last, seconds = middle, attempt, spent
        for _ in range(self._needed(last) - 1):
            # The search has seen each beginning once; the one that counts must do it again.
            if not self._may_be_its_own(order[:bad], last, seconds):
                return None
            again, seconds = self._calm.tried(order[:bad])
            if again.end is not last.end:
                return None
        return OrderAttempt(last.end, good_results, bad - 1, last.story, last.may_be_foreign, last.is_silent)

    def _check_command(self, order: Order, found: OrderAttempt) -> None:
        """Raises RunnerError if the command tells nothing, whichever test it is given: then no test is to blame."""
        if not found.is_silent or found.place != 0 or len(order) == 1:
            return
        self._calm.look_among(order)
        if not self._calm.is_known:
            raise _tells_nothing(found)


def _told(order: Order, found: OrderAttempt) -> tuple[Result, ...]:
    return tuple(_results(order, found))


def _results(order: Order, found: OrderAttempt) -> Iterator[Result]:
    assert found.place is not None
    yield from found.results
    outcome = Outcome.TIMED_OUT if found.end is End.TIMED_OUT else Outcome.CRASHED
    yield Result(outcome, 0.0, found.story)
    for _ in order[found.place + 1 :]:
        yield Result(Outcome.NOT_RUN)


def _tells_nothing(last: OrderAttempt) -> RunnerError:
    return RunnerError(
        f"the command tells of no test, whichever it is given:\n{last.story}",
        hint="run it by hand with one test; see that it writes results where and how `results`,"
        " `results-file` and `pattern` say",
    )


def _never_the_same(order: Order, tries: int, last: OrderAttempt) -> RunnerError:
    hint = "run the command by hand with these tests; see whether something else on this machine ends it"
    if last.end is End.GARBLED and not last.may_be_foreign:
        hint = (
            "it must run just the tests it is given, in that sequence, tell each once by the id that the list has, and"
            " end with one of `statuses` if they are given; docs/how-to-run-any-suite.md has ways for tools that do not"
        )
    return RunnerError(
        f"an order of {len(order)} tests that begins with {order[0]} was run {tries} times and gave no results that can"
        f" be believed; the last time:\n{last.story}",
        hint=hint,
    )
