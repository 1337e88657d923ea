"""What the verbs ask of whoever runs a suite, beyond answering requests."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import TestId
from unknot.oracle.protocol import Price
from unknot.runners.execution import Execution


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
