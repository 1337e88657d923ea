"""The protocol of runners: what can be run, how it is run, and what is reported while it runs."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import Order, Suite, TestId
from unknot.oracle.protocol import Price


@dataclass(frozen=True)
class Listing:
    """The tests that a runner can run. `files[i]` is the user's own file of test i; `modules` are files that all tests
    share. `plugins` are words for what else could change an answer: versions, options, commands. `by_hand` are options
    that make a plain run of an order do as unknot does, in spite of the project's own options. `chains[i]` are the
    collectors of test i from the session down, for runners where it depends on them what orders can share. `details`
    are the framework's own reports on the collection as JSON, where they were asked for."""

    suite: Suite
    files: tuple[Path, ...]
    root: Path
    modules: tuple[Path, ...]
    plugins: tuple[str, ...]
    by_hand: tuple[str, ...] = ()
    chains: tuple[tuple[int, ...], ...] = ()
    seconds: float = 0.0
    """From the start of the framework until it had listed the tests; 0 if that was not measured."""
    details: str = ""


@dataclass(frozen=True, slots=True)
class Execution:
    """One test that a worker has run. `worker` counts from 0; `request` is the number, among all requests to this
    runner, of the first one that the test was run for; `started` and `ended` are readings of `time.monotonic` in this
    process. A test that took its process down has one too. `order` is the order of the request, and `place` that of
    the test in it."""

    worker: int
    request: int
    test: TestId
    result: Result
    started: float
    ended: float
    order: Order = ()
    place: int = 0


class Runner(Protocol):
    """`listener` is called after each test executed, for progress; `watcher` too, with the worker and the time, and
    also after a test that took its process down. `can_share` says whether orders that begin alike can run their
    beginning once."""

    listener: Callable[[TestId, Result], None]
    watcher: Callable[[Execution], None] | None

    @property
    def price(self) -> Price: ...

    @property
    def can_share(self) -> bool: ...

    @property
    def beyond(self) -> list[str]:
        """What tests are known to have left where no reset could restore it."""
        ...

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]: ...

    def run_in_turn(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        """As `run_orders`, but sharing nothing and in the sequence given: a free worker takes the next order."""
        ...

    def run_lanes(self, lanes: Sequence[Sequence[OrderRequest]], *, shares: bool = False) -> Iterator[Run]:
        """As `run_orders`, a lane for each worker, in its sequence."""
        ...

    def keep_apart(self, tests: Iterable[TestId]) -> None:
        """These are known to touch what no fork copies: an order with one of them shares nothing with others."""
        ...

    def close(self) -> None: ...
