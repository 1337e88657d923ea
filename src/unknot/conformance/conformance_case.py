"""The base of all checks: a runner for each planted suite, opened once and used for many requests."""

import random
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from unknot.conformance.planted import PlantedSuite, PlantedTest
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import Order, TestId
from unknot.oracle.protocol import Oracle

Answers = TypeVar("Answers", bound=Oracle, covariant=True)


@dataclass(frozen=True)
class Opened(Generic[Answers]):
    """A runner that is ready to run one planted suite, and the tests that it listed, in its order."""

    oracle: Answers
    listed: Order


class Feature(StrEnum):
    """Features that not every runner has. One that lacks a feature declares it, with the reason."""

    FAILURES = "tests that fail by themselves"
    SKIPS = "tests that skip"
    CRASHES = "tests that crash their process"
    HANGS = "tests that hang"
    STORIES = "stories of bad outcomes"
    SECONDS = "seconds of each test"
    OUTPUT = "tests that print"
    HOSTILE_NAMES = "names with spaces, quotes and worse"
    WORKERS = "several orders at the same time"
    PROCESSES = "processes of its own"
    LEFTOVERS = "tests that leave a process running"
    DETECTION = "a detection in reasonable time"


class ConformanceCase(Generic[Answers]):
    """One runner serves all checks of a class that use the same suite, as it would serve a detection. Checks about
    opening and closing have their own."""

    lacks: ClassVar[Mapping[Feature, str]] = {}
    """Features that this runner does not have, each with the reason. Their checks are skipped."""

    many_orders: ClassVar[int] = 25
    few_orders: ClassVar[int] = 8
    """The number of orders requested at once. Use fewer for runners that take seconds for an order."""

    _closing: ClassVar[ExitStack]
    _open: ClassVar[dict[PlantedSuite, Any]]
    _directories: pytest.TempPathFactory

    def make(self, suite: PlantedSuite, directory: Path) -> AbstractContextManager[Opened[Answers]]:
        """Writes the suite in the runner's own language below the empty directory, and opens a runner for it with
        `suite.workers` workers and a timeout of `suite.timeout` seconds per test. Implement this for your runner."""
        raise NotImplementedError

    def id_of(self, test: PlantedTest) -> str:
        """The id of the test in this runner."""
        return test.name

    @property
    def workers(self) -> int:
        """The number of workers for checks with several."""
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
            self._open[suite] = self._closing.enter_context(self.fresh(suite))
        kept: Opened[Answers] = self._open[suite]
        return kept

    def fresh(self, suite: PlantedSuite) -> AbstractContextManager[Opened[Answers]]:
        """A runner for one check alone."""
        return self.make(suite, self._directories.mktemp("planted"))

    def ids(self, suite: PlantedSuite, names: Iterable[str]) -> Order:
        known = {test.name: test for test in suite.tests}
        return tuple(TestId(self.id_of(known[name])) for name in names)

    def requests(self, suite: PlantedSuite, orders: Iterable[Sequence[str]], attempt: int = 0) -> list[OrderRequest]:
        return [OrderRequest(self.ids(suite, order), attempt) for order in orders]

    def check(self, suite: PlantedSuite, runs: Iterable[Run], requests: Sequence[OrderRequest]) -> list[Run]:
        """Checks that each request has exactly one run with the expected outcomes. Returns the runs in the sequence of
        the requests."""
        names = {TestId(self.id_of(test)): test.name for test in suite.tests}
        answers: dict[OrderRequest, Run] = {}
        for run in runs:
            assert run.request in requests, f"not requested: {run.request}"
            assert run.request not in answers, f"answered twice: {run.request}"
            answers[run.request] = run
        for request in requests:
            assert request in answers, f"never answered: {request}"
            reported = outcomes(answers[request])
            wanted = suite.truth(tuple(names[test] for test in request.order))
            assert reported == wanted, _difference(answers[request], wanted)
        return [answers[request] for request in requests]

    def run_and_check(self, suite: PlantedSuite, *orders: Sequence[str], attempt: int = 0) -> list[Run]:
        """Runs these orders, given by names, with the shared runner and checks the outcomes."""
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
    return "\n".join(["wrong outcomes:", *lines])
