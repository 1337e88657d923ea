"""The one request of the whole system, and what an answerer must say about itself."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from unknot.model.run import OrderRequest, Run


@dataclass(frozen=True)
class Price:
    """What an answer costs, for predictions only: a wrong price can cost extra seconds, never a wrong result.

    `clean_state` is the seconds to reach a clean state, `workers` how many orders run at the same time,
    `shares_prefixes` whether orders that begin alike run their common beginning once.
    """

    clean_state: float
    workers: int = 1
    shares_prefixes: bool = False


class Oracle(Protocol):
    """Answers many requests at once, as they finish, in any sequence; each exactly once.

    A request whose order could not be run to its end is still answered: the test that broke off has the outcome
    crashed or timed out and what came after it was not run. `price` may change as the oracle learns.
    """

    @property
    def price(self) -> Price: ...

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]: ...
