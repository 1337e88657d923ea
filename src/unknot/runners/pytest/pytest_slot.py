"""A pytest suite on a slot: what lets it run on a cluster, fork trees and all."""

import dataclasses
import os
import secrets
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from unknot.model.errors import RunnerError
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import Order, Suite
from unknot.runners.pytest.collection import Collected, is_same_suite
from unknot.runners.pytest.pytest_oracle import FORK_SECONDS, FRESH_SECONDS, PytestOracle
from unknot.runners.sandbox.sandbox import Sandbox
from unknot.runners.settings import Settings
from unknot.runners.sut.spec import CLEAN_SECONDS
from unknot.runners.workers import pool
from unknot.runners.workers.local import LocalWorkers
from unknot.runners.workers.slot import Answered
from unknot.runners.workers.task import SessionSpec, versions
from unknot.runners.workers.worker_process import WorkerProcess, is_worker_process

_MOST_STARTS = 3


@dataclass(frozen=True)
class PytestSlotSpec:
    """`suite` is what the caller has collected: a slot must find the same, and answers in its ids. None if it has
    not: then the slot reports what it finds. `fork` says which of the two ways of PytestOracle it is; None lets it
    choose."""

    settings: Settings
    suite: Suite | None
    fork: bool | None

    @property
    def can_share(self) -> bool:
        return bool(self.fork) and not self.settings.reset and self.settings.instance is None

    @property
    def clean_state(self) -> float:
        pytest = FORK_SECONDS if self.fork else FRESH_SECONDS
        return pytest if self.settings.instance is None else pytest + CLEAN_SECONDS

    def open(self, sandbox: Sandbox) -> "PytestSlot":
        return PytestSlot(self, sandbox)


@dataclass(frozen=True)
class OpenedSuite:
    """What a slot has found when it was opened; why each order needs a `fresh` process, if so."""

    collected: Collected
    forks: bool
    why_fresh: str


class _ThisProcess:
    """Stands in for a WorkerProcess in a process that is one, and holds no other slot: a second one would only take as
    long to start. Meanwhile the environment is the slot's."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._before = dict(os.environ)
        self._put(environment)

    def call(self, function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
        return function(*arguments)

    def close(self) -> None:
        self._put(self._before)

    @staticmethod
    def _put(environment: Mapping[str, str]) -> None:
        os.environ.clear()
        os.environ.update(environment)
        tempfile.tempdir = None


class PytestSlot:
    """A PytestOracle with one worker, in a process that has nothing else to do: only there can everything have the
    slot's mark and directory in its environment, and a main thread that lives as long as the slot does."""

    def __init__(self, spec: PytestSlotSpec, sandbox: Sandbox) -> None:
        self._spec = dataclasses.replace(
            spec, settings=dataclasses.replace(spec.settings, workers=1, first_worker=sandbox.number)
        )
        self._environment = {**os.environ, **sandbox.mark, "TMPDIR": str(sandbox.home)}
        self._process: WorkerProcess | _ThisProcess | None = None
        self._is_busy = False
        self._is_used = False
        try:
            self.listed = self._opened()
        except BaseException:
            self.close()
            raise
        # Whenever it is started again, it must find the same.
        suite = self._spec.suite or self.listed.collected.suite
        self._spec = dataclasses.replace(self._spec, suite=suite, fork=self.listed.forks)

    def _opened(self) -> OpenedSuite:
        own = is_worker_process() and _inside is None
        self._process = _ThisProcess(self._environment) if own else WorkerProcess(environment=self._environment)
        listed: OpenedSuite = self._process.call(_open, (self._spec,))
        return listed

    def _start(self) -> WorkerProcess | _ThisProcess:
        if self._process is None:
            self._opened()
        assert self._process is not None
        return self._process

    def answer(self, orders: Sequence[Order], *, shares: bool) -> Iterator[Answered]:
        """All are run before the first is reported. A process that is killed is started again."""
        story = ""
        self._is_used = True
        for _ in range(_MOST_STARTS):
            self._is_busy = True
            try:
                answers: list[Answered] = self._start().call(_answer, (tuple(orders), shares))
            except BrokenProcessPool as problem:
                story = str(problem)
                self.close()
                continue
            self._is_busy = False
            yield from answers
            return
        raise RunnerError(f"a process that runs pytest died {_MOST_STARTS} times in a row; {story}", slug="worker-died")

    def renew(self) -> None:
        """One that has answered nothing since it was opened holds nothing."""
        if self._is_used:
            self.close()
            self._is_used = False

    def close(self) -> None:
        """Lets pytest end its session, unless it is in the middle of something: then it is killed."""
        process, self._process = self._process, None
        if process is None:
            return
        try:
            if not self._is_busy or isinstance(process, _ThisProcess):
                process.call(_close, ())
        except BrokenProcessPool:
            pass
        finally:
            self._is_busy = False
            process.close()


