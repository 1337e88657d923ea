"""Orders run on slots: each is answered once, whatever dies."""

import itertools
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from concurrent.futures import Future
from pathlib import Path

import pytest
from planted_slot import PlantedSpec, listing_of, suite_of
from process_life import is_running, wait_until

from unknot.model.errors import RunnerError
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Result
from unknot.model.suite import Suite, TestId
from unknot.runners.dispatch.slot_runner import SlotRunner
from unknot.runners.protocol import Execution
from unknot.runners.workers.slot import Emit, SlotReport
from unknot.runners.workers.task import Task
from unknot.runners.workers.threads import ThreadWorkers

SUITE = suite_of(6)
A, B, C, D, E, F = SUITE.tests


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Where planted slots write down what happens."""
    directory = tmp_path / "log"
    directory.mkdir()
    return directory


def oracle_for(spec: PlantedSpec, root: Path, workers: int = 2, suite: Suite = SUITE) -> SlotRunner:
    return SlotRunner(spec, listing_of(suite, root), ThreadWorkers(workers))


def lines(file: Path) -> list[list[str]]:
    return [line.split() for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def test_every_question_is_answered_once_and_rightly(tmp_path: Path) -> None:
    spec = PlantedSpec(needs={B: frozenset({A})}, broken_by={C: frozenset({B})})
    requests = [OrderRequest(order, attempt) for order in ((), (A, B), (B,), (B, C), (C,)) for attempt in range(2)]
    with oracle_for(spec, tmp_path) as oracle:
        runs = list(oracle.run_orders([*requests, requests[2]]))
    assert Counter(run.request for run in runs) == Counter([*requests, requests[2]])
    outcomes = {run.order: [result.outcome.value for result in run.results] for run in runs}
    assert outcomes[A, B] == ["passed", "passed"]
    assert outcomes[B,] == ["failed"]
    assert outcomes[B, C] == ["failed", "failed"]
    assert outcomes[C,] == ["passed"]


def test_no_slot_is_left_open(tmp_path: Path, log: Path) -> None:
    with oracle_for(PlantedSpec(log=log, has_server=True), tmp_path) as oracle:
        list(oracle.run_orders([OrderRequest((test,)) for test in SUITE.tests * 3]))
        servers = [int(line[2]) for line in lines(log / "server")]
        assert all(map(is_running, servers))
    opened = lines(log / "opened")
    assert 1 <= len(opened) <= 2
    assert sorted(opened) == sorted(lines(log / "closed"))
    assert not any(map(is_running, servers))
    assert not any(Path(line[2]).exists() for line in opened)
    assert len({line[1] for line in opened}) == len(opened)


class WorkerDied(Exception):
    pass


class MortalWorkers(ThreadWorkers):
    """A worker that gets an order with this test dies, so many times; as a process of a cluster does."""

    def __init__(self, count: int, deadly: TestId, deaths: int) -> None:
        super().__init__(count)
        self._deadly = SUITE.index[deadly]
        self._deaths_left = deaths

    def submit(self, task: Task, emit: Emit, cancelled: threading.Event) -> "Future[list[SlotReport]]":
        if self._deaths_left == 0 or not any(self._deadly in order for order in task.orders):
            return super().submit(task, emit, cancelled)
        self._deaths_left -= 1
        died: Future[list[SlotReport]] = Future()
        died.set_exception(WorkerDied("status -9"))
        return died

    def deaths(self, error: BaseException) -> int:
        return int(isinstance(error, WorkerDied))


def test_an_order_whose_worker_dies_is_run_again(tmp_path: Path, log: Path) -> None:
    with SlotRunner(PlantedSpec(log=log), listing_of(SUITE, tmp_path), MortalWorkers(2, C, 2)) as oracle:
        runs = list(oracle.run_orders([OrderRequest((test,)) for test in SUITE.tests]))
    assert Counter(run.order for run in runs) == Counter((test,) for test in SUITE.tests)
    assert {run.last for run in runs} == {Outcome.PASSED}
    assert sum(run.executed for run in runs) == len(SUITE)
    assert [line[2] for line in lines(log / "began")].count(C) == 1


def test_an_order_that_kills_every_worker_ends_in_an_error_with_a_story(tmp_path: Path, log: Path) -> None:
    workers = MortalWorkers(1, C, 1000)
    with SlotRunner(PlantedSpec(log=log), listing_of(SUITE, tmp_path), workers) as oracle:
        with pytest.raises(RunnerError, match="6 workers died while they ran an order of 2 tests, t01 first") as caught:
            list(oracle.run_orders([OrderRequest((B, C))]))
        assert "status -9" in caught.value.message
        assert caught.value.hint
        assert [run.last for run in oracle.run_orders([OrderRequest((A,))])] == [Outcome.PASSED]


def test_what_a_slot_raises_comes_back_with_its_hint(tmp_path: Path, log: Path) -> None:
    with oracle_for(PlantedSpec(log=log, raising=frozenset({C})), tmp_path, workers=1) as oracle:
        with pytest.raises(RunnerError, match="t02 raises") as caught:
            list(oracle.run_orders([OrderRequest((C,))]))
        assert caught.value.hint == "do not ask for it"
        assert [run.last for run in oracle.run_orders([OrderRequest((A,))])] == [Outcome.PASSED]
    # The one that raised was thrown away.
    assert len(lines(log / "opened")) == len(lines(log / "closed")) == 2


def test_an_asking_that_is_closed_early_does_not_hurt_the_next(tmp_path: Path, log: Path) -> None:
    with oracle_for(PlantedSpec(log=log, seconds=0.02), tmp_path) as oracle:
        asking = oracle.run_orders([OrderRequest((test,), attempt) for test in SUITE.tests for attempt in range(50)])
        next(asking)
        asking.close()  # type: ignore[attr-defined]
        runs = list(oracle.run_orders([OrderRequest((test, A), 77) for test in (B, C, D)]))
    assert Counter(run.order for run in runs) == Counter([(B, A), (C, A), (D, A)])
    assert len(lines(log / "began")) < 20


def test_a_repetition_and_a_test_that_is_kept_apart_share_nothing(tmp_path: Path, log: Path) -> None:
    with oracle_for(PlantedSpec(log=log, can_share=True), tmp_path, workers=1) as oracle:
        oracle.keep_apart([F])
        orders = [(A, B, last) for last in (C, D, E, F)]
        runs = list(oracle.run_orders([*(OrderRequest(order) for order in orders), OrderRequest(orders[0], 1)]))
    executed = {run.request: run.executed for run in runs}
    assert executed[OrderRequest(orders[0], 1)] == 3
    assert executed[OrderRequest(orders[3])] == 3
    assert sum(executed[OrderRequest(order)] for order in orders[:3]) == 5
    began = lines(log / "began")
    assert sum(line[-1] == "shares" for line in began) >= 2
    assert not any(line[-1] == "shares" for line in began if F in line)


def test_in_turn_means_in_the_sequence_given(tmp_path: Path, log: Path) -> None:
    requests = [OrderRequest((test, A)) for test in (F, B, E, C, D)]
    with oracle_for(PlantedSpec(log=log, can_share=True), tmp_path, workers=1) as oracle:
        list(oracle.run_in_turn(requests))
    assert [line[2:] for line in lines(log / "began")] == [list(request.order) for request in requests]


def test_lanes_are_run_in_their_sequence_each_by_its_worker(tmp_path: Path, log: Path) -> None:
    lanes = [[OrderRequest((test,), number) for number in range(4)] for test in (A, B)]
    seen: list[Execution] = []
    with oracle_for(PlantedSpec(log=log, seconds=0.01), tmp_path) as oracle:
        oracle.watcher = seen.append
        runs = list(oracle.run_lanes(lanes))
    assert Counter(run.request for run in runs) == Counter(lanes[0] + lanes[1])
    # Who is done with its own lane takes over the other's last; but nobody begins with that.
    first = {execution.worker: execution.test for execution in reversed(seen)}
    assert first == {0: A, 1: B}


def test_listener_and_watcher_hear_of_every_test_once(tmp_path: Path) -> None:
    reported: list[tuple[TestId, Result]] = []
    seen: list[Execution] = []
    with oracle_for(PlantedSpec(can_share=True, seconds=0.01), tmp_path) as oracle:
        list(oracle.run_orders([OrderRequest((D,))]))
        oracle.listener = lambda test, result: reported.append((test, result))
        oracle.watcher = seen.append
        runs = list(oracle.run_orders([OrderRequest((A, B, C)), OrderRequest((A, B, D)), OrderRequest((E,))]))
    assert len(reported) == len(seen) == sum(run.executed for run in runs)
    assert {execution.request for execution in seen} == {1, 2, 3}
    for execution in seen:
        assert execution.ended - execution.started == pytest.approx(execution.result.seconds)
    # When is reckoned back from the moment at which the answer was reported: only within an answer it is exact.
    for request in (1, 2, 3):
        own = sorted((each.started, each.ended) for each in seen if each.request == request)
        assert all(end <= start + 1e-6 for (_, end), (start, _) in itertools.pairwise(own))


def test_two_orders_on_one_slot_and_a_renewed_one(tmp_path: Path, log: Path) -> None:
    with oracle_for(PlantedSpec(log=log, seconds=0.01, can_share=True), tmp_path) as oracle:
        list(oracle.run_orders([OrderRequest((test,)) for test in SUITE.tests]))
        assert not lines(log / "renewed")
        runs = oracle.on_one_slot([OrderRequest((A, B), 5), OrderRequest((A, C), 5)])
        (renewed,) = oracle.on_one_slot([OrderRequest((D, A))], renewed=True)
        assert renewed.order == (D, A)
        assert len(lines(log / "renewed")) == 1
    assert [run.order for run in runs] == [(A, B), (A, C)]
    assert [run.executed for run in runs] == [2, 2]
    pairs = [line for line in lines(log / "began") if line[2:] in ([A, B], [A, C])]
    assert len({line[1] for line in pairs}) == 1


_CALLER = """
import sys
from pathlib import Path
from planted_slot import *
from unknot.model.run import OrderRequest
from unknot.runners.workers.threads import ThreadWorkers
from unknot.runners.dispatch.slot_runner import SlotRunner
suite, log = suite_of(6), Path(sys.argv[1])
oracle = SlotRunner(PlantedSpec(log=log, has_server=True, seconds=0.05), listing_of(suite, log), ThreadWorkers(2))
list(oracle.run_orders([OrderRequest(suite.tests, attempt) for attempt in range(1000)]))
"""


def test_a_killed_caller_leaves_nothing(log: Path) -> None:
    tests = str(Path(__file__).parents[2])
    with subprocess.Popen([sys.executable, "-c", _CALLER, str(log)], env={**os.environ, "PYTHONPATH": tests}) as caller:
        wait_until(lambda: len(lines(log / "ended")) > 3 and len(lines(log / "server")) == 2)
        caller.send_signal(signal.SIGKILL)
    homes = [Path(line[2]) for line in lines(log / "opened")]
    servers = [int(line[2]) for line in lines(log / "server")]
    wait_until(lambda: not any(home.exists() for home in homes))
    assert not any(map(is_running, servers))
    assert not any(is_running(int(line[0])) for line in lines(log / "opened"))
