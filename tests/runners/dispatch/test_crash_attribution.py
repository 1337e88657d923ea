"""Whether a test or something outside ended a process."""

import random
from collections.abc import Callable, Generator

import pytest

from unknot.model.errors import RunnerError
from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.suite import Order, TestId
from unknot.runners.dispatch.crash_attribution import AttemptEnd, OrderAttempt, OrderRetries

A, B, C, D = map(TestId, "ABCD")
PASSED = Result(Outcome.PASSED)


class Runs:
    """Counts the runs of each order. `killer` returns the position at which this run is killed, None if it is not."""

    def __init__(self, killer: Callable[[Order], int | None], *, may_be_foreign: bool = True) -> None:
        self.of: dict[Order, int] = {}
        self._killer = killer
        self._may_be_foreign = may_be_foreign

    def __call__(self, order: Order, _: bool) -> OrderAttempt:
        self.of[order] = self.of.get(order, 0) + 1
        position = self._killer(order)
        if position is None:
            return OrderAttempt(AttemptEnd.WHOLE, (PASSED,) * len(order))
        done = (PASSED,) * position
        return OrderAttempt(AttemptEnd.CRASHED, done, position, "killed", may_be_foreign=self._may_be_foreign)


def outcomes(run: Generator[None, None, tuple[Result, ...]]) -> list[Outcome]:
    """Of a run to its end."""
    while True:
        try:
            next(run)
        except StopIteration as end:
            return [result.outcome for result in end.value]


def at(killer: TestId) -> Callable[[Order], int | None]:
    return lambda order: order.index(killer) if killer in order else None


CRASHED, NOT_RUN = Outcome.CRASHED, Outcome.NOT_RUN


def test_a_test_that_kills_its_process_again_and_again_is_blamed() -> None:
    runs = Runs(at(B))
    assert outcomes(OrderRetries(runs).run((A, B, C))) == [Outcome.PASSED, CRASHED, NOT_RUN]
    assert runs.of[A, B, C] == 5


def test_a_crash_of_its_own_is_confirmed_once() -> None:
    runs = Runs(at(B), may_be_foreign=False)
    assert outcomes(OrderRetries(runs).run((A, B, C))) == [Outcome.PASSED, CRASHED, NOT_RUN]
    assert runs.of[A, B, C] == 2


def test_orders_do_not_count_for_each_other() -> None:
    left: dict[Order, int] = {(A, B): 3, (A, C): 3, (A, D): 3}

    def killer(order: Order) -> int | None:
        left[order] = left.get(order, 0) - 1
        return None if left[order] < 0 else 1

    retries = OrderRetries(Runs(killer))
    assert all(Outcome.CRASHED not in outcomes(retries.run(order)) for order in ((A, B), (A, C), (A, D)))


def test_after_an_order_completed_where_it_was_killed_more_is_needed() -> None:
    once = [0]
    runs = Runs(lambda order: once.pop() if once else at(D)(order))
    retries = OrderRetries(runs)
    assert outcomes(retries.run((A, B))) == [Outcome.PASSED] * 2
    assert outcomes(retries.run((C, D))) == [Outcome.PASSED, CRASHED]
    assert runs.of[C, D] == 9


def test_an_order_that_is_killed_now_here_now_there_blames_no_test() -> None:
    positions = iter([0, 1] * 50)
    runs = Runs(lambda order: next(positions) if len(order) == 3 else None)
    with pytest.raises(RunnerError, match="was run 12 times and gave no results that can be trusted"):
        outcomes(OrderRetries(runs).run((A, B, C)))


@pytest.mark.parametrize("seed", range(20))
def test_one_in_five_killed_by_chance_blames_no_test(seed: int) -> None:
    """Every order is a single test, so the position says nothing. Of these 4,000, six or so are killed four times."""
    chance = random.Random(seed)
    retries = OrderRetries(Runs(lambda order: 0 if chance.random() < 1 / 5 else None))
    for number in range(200):
        assert outcomes(retries.run((TestId(f"t{number}"),))) == [Outcome.PASSED]
