"""Searches that go on side by side.

A search is a generator: it yields the orders it wants to see run and is sent the runs, in the same sequence. It never
calls the oracle. `side_by_side` collects what all searches want, asks at once, and hands the answers out, so that many
searches share a batch, and with it workers and prefixes. The requests depend only on the answers, never on who
finishes first.
"""

from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from typing import TypeVar

from unknot.model.run import OrderRequest, Run

Found = TypeVar("Found")
Key = TypeVar("Key", bound=Hashable)

Search = Generator[list[OrderRequest], list[Run], Found]

Ask = Callable[[Sequence[OrderRequest]], Mapping[OrderRequest, Run]]


def side_by_side(searches: Mapping[Key, Search[Found]], ask: Ask) -> dict[Key, Found]:
    """Runs every search to its end; the results in the order of the searches."""
    found: dict[Key, Found] = {}
    wanted: dict[Key, list[OrderRequest]] = {}
    for key, search in searches.items():
        _advance(search, None, key, wanted, found)
    while wanted:
        answers = ask(list(dict.fromkeys(request for requests in wanted.values() for request in requests)))
        asked, wanted = wanted, {}
        for key, requests in asked.items():
            _advance(searches[key], [answers[request] for request in requests], key, wanted, found)
    return {key: found[key] for key in searches}


def _advance(
    search: Search[Found],
    runs: list[Run] | None,
    key: Key,
    wanted: dict[Key, list[OrderRequest]],
    found: dict[Key, Found],
) -> None:
    try:
        # An empty wish is granted at once.
        while not (requests := search.send(runs) if runs is not None else next(search)):
            runs = []
        wanted[key] = requests
    except StopIteration as end:
        found[key] = end.value
