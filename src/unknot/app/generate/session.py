"""Explores and tries drafts, in the thread of a worker."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unknot.app.crawl.crawl import CrawlOptions
from unknot.app.crawl.recorded_steps import recorded_steps
from unknot.app.generate.generators import GENERATORS
from unknot.model.web.web_model import WebModel
from unknot.store.journal.crawl_journal import CrawlJournal
from unknot.web.application.protocol import Application
from unknot.web.crawl.crawl import PageReader
from unknot.web.crawl.trace import TakenStep
from unknot.web.generate.execution import PathExecution
from unknot.web.suite.draft import Draft
from unknot.web.suite.drafting import Drafting
from unknot.web.suite.model_drafts import drafts_of_model

if TYPE_CHECKING:
    from unknot.app.crawl.lasting_application import LastingApplication

_EXPLORING = 0.4
"""The share of the time left for walks if there are no drafts to try; they are tried in the rest."""

_EXPLORING_MORE = 0.2
"""The same if there are some."""


@dataclass(frozen=True)
class ExploredApplication:
    """`origin` is that of its addresses, as they are named. `journal` has the steps of the crawl, if they are there."""

    reader: PageReader
    model: WebModel
    origin: str
    journal: CrawlJournal | None


class DraftSession:
    """What it counts, and `drafting` once it has begun, may be read in other threads."""

    def __init__(self, explored: ExploredApplication, crawl: CrawlOptions, algorithm: str, tests: int | None) -> None:
        self.drafting: Drafting | None = None
        self.recorded = self.walks = self.steps = 0
        self._explored = explored
        self._seconds = 60 * crawl.minutes
        self._most_steps = float("inf") if crawl.steps is None else crawl.steps
        self._most_tests = float("inf") if tests is None else tests
        self._seed = crawl.seed
        self._algorithm = algorithm
        self._since: float | None = None

    @property
    def elapsed(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self._since if self._since is not None else 0.0

    def drafts(self) -> tuple[list[Draft], int]:
        """Those that were kept and that the model knows, in order, and how many it does not know."""
        kept = self.drafting.in_order() if self.drafting is not None else []
        return drafts_of_model(kept, self._explored.model, self._explored.origin)

    def work(self, seen: Application, application: "LastingApplication", goes_on: Callable[[], bool]) -> None:
        """Until it has spent its time, has as many tests as are wanted, or can go no further."""
        self._since = time.monotonic()
        explored = self._explored
        drafting = Drafting(seen, explored.reader, self._seed, goes_on, application.shift_clock)
        drafting.ways.learn_model(explored.model)
        for walk in self._recorded():
            self.recorded += len(walk) - 1
            drafting.add(walk)
        self.drafting = drafting
        graph = explored.model.graph()
        generator = GENERATORS[self._algorithm](graph, self._seed)
        until = 0.0

        def explores() -> bool:
            return goes_on() and self.elapsed < until and execution.steps < self._most_steps

        execution = PathExecution(seen, explored.reader, graph, explores, is_strict=True)
        while goes_on() and not self._has_enough():
            share = _EXPLORING_MORE if drafting.waiting else _EXPLORING
            until = self.elapsed + share * (self._seconds - self.elapsed)
            walks = self.walks
            for test in generator.generate(execution):
                self.walks += 1
                self.steps = execution.steps
                drafting.add(test.walk)
            drafting.try_faults()
            while drafting.waiting and goes_on() and not self._has_enough():
                drafting.try_next()
            if self.walks == walks or self.steps >= self._most_steps:
                break
        drafting.give_up()

    def _has_enough(self) -> bool:
        return len(self.drafts()[0]) >= self._most_tests

    def _recorded(self) -> Iterator[tuple[TakenStep, ...]]:
        """The walks of the crawl."""
        if self._explored.journal is None:
            return
        walks: dict[int, list[TakenStep]] = {}
        for row, step in recorded_steps(self._explored.journal, self._explored.reader):
            if step.chosen is None and row.worker in walks:
                yield tuple(walks.pop(row.worker))
            if step.chosen is None or row.worker in walks:
                walks.setdefault(row.worker, []).append(step)
        yield from map(tuple, walks.values())
