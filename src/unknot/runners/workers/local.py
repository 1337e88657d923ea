"""Worker processes of this machine behind the interface of concurrent.futures.

Not a ProcessPoolExecutor: there, one process that dies breaks the pool and all its futures, and tests do kill their
processes. Here only the future of the dead process fails. The processes also die with their parent, do not import the
main program again, can report while they work, and can be ended then, so that their slots are cleared away. Pebble's
pools survive a dead process too, but start processes as multiprocessing does and pass on nothing before the result.
"""

import contextlib
import os
import queue
import select
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from typing import Any, ParamSpec, TypeVar

from unknot.runners.workers import pool
from unknot.runners.workers.slot import Emit, SlotReport
from unknot.runners.workers.task import Task
from unknot.runners.workers.worker_process import WorkerProcess, send_to_caller

P = ParamSpec("P")
T = TypeVar("T")

_CLOSING_SECONDS = 10.0
"""For slots to stop what they have started; after that everything is killed."""

_CLEARING_SECONDS = 60.0

_Job = tuple["Future[Any]", Callable[..., Any], tuple[Any, ...], Callable[[Any], None]]


class LocalExecutor(Executor):
    """Up to `workers` processes, each started when it is first needed, that survive each other's death: a future whose
    process dies ends with BrokenProcessPool, all others go on, and the next job has a new process.

    Arguments by position only. `shutdown(cancel_futures=True)` breaks off what runs, too. After a shutdown that waits,
    no process and no directory of a slot is left."""

    def __init__(self, workers: int) -> None:
        self._most = workers
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._processes: set[WorkerProcess] = set()
        self._unfinished = 0
        self._is_closed = False
        self._is_breaking_off = False
        self._breath_seen, self._breath = os.pipe()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> "Future[T]":
        if kwargs:
            raise TypeError("arguments by position only")
        return self.submit_streaming(lambda _: None, fn, *args)

    def submit_streaming(self, on_message: Callable[[Any], None], fn: Callable[..., T], /, *args: Any) -> "Future[T]":
        """As `submit`; `on_message` is called, in another thread, with everything that the function sends by
        `worker_process.send_to_caller`."""
        future: Future[T] = Future()
        with self._lock:
            if self._is_closed:
                raise RuntimeError("cannot schedule new futures after shutdown")
            self._unfinished += 1
            self._jobs.put((future, fn, args, on_message))
            if len(self._threads) < min(self._most, self._unfinished):
                thread = threading.Thread(target=self._work, name="unknot-worker", daemon=True)
                self._threads.append(thread)
                thread.start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        with self._lock:
            is_first, self._is_closed = not self._is_closed, True
            self._is_breaking_off |= cancel_futures
            processes = list(self._processes)
        if cancel_futures:
            self._cancel_waiting()
            for process in processes:
                process.end_gently()
        # Also the second time: with what waited, the marker to end may have been taken away.
        for _ in self._threads:
            self._jobs.put(None)
        if wait and is_first:
            self._wait(processes if cancel_futures else [])

    def _cancel_waiting(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                if (job := self._jobs.get_nowait()) is not None:
                    job[0].cancel()
                    job[0].set_running_or_notify_cancel()

    def _wait(self, ending: list[WorkerProcess]) -> None:
        until = time.monotonic() + _CLOSING_SECONDS
        for process in ending:
            if not process.wait(max(0.0, until - time.monotonic())):
                process.kill()
        for thread in self._threads:
            thread.join()
        os.close(self._breath)
        # All that hold the other end are reapers at their work.
        select.select([self._breath_seen], [], [], _CLEARING_SECONDS)
        os.close(self._breath_seen)

    def _work(self) -> None:
        """In a thread for each process, which lives as long as the executor: processes die with their thread."""
        process: WorkerProcess | None = None
        while (job := self._jobs.get()) is not None:
            if job[0].set_running_or_notify_cancel():
                process = self._carried_out(process, *job)
            with self._lock:
                self._unfinished -= 1
        if process is not None:
            self._end(process)

    def _carried_out(
        self,
        process: WorkerProcess | None,
        future: "Future[Any]",
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        on_message: Callable[[Any], None],
    ) -> WorkerProcess | None:
        """Returns the process for the next job, if there is one."""
        try:
            process = process or self._started()
            result = process.call(function, arguments, on_message)
        except BrokenProcessPool as problem:
            if process is not None:
                self._forget(process)
            future.set_exception(problem)
            return None
        except BaseException as problem:  # noqa: BLE001 - what the function raised is the caller's
            future.set_exception(problem)
        else:
            future.set_result(result)
        return process

    def _started(self) -> WorkerProcess:
        with self._lock:
            if self._is_breaking_off:
                raise BrokenProcessPool("the workers are being shut down")
            process = WorkerProcess(self._breath)
            self._processes.add(process)
        return process

    def _end(self, process: WorkerProcess) -> None:
        process.end_gently()
        process.wait(_CLOSING_SECONDS)
        self._forget(process)

    def _forget(self, process: WorkerProcess) -> None:
        with self._lock:
            self._processes.discard(process)
        process.close()


def _run_task(task: Task) -> list[SlotReport]:
    pool.run_task(task, send_to_caller)
    return []


class LocalWorkers:
    """Implements Workers for this machine."""

    ahead = 2
    fewest_orders = 4
    elsewhere = False

    def __init__(self, count: int) -> None:
        self.count = count
        self.executor = LocalExecutor(count)

    def submit(
        self,
        task: Task,
        emit: Emit,
        cancelled: threading.Event,  # noqa: ARG002 - what has begun goes on
    ) -> "Future[list[SlotReport]]":
        return self.executor.submit_streaming(emit, _run_task, task)

    def deaths(self, error: BaseException) -> int:
        return int(isinstance(error, BrokenProcessPool))

    def close(self, session: str) -> None:  # noqa: ARG002 - its processes have no other
        self.executor.shutdown(cancel_futures=True)