@dataclass
class _Inside:
    """In the slot's process: the oracle and the caller's ids by ours."""

    oracle: PytestOracle
    ours: Order
    theirs: Suite


_inside: _Inside | None = None


def _open(spec: PytestSlotSpec) -> OpenedSuite:
    global _inside
    oracle = PytestOracle(spec.settings, fork=spec.fork)
    try:
        collected = oracle.collect()
        wanted = spec.suite or collected.suite
        check_same_suite(wanted, collected.suite)
    except BaseException:
        oracle.close()
        raise
    _inside = _Inside(oracle, collected.suite.tests, wanted)
    return OpenedSuite(collected, oracle.forks, oracle.why_fresh)


def check_same_suite(here: Suite, there: Suite) -> None:
    """Raises RunnerError if a worker has collected something else."""
    if not is_same_suite(here, there):
        raise RunnerError(
            f"pytest collects other tests on a worker: {_difference(here, there)}",
            hint="install the same packages there as here",
            slug="collection-varies",
        )


def _difference(here: Suite, there: Suite) -> str:
    if missing := [test for test in here.tests if test not in there.index]:
        return f"{missing[0]} is not there"
    if more := [test for test in there.tests if test not in here.index]:
        return f"{more[0]} is only there"
    return "their sequence differs"


def _answer(orders: Sequence[Order], shares: bool) -> list[Answered]:
    assert _inside is not None
    oracle, ours, index = _inside.oracle, _inside.ours, _inside.theirs.index
    # The attempt distinguishes equal orders; above 0 it also says that nothing is shared.
    first = 0 if shares else 1
    seen: dict[Order, int] = {}
    requests: list[OrderRequest] = []
    for order in orders:
        attempt = seen[order] = seen.get(order, first - 1) + 1
        requests.append(OrderRequest(tuple(ours[index[test]] for test in order), attempt))
    known = set(oracle.beyond)
    # As one lane: the caller has cut already.
    found = oracle.run_lanes([requests], shares=shares)
    runs: dict[OrderRequest, Run] = {run.request: run for run in found}
    notes = tuple(
        f"{path} was written by a test, outside of its working copy: nothing puts it back"
        for path in oracle.beyond
        if path not in known
    )
    return [Answered(run.results, run.executed, run.seconds, notes) for run in (runs[each] for each in requests)]


def _close() -> None:
    global _inside
    if _inside is not None:
        _inside.oracle.close()
    _inside = None


@dataclass(frozen=True)
class PrestartedSlots:
    """`spec` is for those that are opened later. The caller that goes on with the session closes the workers."""

    spec: PytestSlotSpec
    listed: OpenedSuite
    workers: LocalWorkers
    session: str


@contextmanager
def prestart_slots(spec: PytestSlotSpec, workers: int, *, ahead: int) -> Iterator[PrestartedSlots]:
    """So many of the workers open their slot now, at the same time. Raises what collecting a suite raises, and
    RunnerError if they do not find the same tests. In the end nothing of it is left."""
    session = secrets.token_hex(8)
    local = LocalWorkers(workers)
    try:
        flights = [local.executor.submit(_prestart, session, spec) for _ in range(min(workers, ahead))]
        first, *others = [flight.result() for flight in flights]
        for other in others:
            check_same_suite(first.collected.suite, other.collected.suite)
        yield PrestartedSlots(replace(spec, suite=first.collected.suite, fork=first.forks), first, local, session)
    finally:
        local.close(session)


def _prestart(session: str, spec: PytestSlotSpec) -> OpenedSuite:
    """In a worker: opens a slot and keeps it for the tasks of the session, which go by positions in what it reports."""
    held = pool.opened(SessionSpec(spec, (), None, versions()))
    assert isinstance(held.slot, PytestSlot)
    listed = held.slot.listed
    held.kit = replace(held.kit, tests=listed.collected.suite.tests)
    pool.put_back(session, held)
    return listed
