"""What all checks share: a runner for each planted suite, opened once and asked many times."""

import random
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any, ClassVar, Generic

import pytest

from unknot.conformance.opened import Answers, Feature, Opened
from unknot.conformance.planted import PlantedSuite, PlantedTest
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import Order, TestId


class Asking(Generic[Answers]):
    """Checks ask through here. One runner serves all checks of a class that are about the same suite, as it would
    serve a detection; checks about opening and closing have one of their own."""

    lacks: ClassVar[Mapping[Feature, str]] = {}
    """What this runner does not have, each with the reason. The checks about it are skipped."""

    many_orders: ClassVar[int] = 25
    few_orders: ClassVar[int] = 8
    """How many are asked at once where more show more. For runners that take seconds for an order, fewer."""

    _closing: ClassVar[ExitStack]
    _open: ClassVar[dict[PlantedSuite, Any]]
    _directories: pytest.TempPathFactory

    def make(self, suite: PlantedSuite, directory: Path) -> AbstractContextManager[Opened[Answers]]:
        """Writes the suite in the runner's own language below the empty directory, and opens a runner for it with
        `suite.workers` workers that gives each test `suite.timeout` seconds. To be written by the runner's author."""
        raise NotImplementedError

    def id_of(self, test: PlantedTest) -> str:
        """What the runner calls the test."""
        return test.name

    @property
    def workers(self) -> int:
        """How many to use where there should be several."""
        return 1 if Feature.WORKERS in self.lacks else 2

    @classmethod
    def setup_class(cls) -> None:
        cls._closing = ExitStack()
        cls._open = {}

    @classmethod
    def teardown_class(cls) -> None:
        cls._closing.close()

    @pytest.fixture(autouse=True)
    def _take_directories(self, tmp_path_factory: pytest.TempPathFactory) -> None:
        self._directories = tmp_path_factory

    def needs(self, *features: Feature) -> None:
        """Skips the check if the runner lacks one of these."""
        for feature in features:
            if feature in self.lacks:
                pytest.skip(f"no {feature}: {self.lacks[feature]}")

    def opened(self, suite: PlantedSuite) -> Opened[Answers]:
        """The runner that all checks share."""
        if suite not in self._open:
            self._open[suite] = self._closing.enter_context(self.anew(suite))
        kept: Opened[Answers] = self._open[suite]
        return kept

    def anew(self, suite: PlantedSuite) -> AbstractContextManager[Opened[Answers]]:
        """A runner for one check alone."""
        return self.make(suite, self._directories.mktemp("planted"))

    def ids(self, suite: PlantedSuite, names: Iterable[str]) -> Order:
        known = {test.name: test for test in suite.tests}
        return tuple(TestId(self.id_of(known[name])) for name in names)

    def requests(self, suite: PlantedSuite, orders: Iterable[Sequence[str]], attempt: int = 0) -> list[OrderRequest]:
        return [OrderRequest(self.ids(suite, order), attempt) for order in orders]

    def check(self, suite: PlantedSuite, runs: Iterable[Run], requests: Sequence[OrderRequest]) -> list[Run]:
        """Each request has one answer, and it is the truth. Gives the answers in the sequence of the requests."""
        names = {TestId(self.id_of(test)): test.name for test in suite.tests}
        answers: dict[OrderRequest, Run] = {}
        for run in runs:
            assert run.request in requests, f"nobody asked {run.request}"
            assert run.request not in answers, f"answered twice: {run.request}"
            answers[run.request] = run
        for request in requests:
            assert request in answers, f"never answered: {request}"
            told = outcomes(answers[request])
            wanted = suite.truth(tuple(names[test] for test in request.order))
            assert told == wanted, _difference(answers[request], wanted)
        return [answers[request] for request in requests]

    def ask(self, suite: PlantedSuite, *orders: Sequence[str], attempt: int = 0) -> list[Run]:
        """Asks the shared runner about these orders, given by names, and checks the answers."""
        requests = self.requests(suite, orders, attempt)
        return self.check(suite, self.opened(suite).oracle.run_orders(requests), requests)


def outcomes(run: Run) -> tuple[Outcome, ...]:
    return tuple(result.outcome for result in run.results)


def some_orders(suite: PlantedSuite, count: int, seed: int) -> list[tuple[str, ...]]:
    """Different orders of some or all tests; the same for the same seed."""
    chance = random.Random(seed)
    found: dict[tuple[str, ...], None] = {}
    while len(found) < count:
        found[tuple(chance.sample(suite.names, chance.randint(1, len(suite.names))))] = None
    return list(found)


def _difference(run: Run, wanted: Sequence[Outcome]) -> str:
    lines = [
        f"  {test}: {result.outcome}, should be {outcome}\n{result.story}".rstrip()
        for test, result, outcome in zip(run.order, run.results, wanted, strict=True)
    ]
    return "\n".join(["another answer than the truth:", *lines])
