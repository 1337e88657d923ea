"""Whether a reset resets: found out by running the same order before and after it."""

from collections.abc import Callable
from dataclasses import dataclass

from unknot.model.errors import RunnerError
from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.suite import Order, TestId

Ask = Callable[[bool], tuple[Result, ...]]
"""Runs the order: on a new instance (true), or after a reset of the one that is there (false)."""

PAIRS = 3
_NAMED = 5


@dataclass(frozen=True)
class Leak:
    """A test that saw what the run before had left: on every new instance it did `alone`, after every reset something
    else, `after` the first."""

    test: TestId
    alone: Outcome
    after: Outcome
    story: str = ""


@dataclass(frozen=True)
class ResetCheck:
    """`unsteady` are tests that did not always do the same, but not as a leak would have it: flaky, or not asked often
    enough. `first` is what the order did on the first new instance."""

    leaks: tuple[Leak, ...]
    unsteady: tuple[TestId, ...]
    first: tuple[Result, ...]


def check_reset_by(ask: Ask, order: Order, *, pairs: int = PAIRS) -> ResetCheck:
    """Runs the order on a new instance and again after a reset. If both did the same in every test, that is all.

    Otherwise it is run again, alternately after a reset and on a new instance, until each test that differed has
    either shown a way that no leak explains, or has kept to one outcome on `pairs` new instances and to others after
    `pairs` resets: only then the reset is accused. A leak that shows in the first two runs and is steady is always
    found. A test that fails by chance with probability p is taken for a leak with at most (p (1 - p)) ** pairs.
    Cost: two runs, or at most twice `pairs`.
    """
    alone = [ask(True)]
    after = [ask(False)]
    places = range(len(order))
    suspects = {place for place in places if after[0][place].outcome is not alone[0][place].outcome}
    differed = set(suspects)
    while suspects and len(alone) < pairs:
        after.append(ask(False))
        alone.append(ask(True))
        differed |= {place for place in places if _outcomes([*alone, *after], place) != {alone[0][place].outcome}}
        suspects = {place for place in suspects if _is_as_a_leak_would(alone, after, place)}
    leaks = tuple(
        Leak(order[place], alone[0][place].outcome, after[0][place].outcome, after[0][place].story)
        for place in sorted(suspects)
    )
    return ResetCheck(leaks, tuple(order[place] for place in sorted(differed - suspects)), alone[0])


def leak_error(check: ResetCheck, reset: str) -> RunnerError:
    """For a check that has found leaks; `reset` says which one it was, in the user's words."""
    named = [f"{leak.test} ({leak.alone} on a new instance, {leak.after} after it)" for leak in check.leaks[:_NAMED]]
    more = len(check.leaks) - len(named)
    return RunnerError(
        f"the reset {reset!r} does not reset: {', '.join(named)}{f' and {more} more' if more else ''}"
        f" saw what the run before had left",
        hint="choose one that puts back more: `unknot resets` tries them all; `restart` is always right if the system"
        " keeps its state below UNKNOT_DIR",
    )


def _is_as_a_leak_would(alone: list[tuple[Result, ...]], after: list[tuple[Result, ...]], place: int) -> bool:
    expected = _outcomes(alone, place)
    return len(expected) == 1 and not expected & _outcomes(after, place)


def _outcomes(runs: list[tuple[Result, ...]], place: int) -> set[Outcome]:
    return {run[place].outcome for run in runs}
