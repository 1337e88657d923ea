"""A pytest suite on a seat: what lets it run on a cluster, fork trees and all."""

import dataclasses
import os
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass

from unknot.model.errors import RunnerError
from unknot.model.run import Question, Run
from unknot.model.suite import Order, Suite
from unknot.run.collected import is_same_suite
from unknot.run.pytest_oracle import FORK_SECONDS, FRESH_SECONDS, PytestOracle
from unknot.run.seats.protocol import Answered, Ground
from unknot.run.seats.worker_process import WorkerProcess
from unknot.run.settings import Settings

_MOST_STARTS = 3


@dataclass(frozen=True)
class PytestSeatSpec:
    """`suite` is what the caller has collected: a seat must find the same, and answers in its ids. `fork` says which of
    the two ways of PytestOracle it is."""

    settings: Settings
    suite: Suite
    fork: bool

    @property
    def can_share(self) -> bool:
        return self.fork and not self.settings.reset and self.settings.instance is None

    @property
    def clean_state(self) -> float:
        return FORK_SECONDS if self.fork else FRESH_SECONDS

    def open(self, ground: Ground) -> "PytestSeat":
        return PytestSeat(self, ground)


class PytestSeat:
    """A PytestOracle with one worker, in a process of its own: only there can everything have the seat's mark and
    directory in its environment, and a main thread that lives as long as the seat does."""

    def __init__(self, spec: PytestSeatSpec, ground: Ground) -> None:
        self._spec = dataclasses.replace(
            spec, settings=dataclasses.replace(spec.settings, workers=1, first_worker=ground.number)
        )
        self._environment = {**os.environ, **ground.mark, "TMPDIR": str(ground.home)}
        self._process: WorkerProcess | None = None
        self._is_busy = False
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    def _start(self) -> WorkerProcess:
        if self._process is None:
            self._process = WorkerProcess(environment=self._environment)
            self._process.call(_open, (self._spec,))
        return self._process

    def answer(self, orders: Sequence[Order], *, shares: bool) -> Iterator[Answered]:
        """All are run before the first is told. A process that somebody kills is started again."""
        story = ""
        for _ in range(_MOST_STARTS):
            self._is_busy = True
            try:
                answers: list[Answered] = self._start().call(_answer, (tuple(orders), shares))
            except BrokenProcessPool as problem:
                story = str(problem)
                self.renew()
                continue
            self._is_busy = False
            yield from answers
            return
        raise RunnerError(f"a process that runs pytest died {_MOST_STARTS} times in a row; {story}")

    def renew(self) -> None:
        self.close()

    def close(self) -> None:
        """Lets pytest end its session, unless it is in the middle of something."""
        process, self._process = self._process, None
        if process is None:
            return
        try:
            if not self._is_busy:
                process.call(_close, ())
        except BrokenProcessPool:
            pass
        finally:
            self._is_busy = False
            process.close()


@dataclass
class _Inside:
    """In the seat's process: the oracle and the caller's ids by ours."""

    oracle: PytestOracle
    ours: Order
    theirs: Suite


_inside: _Inside | None = None


def _open(spec: PytestSeatSpec) -> None:
    global _inside
    oracle = PytestOracle(spec.settings, fork=spec.fork)
    try:
        suite = oracle.collect().suite
        if not is_same_suite(spec.suite, suite):
            raise RunnerError(
                f"pytest collects other tests on a worker: {_difference(spec.suite, suite)}",
                hint="install the same packages there as here",
            )
    except BaseException:
        oracle.close()
        raise
    _inside = _Inside(oracle, suite.tests, spec.suite)


def _difference(here: Suite, there: Suite) -> str:
    if missing := [test for test in here.tests if test not in there.index]:
        return f"{missing[0]} is not there"
    if more := [test for test in there.tests if test not in here.index]:
        return f"{more[0]} is only there"
    return "their sequence differs"


def _answer(orders: Sequence[Order], shares: bool) -> list[Answered]:
    assert _inside is not None
    oracle, ours, index = _inside.oracle, _inside.ours, _inside.theirs.index
    # The attempt tells equal orders apart; above 0 it also says that nothing is shared.
    first = 0 if shares else 1
    seen: dict[Order, int] = {}
    questions: list[Question] = []
    for order in orders:
        attempt = seen[order] = seen.get(order, first - 1) + 1
        questions.append(Question(tuple(ours[index[test]] for test in order), attempt))
    known = set(oracle.beyond)
    # As one lane: the caller has cut already.
    asked = oracle.ask_lanes([questions], shares=shares)
    runs: dict[Question, Run] = {run.question: run for run in asked}
    notes = tuple(
        f"{path} was written by a test, outside of its working copy: nothing puts it back"
        for path in oracle.beyond
        if path not in known
    )
    return [Answered(run.results, run.executed, run.seconds, notes) for run in (runs[each] for each in questions)]


def _close() -> None:
    global _inside
    if _inside is not None:
        _inside.oracle.close()
    _inside = None
