"""Remembers runs, so that no order is run twice."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from unknot.model.run import OrderRequest, Run
from unknot.oracle.protocol import Oracle, Price


class RunStore(Protocol):
    """Where runs are kept: a dictionary, or the journal on disk."""

    def recall(self, request: OrderRequest) -> Run | None: ...

    def record(self, run: Run) -> None: ...


class MemoryStore:
    """Keeps runs for the life of the process."""

    def __init__(self) -> None:
        self._runs: dict[OrderRequest, Run] = {}

    def recall(self, request: OrderRequest) -> Run | None:
        return self._runs.get(request)

    def record(self, run: Run) -> None:
        self._runs[run.request] = run


class MemoOracle:
    """Answers from the store if it can, runs the rest, and records each run before passing it on.

    A recalled run has `executed` 0 and `seconds` 0: it cost nothing this time.
    """

    def __init__(self, inner: Oracle, store: RunStore) -> None:
        self._inner = inner
        self._store = store

    @property
    def price(self) -> Price:
        return self._inner.price

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        unknown: list[OrderRequest] = []
        for request in requests:
            known = self._store.recall(request)
            if known is None:
                unknown.append(request)
            else:
                yield Run(request, known.results, executed=0)
        if unknown:
            for run in self._inner.run_orders(unknown):
                self._store.record(run)
                yield run
