"""What the verbs ask of whoever runs a suite, beyond answering requests."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import Suite, TestId
from unknot.oracle.protocol import Price


# What a runner says it could run, in our words.
@dataclass(frozen=True)
class Listing:
    """`files[i]` is the user's own file of test i; `modules` are files that all tests share. `plugins` are words for
    what else could change an answer: versions, options, commands. `by_hand` are options that make a plain run of an
    order do as unknot does, in spite of the project's own options."""

    suite: Suite
    files: tuple[Path, ...]
    root: Path
    modules: tuple[Path, ...]
    plugins: tuple[str, ...]
    by_hand: tuple[str, ...] = ()


# One test that a worker has run: who, when, and what came of it.
@dataclass(frozen=True, slots=True)
class Execution:
    """`worker` counts from 0; `request` is the number, among all that this runner was asked, of the first request
    that the test was run for; `started` and `ended` are readings of `time.monotonic` in this process. A test that took
    its process down has one too."""

    worker: int
    request: int
    test: TestId
    result: Result
    started: float
    ended: float


class Runner(Protocol):
    """`listener` is called after each test executed, for progress; `watcher` too, with who and when, and also after a
    test that took its process down. `can_share` says whether orders that begin alike can run their beginning once."""

    listener: Callable[[TestId, Result], None]
    watcher: Callable[[Execution], None] | None

    @property
    def price(self) -> Price: ...

    @property
    def can_share(self) -> bool: ...

    @property
    def beyond(self) -> list[str]:
        """What tests are known to have left where no reset could undo it."""
        ...

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]: ...

    def run_in_turn(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        """As `ask`, but sharing nothing and in the sequence given: whoever is free takes the next order."""
        ...

    def run_lanes(self, lanes: Sequence[Sequence[OrderRequest]], *, shares: bool = False) -> Iterator[Run]:
        """As `ask`, a lane for each worker, in its sequence."""
        ...

    def keep_apart(self, tests: Iterable[TestId]) -> None:
        """These are known to touch what no fork copies: whoever runs them shares nothing with others."""
        ...

    def close(self) -> None: ...
