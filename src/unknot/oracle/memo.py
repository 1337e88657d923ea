"""Never ask twice what was answered before."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from unknot.model.run import Question, Run
from unknot.oracle.protocol import Oracle, Price


class RunStore(Protocol):
    """Where answers are kept: a dictionary, or the journal on disk."""

    def recall(self, question: Question) -> Run | None: ...

    def record(self, run: Run) -> None: ...


class MemoryStore:
    """Answers kept for the life of the process."""

    def __init__(self) -> None:
        self._runs: dict[Question, Run] = {}

    def recall(self, question: Question) -> Run | None:
        return self._runs.get(question)

    def record(self, run: Run) -> None:
        self._runs[run.question] = run


class MemoOracle:
    """Answers from the store what it holds, asks the rest, and records each answer before it hands it on.

    A recalled run has `executed` 0 and `seconds` 0: it cost nothing this time.
    """

    def __init__(self, inner: Oracle, store: RunStore) -> None:
        self._inner = inner
        self._store = store

    @property
    def price(self) -> Price:
        return self._inner.price

    def ask(self, questions: Sequence[Question]) -> Iterator[Run]:
        unknown: list[Question] = []
        for question in questions:
            known = self._store.recall(question)
            if known is None:
                unknown.append(question)
            else:
                yield Run(question, known.results, executed=0)
        if unknown:
            for run in self._inner.ask(unknown):
                self._store.record(run)
                yield run
