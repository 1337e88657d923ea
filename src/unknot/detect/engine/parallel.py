"""Searches that run side by side.

A search is a generator: it yields the orders that it wants to run and is sent their runs, in the same sequence. It
never calls the oracle. `run_searches` collects the orders of all searches, runs them in one batch and distributes the
runs, so that searches share workers and prefixes. Which orders a search wants depends only on earlier runs, never on
which of them finished first.
"""

from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from typing import TypeVar

from unknot.model.run import OrderRequest, Run

Found = TypeVar("Found")
Key = TypeVar("Key", bound=Hashable)

Search = Generator[list[OrderRequest], list[Run], Found]

RunOrders = Callable[[Sequence[OrderRequest]], Mapping[OrderRequest, Run]]


def run_searches(searches: Mapping[Key, Search[Found]], run_orders: RunOrders) -> dict[Key, Found]:
    """Runs every search to its end. Returns the results in the order of the searches."""
    found: dict[Key, Found] = {}
    pending: dict[Key, list[OrderRequest]] = {}
    for key, search in searches.items():
        _advance(search, None, key, pending, found)
    while pending:
        answers = run_orders(list(dict.fromkeys(request for requests in pending.values() for request in requests)))
        answered, pending = pending, {}
        for key, requests in answered.items():
            _advance(searches[key], [answers[request] for request in requests], key, pending, found)
    return {key: found[key] for key in searches}


def _advance(
    search: Search[Found],
    runs: list[Run] | None,
    key: Key,
    pending: dict[Key, list[OrderRequest]],
    found: dict[Key, Found],
) -> None:
    try:
        # A search that yields no order continues at once.
        while not (requests := search.send(runs) if runs is not None else next(search)):
            runs = []
        pending[key] = requests
    except StopIteration as end:
        found[key] = end.value
