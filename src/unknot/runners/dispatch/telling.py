"""From what came back of a task to what listeners are told: which tests were run for it, by whom and when."""

from collections.abc import Iterator, Sequence

from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.suite import Order, TestId
from unknot.runners.protocol import Execution
from unknot.runners.workers.slot import Answered


def executed(order: Order, answered: Answered) -> list[tuple[TestId, Result]]:
    """The tests that were really run for this order: a shared beginning was run for an earlier one."""
    ran = [pair for pair in zip(order, answered.results, strict=True) if pair[1].outcome is not Outcome.NOT_RUN]
    return ran[max(0, len(ran) - answered.executed) :]


def executions(
    worker: int, requests: Sequence[int], orders: Sequence[Order], answers: Sequence[Answered], now: float
) -> Iterator[Execution]:
    """In the sequence in which they were run. Nobody has told when: each test is taken to have ended when the next one
    began, the last of all just now."""
    end = now
    for position, answered in enumerate(answers):
        spent = sum(later.seconds for later in answers[position + 1 :])
        ran = executed(orders[position], answered)
        end = now - spent
        started = end - sum(result.seconds for _, result in ran)
        for test, result in ran:
            ended = started + result.seconds
            yield Execution(worker, requests[position], test, result, started, ended)
            started = ended
