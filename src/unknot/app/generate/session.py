"""Explores and tries drafts, in the thread of a worker."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unknot.app.crawl.crawl import CrawlOptions
from unknot.app.crawl.explorers import session_seed
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
from unknot.web.suite.replay import ReplayPlace

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
    """What the workers share. What it counts may be read in other threads."""

    def __init__(
        self,
        explored: ExploredApplication,
        crawl: CrawlOptions,
        algorithm: str,
        tests: int | None,
        goes_on: Callable[[], bool],
    ) -> None:
        self.recorded = self.walks = self.steps = 0
        self._guard = threading.RLock()
        self.drafting = Drafting(crawl.seed, lambda: goes_on() and not self._is_spent(), self._guard)
        self._explored = explored
        self._graph = explored.model.graph()
        self._seconds = 60 * crawl.minutes
        self._most_steps = float("inf") if crawl.steps is None else crawl.steps
        self._most_tests = float("inf") if tests is None else tests
        self._seed = crawl.seed
        self._algorithm = algorithm
        self._goes_on = goes_on
        self._since = time.monotonic()

    @property
    def elapsed(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self._since

    def drafts(self) -> tuple[list[Draft], int]:
        """Those that were kept and that the model knows, in order, and how many it does not know."""
        with self._guard:
            return drafts_of_model(self.drafting.in_order(), self._explored.model, self._explored.origin)

    def read_recorded(self) -> None:
        """The walks of the crawl, if they are still there. Raises StorageError if they are damaged."""
        self.drafting.ways.learn_model(self._explored.model)
        for walk in self._recorded():
            self.recorded += len(walk) - 1
            self.drafting.add(walk)

    def work(self, number: int, seen: Application, application: "LastingApplication") -> None:
        """In the thread of a worker: until the time is spent, there are as many tests as are wanted, or there is
        nothing more to find."""
        reader, drafting = self._explored.reader, self.drafting
        place = ReplayPlace(seen, reader, self._guard, application.shift_clock)
        generator = GENERATORS[self._algorithm](self._graph, session_seed(self._seed, 0, number))
        until = 0.0
        counted = 0

        def count_steps() -> None:
            nonlocal counted
            with self._guard:
                self.steps += execution.steps - counted
            counted = execution.steps

        def explores() -> bool:
            count_steps()
            is_within = self.elapsed < until and self.steps < self._most_steps
            return is_within and self._goes_on() and not self._is_spent()

        execution = PathExecution(seen, reader, self._graph, explores, is_strict=True, guard=self._guard)
        while self._goes_on() and not self._is_spent():
            share = _EXPLORING_MORE if drafting.waiting else _EXPLORING
            until = self.elapsed + share * (self._seconds - self.elapsed)
            walks = 0
            for test in generator.generate(execution):
                drafting.add(test.walk)
                walks += 1
                with self._guard:
                    self.walks += 1
            count_steps()
            drafting.try_faults(place)
            while drafting.waiting and self._goes_on() and not self._is_spent():
                drafting.try_next(place)
            if not walks or self.steps >= self._most_steps:
                break

    def _is_spent(self) -> bool:
        return self.elapsed > self._seconds or (
            len(self.drafting.kept) >= self._most_tests and len(self.drafts()[0]) >= self._most_tests
        )

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
