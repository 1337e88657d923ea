"""The protocols of worker slots and of the workers that hold them.

A slot is where orders are run, one after another, each from a clean state.
"""

import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from unknot.model.errors import UnknotError
from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.suite import Order
from unknot.runners.sandbox.sandbox import Sandbox

if TYPE_CHECKING:
    from unknot.runners.workers.task import Task


class SlotLost(Exception):
    """A slot cannot go on, and neither would a new one in its place: its worker has to leave. `why` is for the caller
    if there is no other worker."""

    def __init__(self, why: UnknotError) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, slots=True)
class ExecutedTest:
    """One test was executed: test `place` of order `order` of the task. It took `seconds`, and ended `ago` seconds
    before this was reported."""

    order: int
    place: int
    result: Result
    seconds: float
    ago: float = 0.0


@dataclass(frozen=True, slots=True)
class Answered:
    """One order. `executed` counts the tests really run for it: a beginning shared with an earlier order counts there;
    tests that were run again because a run broke off are not counted twice."""

    results: tuple[Result, ...]
    executed: int
    seconds: float


@dataclass(frozen=True, slots=True)
class OutsideTraces:
    """What tests left outside the process: `tests`, by their positions in the suite, left files or processes that no
    fork copies, so orders with them share nothing; `paths` were written where no reset restores them; `exclusive` are
    tests that write what all workers share, so that orders with them run one at a time."""

    tests: frozenset[int]
    paths: tuple[str, ...]
    exclusive: frozenset[int] = frozenset()


SlotEvent = ExecutedTest | Answered | OutsideTraces | None
"""None says only that the slot still works. At such a moment its work can be broken off."""


class WorkerSlot(Protocol):
    def answer(
        self, orders: Sequence[Order], *, shares: bool, in_lanes: bool = False
    ) -> Generator[SlotEvent, None, None]:
        """One `Answered` for each order, in the sequence given, each from a clean state. With `shares`, the slot may
        run a common beginning once. With `in_lanes`, the caller itself runs again what a killed process has left. An
        order that could not be run to its end is still answered: the test that broke off has the outcome crashed or
        timed out, those after it were not run. Raises RunnerError if nothing can be said.

        A slot that reports tests one by one does so before it answers their order. Closing the generator early breaks
        off what runs; the slot can be used again."""
        ...

    def renew(self) -> None:
        """Throws away whatever it holds: the next order starts from nothing, not from what a reset has made."""
        ...

    def close(self) -> None: ...


class SlotSpec(Protocol):
    """What it takes to open a slot, here or elsewhere. Must be picklable. `clean_state` is the price of one in seconds,
    a constant for predictions."""

    @property
    def can_share(self) -> bool: ...

    @property
    def clean_state(self) -> float: ...

    def open(self, sandbox: Sandbox) -> WorkerSlot: ...


SlotReport = tuple[str, ExecutedTest | Answered | OutsideTraces]
"""The name of a slot, which stays the same while it lives, and what happened there."""

Emit = Callable[[SlotReport], None]


class Workers(Protocol):
    """`count` of them run tasks at the same time at present; 0 if there is none now, which may change. `elsewhere` says
    that they may see other files than the caller does."""

    @property
    def count(self) -> int: ...

    @property
    def ahead(self) -> int:
        """Tasks to be submitted for each worker, so that none is idle while a reply is on its way and the caller
        thinks. More would make a stop slow."""
        ...

    @property
    def elsewhere(self) -> bool: ...

    def submit(self, task: "Task", emit: Emit, cancelled: threading.Event) -> "Future[list[SlotReport]]":
        """Runs a task. Reports go to `emit`, in any thread, as they come; those that could not be passed on meanwhile
        are the result. If possible, the task is broken off once `cancelled` is set."""
        ...

    def deaths(self, error: BaseException) -> int:
        """How many workers have died over a task that ended with this; 0 if it ended for another reason."""
        ...

    def close(self, session: str) -> None:
        """Ends the slots of this session, wherever they are, and whatever runs there. To be called once."""
        ...


def answers(events: Iterable[SlotEvent]) -> Iterator[Answered]:
    """Only the answers, for a caller that has no use for the rest."""
    return (event for event in events if isinstance(event, Answered))


def tests_executed(number: int, order: Order, answered: Answered) -> list[ExecutedTest]:
    """The tests really run for an order, for a slot that does not report them one by one: a shared beginning was run
    for an earlier order. Each is taken to have ended when the next one began, the last of all just now."""
    ran = [place for place in range(len(order)) if answered.results[place].outcome is not Outcome.NOT_RUN]
    found: list[ExecutedTest] = []
    ago = 0.0
    for place in reversed(ran[max(0, len(ran) - answered.executed) :]):
        result = answered.results[place]
        found.append(ExecutedTest(number, place, result, result.seconds, ago))
        ago += result.seconds
    return found[::-1]
