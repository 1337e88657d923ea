"""The protocols of worker slots and of the workers that hold them.

A slot is where orders are run, one after another, each from a clean state.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Protocol

from unknot.model.run import Result
from unknot.model.suite import Order
from unknot.runners.sandbox.sandbox import Sandbox


class Workers(Protocol):
    """`executor` runs tasks at the same time, `count` of them at present; 0 if there is none now, which may change.
    `elsewhere` says that they may see other files than the caller does."""

    @property
    def executor(self) -> Executor: ...

    @property
    def count(self) -> int: ...

    @property
    def ahead(self) -> int:
        """Tasks to be submitted for each worker, so that none is idle while a reply is on its way and the caller
        thinks. More would make a stop slow."""
        ...

    @property
    def elsewhere(self) -> bool: ...

    def deaths(self, error: BaseException) -> int:
        """How many workers have died over a task that ended with this; 0 if it ended for another reason."""
        ...

    def close(self, session: str) -> None:
        """Ends the slots of this session, wherever they are, and whatever runs there. To be called once."""
        ...


@dataclass(frozen=True, slots=True)
class Answered:
    """One order. `executed` counts the tests really run for it: a beginning shared with an earlier order counts there;
    tests that were run again because a run broke off are not counted twice. `notes` are things a person should know,
    each reported once."""

    results: tuple[Result, ...]
    executed: int
    seconds: float
    notes: tuple[str, ...] = ()


class WorkerSlot(Protocol):
    def answer(self, orders: Sequence[Order], *, shares: bool) -> Iterator[Answered]:
        """One answer for each order, in the sequence given, each from a clean state. With `shares`, the slot may run
        a common beginning once. An order that could not be run to its end is still answered: the test that broke off
        has the outcome crashed or timed out, those after it were not run. Raises RunnerError if nothing can be said."""
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
