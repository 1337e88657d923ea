"""Orders that begin alike, run one after another: where they part, the instance's state is kept and put back."""

import itertools
from collections.abc import Callable, Collection, Generator, Iterator, Sequence

from unknot.model.run import Result
from unknot.model.suite import Order, TestId
from unknot.runners.command.launcher import CannotStart, LauncherLost
from unknot.runners.command.order_run import OneByOneRun
from unknot.runners.command.workspace import CommandWorkspace
from unknot.runners.dispatch.crash_attribution import AttemptEnd
from unknot.runners.workers.slot import Answered

_MOST_KEPT = 16
"""States kept at the same time. Each may be a whole database."""


class SharedOrders:
    """Guarantee: an order's answer is what it would be from a clean state of its own, if keeping and putting back a
    state of the instance is right. Where tests have left something in the working copy, in TMPDIR or running, no state
    is kept, and the orders that part there begin from an earlier state, or from a clean one. An order that breaks off
    is run by itself in the end: by `alone`, which retries it.

    Orders are run in a sequence in which those that begin alike are neighbours. `_path` are the tests that the present
    state comes from, `_results` what came of them; `_kept` are the lengths of its beginnings whose state is kept, the
    shortest first.

    Cost: one keep and one put-back for each order that parts from another, instead of the tests before that.
    """

    def __init__(
        self,
        workspace: CommandWorkspace,
        runs: OneByOneRun,
        alone: Callable[[Order], Generator[None, None, Answered]],
    ) -> None:
        assert workspace.instance is not None
        self._workspace = workspace
        self._instance = workspace.instance
        self._runs = runs
        self._alone = alone
        self._path: list[TestId] = []
        self._results: list[Result] = []
        self._kept: list[int] = []
        self._is_known = False
        """Whether the present state is what `_path` has made of a clean one."""

    def answers(self, orders: Sequence[Order]) -> Iterator[Answered | None]:
        """In the sequence given, each as soon as all before it are known; None before each."""
        known: dict[int, Answered] = {}
        number_out = 0
        for found in self._all(orders):
            if found is None:
                yield None
                continue
            known[found[0]] = found[1]
            while number_out in known:
                yield known.pop(number_out)
                number_out += 1

    def _all(self, orders: Sequence[Order]) -> Iterator[tuple[int, Answered] | None]:
        rank = {test: place for place, test in enumerate(dict.fromkeys(itertools.chain.from_iterable(orders)))}
        numbers = sorted(range(len(orders)), key=lambda number: [rank[test] for test in orders[number]])
        shared = [_common(orders[one], orders[next_one]) for one, next_one in itertools.pairwise(numbers)]
        by_themselves: list[int] = []
        broken: Order = ()
        for place, number in enumerate(numbers):
            order = orders[number]
            answered = None
            yield None
            if not broken or order[: len(broken)] != broken:
                # Where later orders part from this one.
                answered = self._answer(order, set(itertools.accumulate(shared[place:], min)))
            if answered is not None:
                yield number, answered
                continue
            by_themselves.append(number)
            if self._is_known:
                broken = order[: len(self._path) + 1]
                self._is_known = False
        self._end()
        for number in by_themselves:
            answered = yield from self._alone(orders[number])
            yield number, answered

    def _answer(self, order: Order, partings: Collection[int]) -> Answered | None:
        """None if it broke off, or the process that starts commands was killed: then the present state is unknown."""
        try:
            start = self._go_to(order)
            for depth in range(start, len(order)):
                if depth in partings and depth not in self._kept:
                    self._keep(depth)
                result = self._result(order[depth])
                if result is None:
                    return None
                self._path.append(order[depth])
                self._results.append(result)
            if start < len(order) and self._workspace.has_lost_instance():
                return None
        except LauncherLost:
            self._workspace.recover()
            self._is_known = False
            return None
        seconds = sum(result.seconds for result in self._results[start:])
        return Answered(tuple(self._results), len(order) - start, seconds)

    def _go_to(self, order: Order) -> int:
        """To the state after the longest beginning of the order that is at hand. How many tests that are."""
        common = _common(self._path, order)
        while self._kept and self._kept[-1] > common:
            self._forget_last()
        if self._is_known and common == len(self._path):
            return common
        self._workspace.launcher.sweep()
        if self._workspace.has_lost_instance():
            # What was kept of it may be as broken as it is.
            self._kept.clear()
        start = self._kept[-1] if self._kept else 0
        self._workspace.clean(resets_instance=not self._kept)
        if self._kept:
            self._instance.put_back(_name(start))
        del self._path[start:], self._results[start:]
        self._is_known = True
        return start

    def _keep(self, depth: int) -> None:
        """The present state, if it can be kept. A clean state is kept anyway."""
        if (
            depth > 0
            and len(self._kept) < _MOST_KEPT
            and not self._workspace.has_lost_instance()
            and self._workspace.is_untouched()
        ):
            self._instance.keep(_name(depth))
            self._kept.append(depth)

    def _forget_last(self) -> None:
        self._instance.forget(_name(self._kept.pop()))

    def _end(self) -> None:
        try:
            self._workspace.launcher.sweep()
        except LauncherLost:
            self._workspace.recover()
        if not self._workspace.has_lost_instance():
            while self._kept:
                self._forget_last()

    def _result(self, test: TestId) -> Result | None:
        try:
            attempt = self._runs.run_test(test, sweeps=False)
        except CannotStart:
            return None
        if attempt.end is AttemptEnd.WHOLE and not attempt.results[0].outcome.is_bad:
            return attempt.results[0]
        self._workspace.check_room()
        return attempt.results[0] if attempt.end is AttemptEnd.WHOLE else None


def _common(one: Sequence[TestId], other: Sequence[TestId]) -> int:
    """How many tests both begin with."""
    differ = (place for place, (mine, its) in enumerate(zip(one, other, strict=False)) if mine != its)
    return next(differ, min(len(one), len(other)))


def _name(depth: int) -> str:
    return f"after-{depth}"
