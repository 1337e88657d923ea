"""Workers of an existing dask cluster. Needs the extra `unknot[cluster]`."""

import asyncio
import contextlib
import importlib
import logging
import socket
import threading
import time
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from unknot.model.errors import RunnerError, UsageError
from unknot.runners.workers import pool
from unknot.runners.workers.slot import Emit, ExecutedTest, SlotReport
from unknot.runners.workers.task import Task, different_versions, versions
from unknot.store.typed_json import PLAIN, Fault, load

SCHEME = "dask://"
_FILE = "file:"

_CONNECT_SECONDS = 12
_LINK_SECONDS = "30s"
"""After that a link that is silent is taken to be cut. Below 11 s every connection breaks."""

_FIRST_WORKER_SECONDS = 10
"""A cluster that was just started may not be complete."""

_COUNT_SECONDS = 2.0
_CLOSING_SECONDS = 20.0

_TALKATIVE = (
    "distributed",
    "distributed.client",
    "distributed.comm",
    "distributed.core",
    "distributed.utils",
    "concurrent.futures",
    "tornado.application",
)

_SAME = "install the same versions of Python and unknot there as here"


def connect(address: str) -> "ClusterWorkers":
    """`dask://host:port`, or `dask://file:/path/of/scheduler.json`. How to encrypt, and all else about the network, is
    dask's own configuration. Raises UsageError or RunnerError if nothing can be run there."""
    where = address.removeprefix(SCHEME)
    if address == where or not where:
        raise UsageError(f"{address} is no address of a cluster", hint="write dask://host:port", slug="cluster-address")
    try:
        dask: Any = importlib.import_module("dask")
        distributed: Any = importlib.import_module("distributed")
    except ImportError as problem:
        raise UsageError(
            f"{address} needs dask, which is not installed ({problem})",
            hint="pip install 'unknot[cluster]'",
            slug="dask-missing",
        ) from problem
    # They log every lost worker on stderr, with a traceback. We report what matters.
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    dask.config.set({"distributed.comm.timeouts.tcp": _LINK_SECONDS})
    client = _client(distributed, _scheduler(where), address)
    try:
        _check(client, address)
    except BaseException:
        client.close()
        raise
    return ClusterWorkers(distributed, client)


def _scheduler(where: str) -> str:
    """The scheduler's address, from the file that it has written if one is named."""
    if not where.startswith(_FILE):
        return where
    file = Path(where.removeprefix(_FILE))
    try:
        return PLAIN.read(str, load(file), "address")
    except Fault as fault:
        raise UsageError(
            f"{file} does not name a scheduler: {fault}",
            hint="the scheduler writes it: `dask scheduler --scheduler-file`",
            slug="cluster-address",
        ) from fault


def _client(distributed: Any, scheduler: str, address: str) -> Any:
    try:
        host, port = importlib.import_module("distributed.comm").get_address_host_port(scheduler)
        # A plain connection first: where nothing listens, that is known at once, and not after all attempts.
        socket.create_connection((host, port), timeout=_CONNECT_SECONDS).close()
        # In a thread of its own: the caller may have a loop that runs, as notebooks do.
        with ThreadPoolExecutor(1) as aside:
            aside.submit(lambda: asyncio.run(_greet(distributed, scheduler))).result()
        return distributed.Client(scheduler, timeout=_CONNECT_SECONDS, set_as_default=False)
    except ValueError as problem:
        raise UsageError(
            f"{address} is no address of a cluster: {problem}", hint="write dask://host:port", slug="cluster-address"
        ) from problem
    except OSError as problem:
        raise RunnerError(
            f"no dask scheduler answers at {address}: {problem}",
            hint="start one with `dask scheduler`",
            slug="cluster-unreachable",
        ) from problem


async def _greet(distributed: Any, scheduler: str) -> None:
    """Raises OSError if what listens there does not talk as dask does. A client would wait for that for ever."""
    comm: Any = importlib.import_module("distributed.comm")
    security = distributed.Security().get_connection_args("client")
    try:
        async with asyncio.timeout(_CONNECT_SECONDS):
            greeted = await comm.connect(scheduler, timeout=_CONNECT_SECONDS, **security)
    except TimeoutError:
        raise OSError(f"a program listens there, but has not answered in {_CONNECT_SECONDS} seconds") from None
    greeted.abort()


