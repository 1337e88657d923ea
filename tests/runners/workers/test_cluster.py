"""A real dask cluster on loopback: workers die, and the graph is the same."""

import asyncio
import os
import signal
import socket
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from dask_cluster import Cluster, started_cluster
from planted_slot import PlantedSpec, listing_of, suite_of
from process_life import is_running, wait_until

from unknot.detect.algorithms import ALGORITHMS
from unknot.model.dependencies import Dependencies
from unknot.model.errors import RunnerError, UsageError
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest
from unknot.oracle.count import CountingOracle
from unknot.runners.dispatch.slot_runner import SlotRunner
from unknot.runners.workers.cluster import ClusterWorkers, connect
from unknot.runners.workers.slot import Workers
from unknot.runners.workers.threads import ThreadWorkers

pytest.importorskip("distributed")
# dask leaves event loops and sockets to the garbage collector.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]

SUITE = suite_of(12)
T = SUITE.tests
NEEDS = {T[5]: frozenset({T[1]}), T[8]: frozenset({T[3], T[5]})}
BROKEN_BY = {T[10]: frozenset({T[6]})}
WORKERS = 4


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """With four workers, of which one test kills two."""
    with started_cluster(tmp_path_factory.mktemp("cluster"), WORKERS) as started:
        yield started


@pytest.fixture
def log(tmp_path: Path) -> Path:
    directory = tmp_path / "log"
    directory.mkdir()
    return directory


def lines(file: Path) -> list[list[str]]:
    return [line.split() for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def detected(spec: PlantedSpec, root: Path, workers: Workers, victims: list[int]) -> tuple[Dependencies, int]:
    """What was found and the number of orders asked; after some tests, the victims are killed."""
    reported: Counter[str] = Counter()

    def listener(*_: object) -> None:
        reported["tests"] += 1
        if reported["tests"] > 30 and victims:
            busy = {int(line[0]) for line in lines(root / "log" / "opened")}
            for victim in [victim for victim in victims if victim in busy]:
                victims.remove(victim)
                os.kill(victim, signal.SIGKILL)

    with SlotRunner(spec, listing_of(SUITE, root), workers) as oracle:
        oracle.listener = listener
        counted = CountingOracle(oracle)
        return ALGORITHMS["sieve"](SUITE, counted), counted.orders


def test_two_killed_workers_change_neither_the_graph_nor_the_count(cluster: Cluster, tmp_path: Path) -> None:
    for name in ("calm", "killed"):
        (tmp_path / name / "log").mkdir(parents=True)
    calm, orders = detected(
        PlantedSpec(NEEDS, BROKEN_BY, 0.01, tmp_path / "calm" / "log"), tmp_path / "calm", ThreadWorkers(WORKERS), []
    )
    victims = [worker.pid for worker in cluster.workers[:2]]
    log = tmp_path / "killed" / "log"
    spec = PlantedSpec(NEEDS, BROKEN_BY, 0.01, log, has_server=True)
    killed, orders_with_deaths = detected(spec, tmp_path / "killed", connect(cluster.address), victims)
    assert not victims
    assert calm.needs
    assert calm.conflicts
    # Also the proofs are the same.
    assert (killed.needs, killed.conflicts) == (calm.needs, calm.conflicts)
    assert orders_with_deaths == orders
    # A worker holds what it runs, and also what has ended and is not yet fetched.
    assert orders <= len(lines(log / "began")) <= orders + 2 * ClusterWorkers.ahead
    # Of the dead ones, the guardians have cleared away what was left.
    wait_until(lambda: not any(is_running(int(line[2])) for line in lines(log / "server")))
    wait_until(lambda: not any(Path(line[2]).exists() for line in lines(log / "opened")))


def test_errors_of_slots_come_back_with_their_hints(cluster: Cluster, tmp_path: Path) -> None:
    spec = PlantedSpec(raising=frozenset({T[2]}))
    with SlotRunner(spec, listing_of(SUITE, tmp_path), connect(cluster.address)) as oracle:
        with pytest.raises(RunnerError, match="t02 raises") as caught:
            list(oracle.run_orders([OrderRequest((T[2],))]))
        assert caught.value.hint == "do not ask for it"
        assert [run.last for run in oracle.run_orders([OrderRequest((T[0],))])] == [Outcome.PASSED]


def test_slots_are_closed_on_the_workers(cluster: Cluster, tmp_path: Path, log: Path) -> None:
    spec = PlantedSpec(log=log, has_server=True)
    with SlotRunner(spec, listing_of(SUITE, tmp_path), connect(cluster.address)) as oracle:
        assert 2 <= oracle.price.workers <= WORKERS
        assert len(list(oracle.run_orders([OrderRequest((test,)) for test in T]))) == len(T)
    assert lines(log / "opened")
    assert sorted(lines(log / "opened")) == sorted(lines(log / "closed"))
    assert not any(Path(line[2]).exists() for line in lines(log / "opened"))


def test_a_worker_with_other_files_is_named(cluster: Cluster, tmp_path: Path) -> None:
    with SlotRunner(PlantedSpec(), listing_of(SUITE, tmp_path), connect(cluster.address)) as oracle:
        (tmp_path / "suite.txt").write_text("changed", encoding="utf-8")
        with pytest.raises(RunnerError, match=r"worker tcp://127\.0\.0\.1:\d+: the files below .* are not the same"):
            list(oracle.run_orders([OrderRequest((T[0],))]))
        (tmp_path / "suite.txt").unlink()
        with pytest.raises(RunnerError, match=r"suite\.txt is not there"):
            list(oracle.run_orders([OrderRequest((T[0],))]))


def test_a_worker_with_another_version_is_named(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unknot.__version__", "99.1")
    with pytest.raises(RunnerError, match=r"the scheduler has Python 3\.\d+ and unknot \d.*, but here .* unknot 99\.1"):
        connect(cluster.address)


def test_no_scheduler_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(RunnerError, match="no dask scheduler answers"):
        connect(f"dask://127.0.0.1:{port}")


@pytest.mark.parametrize("address", ["dask://", "localhost:1", "dask://nowhere", "dask://file:/nowhere/at/all"])
def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(UsageError):
        connect(address)


def test_without_dask_we_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError) as caught:
        connect("dask://127.0.0.1:1")
    assert caught.value.hint == "pip install 'unknot[cluster]'"


def test_a_listener_that_is_no_scheduler_is_an_error_and_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unknot.runners.workers.cluster._CONNECT_SECONDS", 1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"dask://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(RunnerError, match=r"no dask scheduler answers at .* has not answered in 1 seconds"):
            connect(address)


def test_a_caller_with_a_running_loop_can_connect_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unknot.runners.workers.cluster._CONNECT_SECONDS", 1)

    async def connecting() -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            connect(f"dask://127.0.0.1:{silent.getsockname()[1]}")

    with pytest.raises(RunnerError, match="no dask scheduler answers"):
        asyncio.run(connecting())
