"""Whether a reset resets: found out by running the same orders on a new instance and on one that was used and reset.

The suite's own order hides most of what a reset leaves: a test that needs something finds it there in any case. So it
is also run backwards, where tests come before those that they need. And it is run after itself backwards, because a
suite may tidy up at its end.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from unknot.model.errors import RunnerError
from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.suite import Order, TestId

RunInTurn = Callable[[Sequence[Order]], Sequence[tuple[Result, ...]]]
"""Runs these orders one after another: the first on a new instance, each other after a reset of the same."""

_RunOrder = Callable[[bool], tuple[Result, ...]]
"""Runs an order: on a new instance (true), or after a reset of one that was used (false)."""

PAIRS = 3
_NAMED = 5


@dataclass(frozen=True)
class Leak:
    """A test that found what the run before had left: on every new instance it did `alone`, after every reset something
    else, `after` the first; in the suite's own order, or `backwards`."""

    test: TestId
    alone: Outcome
    after: Outcome
    story: str = ""
    backwards: bool = False


@dataclass(frozen=True)
class ResetCheck:
    """`unsteady` are tests that did not always do the same, but not as a leak would have it: flaky, or not run often
    enough. `first` is what the suite's own order did on the first new instance."""

    leaks: tuple[Leak, ...]
    unsteady: tuple[TestId, ...]
    first: tuple[Result, ...]


def check_reset_by(run: RunInTurn, order: Order, *, pairs: int = PAIRS) -> ResetCheck:
    """Runs the order, the same backwards and the order again, a reset before each but the first; and backwards once
    more, on a new instance. If both orders did the same in every test, that is all.

    Otherwise an order that did not is run again, alternately after a reset and on a new instance, until each test that
    differed has either shown a way that no leak explains, or has kept to one outcome on `pairs` new instances and to
    others after `pairs` resets: only then the reset is accused. A leak that shows in the first runs and is steady is
    always found. A test that fails by chance with probability p is taken for a leak with at most (p (1 - p)) ** pairs
    in each of the two orders.
    Cost: four runs, or at most five times `pairs`. Of a single test, two, or at most twice `pairs`.
    """
    runs = _BothWays(run, order)
    forwards = _compared(partial(runs.results, order), order, pairs)
    if len(order) < 2:
        return forwards
    back = _compared(partial(runs.results, order[::-1]), order[::-1], pairs, backwards=True)
    known = {leak.test for leak in forwards.leaks}
    leaks = (*forwards.leaks, *(leak for leak in back.leaks if leak.test not in known))
    unsteady = dict.fromkeys((*forwards.unsteady, *back.unsteady))
    return ResetCheck(
        leaks, tuple(test for test in unsteady if test not in {leak.test for leak in leaks}), forwards.first
    )


class _BothWays:
    """Keeps results until they are needed: one instance serves both orders."""

    def __init__(self, run: RunInTurn, order: Order) -> None:
        self._run = run
        self._order = order
        self._left: dict[tuple[Order, bool], list[tuple[Result, ...]]] = {}

    def results(self, order: Order, new: bool) -> tuple[Result, ...]:
        """The order on a new instance, or after a reset of one on which the other order ran before."""
        if not self._left.get((order, new)):
            orders = self._in_turn(order, new)
            for place, (each, results) in enumerate(zip(orders, self._run(orders), strict=True)):
                self._left.setdefault((each, place == 0), []).append(results)
        return self._left[order, new].pop(0)

    def _in_turn(self, order: Order, new: bool) -> list[Order]:
        forwards, backwards = self._order, self._order[::-1]
        if len(order) < 2:
            return [order, order]
        if order == forwards:
            # Of another length from then on: a test that fails every third time must not seem to keep to a rule.
            is_first = (order, new) not in self._left
            return [forwards, backwards, *([] if is_first else [backwards]), forwards]
        return [backwards] if new else [forwards, backwards]


def _compared(run: _RunOrder, order: Order, pairs: int, *, backwards: bool = False) -> ResetCheck:
    alone = [run(True)]
    after = [run(False)]
    places = range(len(order))
    suspects = {place for place in places if after[0][place].outcome is not alone[0][place].outcome}
    differed = set(suspects)
    while suspects and len(alone) < pairs:
        after.append(run(False))
        alone.append(run(True))
        differed |= {place for place in places if _outcomes([*alone, *after], place) != {alone[0][place].outcome}}
        suspects = {place for place in suspects if _fits_a_leak(alone, after, place)}
    leaks = tuple(
        Leak(order[place], alone[0][place].outcome, after[0][place].outcome, after[0][place].story, backwards)
        for place in sorted(suspects)
    )
    return ResetCheck(leaks, tuple(order[place] for place in sorted(differed - suspects)), alone[0])


def leak_error(check: ResetCheck, reset: str) -> RunnerError:
    """For a check that has found leaks; `reset` says which one it was, in the user's words."""
    named = [
        f"{leak.test} ({leak.alone} on a new instance, {leak.after} after it{', backwards' if leak.backwards else ''})"
        for leak in check.leaks[:_NAMED]
    ]
    more = len(check.leaks) - len(named)
    return RunnerError(
        f"the reset {reset!r} does not reset: {', '.join(named)}{f' and {more} more' if more else ''}"
        f" found what the run before had left",
        hint="choose one that puts back more: `unknot resets` tries them all; `restart` is always right if the system"
        " keeps its state below UNKNOT_DIR",
        slug="reset-leaks",
    )


def _fits_a_leak(alone: list[tuple[Result, ...]], after: list[tuple[Result, ...]], place: int) -> bool:
    expected = _outcomes(alone, place)
    return len(expected) == 1 and not expected & _outcomes(after, place)


def _outcomes(runs: list[tuple[Result, ...]], place: int) -> set[Outcome]:
    return {run[place].outcome for run in runs}