class ClusterWorkers:
    """Implements Workers. Each thread of a worker runs one task at a time, on a slot of its own."""

    ahead = 3
    elsewhere = True

    def __init__(self, distributed: Any, client: Any) -> None:
        self._killed_worker: Any = distributed.KilledWorker
        self._lost_link: Any = (
            importlib.import_module("distributed.comm").CommClosedError,
            importlib.import_module("distributed.client").ClosedClientError,
        )
        self._client = client
        self._executor: Executor = client.get_executor(pure=False)
        self._count = 0
        self._counted = float("-inf")

    def submit(
        self,
        task: Task,
        emit: Emit,  # noqa: ARG002 - all comes back at once
        cancelled: threading.Event,  # noqa: ARG002 - what has begun goes on
    ) -> "Future[list[SlotReport]]":
        return self._executor.submit(_reports, task)

    @property
    def count(self) -> int:
        """Read from the scheduler every two seconds: workers come and go."""
        if time.monotonic() - self._counted > _COUNT_SECONDS:
            self._count = self._threads()
            self._counted = time.monotonic()
        return self._count

    def _threads(self) -> int:
        try:
            return sum(self._client.nthreads().values())
        except Exception as problem:  # dask raises many kinds when the scheduler is lost, AttributeError among them
            if self._client.status == "closed":
                raise RunnerError(
                    "the dask scheduler is gone",
                    hint="start the cluster again, and run it again: it resumes",
                    slug="cluster-lost",
                ) from problem
            return 0

    def deaths(self, error: BaseException) -> int:
        """The scheduler itself tries a task on other workers before it gives up, and says on how many."""
        if isinstance(error, self._killed_worker):
            return int(error.allowed_failures) + 1
        return int(isinstance(error, (CancelledError, asyncio.CancelledError, *self._lost_link)))

    def close(self, session: str) -> None:
        """A slot that has work now is closed when that is done; the caller does not wait for it, nor for a worker that
        does not answer."""
        closing = threading.Thread(target=self._close_slots, args=(session,), daemon=True)
        closing.start()
        closing.join(_CLOSING_SECONDS)
        with contextlib.suppress(OSError, RuntimeError, TimeoutError):
            self._client.close(timeout=_CLOSING_SECONDS)

    def _close_slots(self, session: str) -> None:
        with contextlib.suppress(Exception):
            self._client.run(_close_session, session, on_error="ignore")


def _reports(task: Task) -> list[SlotReport]:
    """On a worker: all that happened, with times that hold when it is done."""
    found: list[tuple[float, SlotReport]] = []
    pool.run_task(task, lambda report: found.append((time.monotonic(), report)))
    now = time.monotonic()
    return [
        (slot, replace(event, ago=event.ago + now - when) if isinstance(event, ExecutedTest) else event)
        for when, (slot, event) in found
    ]


async def _close_session(session: str) -> None:
    """On a worker. To stop what a slot has started may take long, and the worker must go on answering."""
    await asyncio.to_thread(pool.close_session, session)


def _check(client: Any, address: str) -> None:
    """Reads the versions of all, without sending them anything of ours: what another Python has pickled is not
    safe to read."""
    with contextlib.suppress(TimeoutError):
        client.wait_for_workers(1, timeout=_FIRST_WORKER_SECONDS)
    found: dict[str, Any] = client.get_versions(packages=["unknot"])
    here = versions()
    # The scheduler reads tasks too, before it hands them on.
    versions_of = {"the scheduler": found["scheduler"]} | {
        f"worker {name}": about for name, about in found["workers"].items()
    }
    for name, about in versions_of.items():
        python = ".".join(about["host"]["python"].split(".")[:2])
        ours = about["packages"].get("unknot")
        if ours is None:
            raise RunnerError(
                f"unknot is not installed for {name} (Python {python})", hint=_SAME, slug="worker-version"
            )
        if (python, ours) != here:
            raise RunnerError(different_versions(name, (python, ours), here), hint=_SAME, slug="worker-version")
    if not found["workers"]:
        raise RunnerError(
            f"{address} has no workers", hint="start some with `dask worker`, and run it again", slug="no-workers"
        )
