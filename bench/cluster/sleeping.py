"""A slot whose tests do nothing but sleep. Worker processes import it by its name."""

import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass

from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.suite import Order, TestId
from unknot.runners.sandbox.sandbox import Sandbox
from unknot.runners.workers.slot import Answered


@dataclass(frozen=True)
class SleepingSpec:
    seconds: Mapping[TestId, float]
    can_share: bool = False
    clean_state: float = 0.0

    def open(self, sandbox: Sandbox) -> "SleepingSlot":  # noqa: ARG002 - nothing is written or started
        return SleepingSlot(self.seconds)


class SleepingSlot:
    def __init__(self, seconds: Mapping[TestId, float]) -> None:
        self._seconds = seconds

    def answer(
        self,
        orders: Sequence[Order],
        *,
        shares: bool,  # noqa: ARG002 - it has nothing to share
        in_lanes: bool = False,  # noqa: ARG002 - its processes are not killed
    ) -> Generator[Answered, None, None]:
        for order in orders:
            for test in order:
                time.sleep(self._seconds[test])
            results = tuple(Result(Outcome.PASSED, self._seconds[test]) for test in order)
            yield Answered(results, len(order), sum(self._seconds[test] for test in order))

    def renew(self) -> None:
        """Nothing is held."""

    def close(self) -> None:
        """Nothing is held."""
