"""Tries resets on the suite itself: what each costs, whether it is right, and which one to take."""

import contextlib
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from unknot.model.errors import RunnerError, UsageError
from unknot.model.run import Result
from unknot.model.suite import Order
from unknot.runners.dispatch.reset_check import Leak, ResetCheck, check_reset_by
from unknot.runners.sut.spec import InstanceSpec, ResetSpec
from unknot.runners.workers.slot import WorkerSlot, answers

ROUNDS = 5
_DATABASES = ("sqlite", "postgresql", "mariadb")
"""The files of a database must not be copied while it runs, even if a few runs go well."""

_ABOUT_THE_SAME = 0.9


@dataclass(frozen=True)
class Measured:
    """One reset on this suite. Both times are of one order, without the tests themselves: `new_seconds` with a new
    instance (made, started, its state kept), `reset_seconds` after a reset (the median of some). Starting the suite's
    command is in both, and the same for all resets. `check` says whether it is right; none if it could not even be
    tried, for the reason that `problem` gives."""

    reset: ResetSpec
    new_seconds: float = 0.0
    reset_seconds: float = 0.0
    check: ResetCheck | None = None
    problem: str = ""

    @property
    def is_right(self) -> bool:
        """No test found what the runs before had left."""
        return self.check is not None and not self.check.leaks


def candidates(spec: InstanceSpec) -> list[ResetSpec]:
    """The resets that could do for this instance, the configured one first. A copy of the directory is one of them if
    the instance knows of it; a running system has it copied meanwhile or is stopped for that."""
    found = [spec.reset, ResetSpec("restart")]
    if any("{dir}" in text or "UNKNOT_DIR" in text for _, texts in spec.texts() for text in texts):
        found.append(ResetSpec("directory"))
        if spec.start and spec.reset.kind not in _DATABASES:
            found.append(ResetSpec("directory", (("live", "true"),)))
    return list(dict.fromkeys(found))


def measured(
    make_slot: Callable[[ResetSpec], WorkerSlot], order: Order, resets: Sequence[ResetSpec], *, rounds: int = ROUNDS
) -> Iterator[Measured]:
    """One after another, each yielded as soon as it is known. `make_slot` opens a slot whose instance has this reset
    and is otherwise the same; it is closed here. Cost: at least `rounds` + 2 runs of the suite for each reset, six if
    `rounds` is less than that."""
    for reset in resets:
        try:
            yield _measured(make_slot, order, reset, rounds)
        except (RunnerError, UsageError) as problem:
            yield Measured(reset, problem=problem.message)


def cheapest(found: Iterable[Measured]) -> Measured | None:
    """The one to take: the quickest of those that are right. An earlier one that is about as quick goes first, so that
    no change of the configuration is advised for nothing."""
    best: Measured | None = None
    for each in found:
        if each.is_right and (best is None or each.reset_seconds < best.reset_seconds * _ABOUT_THE_SAME):
            best = each
    return best


def described(reset: ResetSpec) -> str:
    """As it would be written into the configuration."""
    if not reset.options:
        return f'"{reset.kind}"'
    options = ", ".join(f"{name} = {_written(value)}" for name, value in reset.options)
    return f'{{ kind = "{reset.kind}", {options} }}'


def _measured(make_slot: Callable[[ResetSpec], WorkerSlot], order: Order, reset: ResetSpec, rounds: int) -> Measured:
    with contextlib.closing(_Timed(make_slot, reset)) as timed:
        check = check_reset_by(timed.run_in_turn, order)
        later = [timed.run_again(order) for _ in range(max(2, rounds - len(timed.after)))]
        check = _with_late_leaks(check, order, later[-2:], timed)
    return Measured(reset, statistics.median(timed.new), statistics.median(timed.after), check)


class _Timed:
    """A slot, and what each order on it took besides its tests: on a `new` instance, and `after` a reset."""

    def __init__(self, make_slot: Callable[[ResetSpec], WorkerSlot], reset: ResetSpec) -> None:
        self._began = time.monotonic()
        self._slot = make_slot(reset)
        self._is_new = True
        self.new: list[float] = []
        self.after: list[float] = []

    def run_in_turn(self, orders: Sequence[Order]) -> list[tuple[Result, ...]]:
        first, *others = orders
        if not self._is_new:
            self._began = time.monotonic()
            self._slot.renew()
        self._is_new = False
        return [self._run(first, self.new), *map(self.run_again, others)]

    def run_again(self, order: Order) -> tuple[Result, ...]:
        self._began = time.monotonic()
        return self._run(order, self.after)

    def _run(self, order: Order, times: list[float]) -> tuple[Result, ...]:
        (answered,) = answers(self._slot.answer([order], shares=False))
        times.append(time.monotonic() - self._began - sum(result.seconds for result in answered.results))
        return answered.results

    def close(self) -> None:
        self._slot.close()


def _with_late_leaks(check: ResetCheck, order: Order, last: Sequence[tuple[Result, ...]], timed: _Timed) -> ResetCheck:
    """What is left may add up until it shows. Two runs in a row must show it, and a new instance must not."""
    known = {*check.unsteady, *(leak.test for leak in check.leaks)}
    late = [
        place
        for place, test in enumerate(order)
        if test not in known and all(run[place].outcome is not check.first[place].outcome for run in last)
    ]
    if not late:
        return check
    (alone,) = timed.run_in_turn([order])
    leaks = tuple(
        Leak(order[place], alone[place].outcome, last[0][place].outcome, last[0][place].story)
        for place in late
        if alone[place].outcome is check.first[place].outcome
    )
    return replace(check, leaks=check.leaks + leaks)


def _written(value: str | tuple[str, ...]) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(_written(each) for each in value)}]"
    if value in ("true", "false"):
        return value
    quoted = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}"'
