"""The oracle protocol: run orders, and state what a run costs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from unknot.model.run import OrderRequest, Run


@dataclass(frozen=True)
class Price:
    """What a run costs, for predictions only: a wrong price can cost extra seconds, never a wrong result.

    `clean_state` is the seconds to reach a clean state, `workers` how many orders run at the same time,
    `shares_prefixes` whether orders with a common beginning run it once.
    """

    clean_state: float
    workers: int = 1
    shares_prefixes: bool = False


class Oracle(Protocol):
    """Runs many orders at once and yields each run exactly once, as it finishes, in any sequence.

    An order that could not be run to its end is still answered: the test that ended it has the outcome crashed or timed
    out, and the tests after it were not run. `price` may change while the oracle learns.
    """

    @property
    def price(self) -> Price: ...

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]: ...
