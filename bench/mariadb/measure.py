"""One detection on one suite, counted and timed; what was answered is kept, so that a run can be taken up again."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from unknot.detect.algorithms import ALGORITHMS
from unknot.model.dependencies import Dependencies
from unknot.model.run import OrderRequest, Run
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.oracle.count import CountingOracle
from unknot.oracle.memo import MemoOracle
from unknot.oracle.protocol import Oracle, Price
from unknot.runners.command.listing import list_tests
from unknot.runners.command.slot import CommandSlotSpec
from unknot.runners.dispatch.slot_runner import SlotRunner
from unknot.runners.mtr.config import mtr_spec
from unknot.runners.protocol import Listing
from unknot.runners.settings import Settings
from unknot.runners.workers.threads import ThreadWorkers
from unknot.store.fingerprint import environment_fingerprint
from unknot.store.journal.journal import Journal


@dataclass(frozen=True)
class Measured:
    """`orders` and `tests_run` are what the detector asked for, wherever the answer came from; `worker_seconds` is what
    the answers took that were asked this time, `seconds` the wall time."""

    suite: str
    server: str
    algorithm: str
    workers: int
    tests: int
    outcomes: Mapping[str, int]
    needs: tuple[str, ...]
    conflicts: tuple[str, ...]
    flaky: tuple[str, ...]
    complete: bool
    orders: int
    tests_run: int
    recalled: int
    suite_seconds: float
    seconds: float
    worker_seconds: float

    @property
    def key(self) -> tuple[str, str, str]:
        return self.suite, self.server, self.algorithm

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


class _Timed:
    """Adds up how long orders took."""

    def __init__(self, inner: Oracle) -> None:
        self._inner = inner
        self.seconds = 0.0
        self.orders = 0

    @property
    def price(self) -> Price:
        return self._inner.price

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        for run in self._inner.run_orders(requests):
            self.seconds += run.seconds
            self.orders += 1
            yield run


class Subject:
    """A suite with its slots. Use as a context manager."""

    def __init__(self, suite: str, table: Mapping[str, object], directory: Path, state: Path, workers: int) -> None:
        self.suite = suite
        self._server = str(table.get("server", "fresh"))
        self._workers = workers
        self._state = state
        command, instance = mtr_spec(table, [suite], "bench/mariadb", directory)
        settings = Settings(directory, workers=workers, timeout=900.0)
        self.listing: Listing = list_tests(command, settings)
        self._oracle = SlotRunner(CommandSlotSpec(command, instance, settings), self.listing, ThreadWorkers(workers))

    def __enter__(self) -> "Subject":
        return self

    def __exit__(self, *_: object) -> None:
        self._oracle.close()

    def reference(self) -> Run:
        """The suite once in its own order."""
        (run,) = self._oracle.run_orders([OrderRequest(self.listing.suite.tests)])
        return run

    def detect(self, algorithm: str, reference: Run, most_seconds: float) -> Measured:
        """Each algorithm has a journal of its own: none profits from what another has asked."""
        name = f"{self.suite.replace('/', '_')}-{self._server}-{algorithm}.sqlite3"
        tests = self.listing.suite.tests
        with Journal.open(
            self._state / name,
            fingerprints=dict.fromkeys(tests, ""),
            environment=environment_fingerprint(list(self.listing.plugins)),
        ) as journal:
            timed = _Timed(self._oracle)
            budget = BudgetOracle(timed, Budget(seconds=most_seconds), time.monotonic)
            asked = CountingOracle(MemoOracle(budget, journal))
            began = time.monotonic()
            dependencies = ALGORITHMS[algorithm](self.listing.suite, asked)
            seconds = time.monotonic() - began
        return self._measured(dependencies, algorithm, asked, timed, reference, seconds)

    def _measured(
        self,
        dependencies: Dependencies,
        algorithm: str,
        asked: CountingOracle,
        timed: _Timed,
        reference: Run,
        seconds: float,
    ) -> Measured:
        counts: dict[str, int] = {}
        for result in reference.results:
            counts[result.outcome.value] = counts.get(result.outcome.value, 0) + 1
        return Measured(
            suite=self.suite,
            server=self._server,
            algorithm=algorithm,
            workers=self._workers,
            tests=len(self.listing.suite),
            outcomes=counts,
            needs=tuple(f"{need.dependent} needs {' or '.join(need.any_of)}" for need in dependencies.needs),
            conflicts=tuple(
                f"{one.victim} fails after {' and '.join(one.polluters)}" for one in dependencies.conflicts
            ),
            flaky=tuple(dependencies.flaky),
            complete=dependencies.complete,
            orders=asked.orders,
            tests_run=asked.tests,
            recalled=asked.orders - timed.orders,
            suite_seconds=round(reference.seconds, 1),
            seconds=round(seconds, 1),
            worker_seconds=round(timed.seconds, 1),
        )
