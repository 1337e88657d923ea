"""Workers of this machine: threads of this process, each with a slot of its own.

Threads are enough, because a slot does little but wait for processes of its own, which survive each other. So no pool
of processes (concurrent.futures, Pebble) is needed, and what happens in a slot is known at once.
"""

import queue
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from typing import NamedTuple

from unknot.runners.sandbox.sandbox import HeldSandbox, OpenSandbox
from unknot.runners.workers import pool
from unknot.runners.workers.pool import OpenSlot
from unknot.runners.workers.slot import Emit, SlotLost, SlotReport
from unknot.runners.workers.task import SessionSpec, Task

_CLOSING_SECONDS = 10.0
"""For slots to end what they have started. After that they are left to their reapers."""

_BREAK_OFF_SECONDS = 0.3
"""For a slot to notice by itself that it is to end. After that its processes are killed."""


class _Job(NamedTuple):
    future: "Future[list[SlotReport]]"
    task: Task
    emit: Emit
    cancelled: threading.Event


class ThreadWorkers:
    """Implements Workers. A slot lives as long as its thread does: so do processes that the kernel kills when the
    thread that has started them ends. A worker whose slot is lost leaves; the others go on."""

    ahead = 2
    elsewhere = False

    def __init__(self, count: int) -> None:
        self.count = count
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._unfinished = 0
        self._lock = threading.Lock()
        self._threads: list[_SlotThread] = []
        self.is_closing = threading.Event()

    def open(self, kit: SessionSpec, count: int, held: Sequence[OpenSlot] = ()) -> Sequence[OpenSlot]:
        """So many workers open a slot now, at the same time, but for those that take one of `held`. Raises what opening
        one raises."""
        with self._lock:
            started = [self._start(None, slot) for slot in held]
            started += [self._start(kit) for _ in range(min(count, self.count) - len(started))]
        return [thread.opened.result() for thread in started]

    def submit(self, task: Task, emit: Emit, cancelled: threading.Event) -> "Future[list[SlotReport]]":
        job = _Job(Future(), task, emit, cancelled)
        with self._lock:
            self._unfinished += 1
            self._jobs.put(job)
            if len(self._threads) < min(self.count, self._unfinished):
                self._start(None)
        return job.future

    def deaths(self, error: BaseException) -> int:  # noqa: ARG002 - a thread does not die
        return 0

    def close(self, session: str) -> None:  # noqa: ARG002 - the threads serve no other
        self.is_closing.set()
        for _ in self._threads:
            self._jobs.put(None)
        until = time.monotonic() + _CLOSING_SECONDS
        while (left := [thread for thread in self._threads if thread.is_alive()]) and time.monotonic() < until:
            for thread in left:
                thread.break_off()
            left[0].join(_BREAK_OFF_SECONDS)

    def _start(self, kit: SessionSpec | None, held: OpenSlot | None = None) -> "_SlotThread":
        thread = _SlotThread(self, kit, held)
        self._threads.append(thread)
        thread.start()
        return thread

    def next_job(self) -> _Job | None:
        """For a thread: waits for one; None if it is to end."""
        job = self._jobs.get()
        return None if self.is_closing.is_set() else job

    def finished(self, thread: "_SlotThread", *, is_lost: bool) -> None:
        """For a thread: one job is done."""
        with self._lock:
            self._unfinished -= 1
            if is_lost:
                self._threads.remove(thread)
                self.count -= 1


class _SlotThread(threading.Thread):
    """Opens its slot at once if it is given what that takes, else for its first task, unless it is given a slot."""

    def __init__(self, workers: ThreadWorkers, kit: SessionSpec | None, held: OpenSlot | None = None) -> None:
        super().__init__(name="unknot-slot", daemon=True)
        self.opened: Future[OpenSlot] = Future()
        self._workers = workers
        self._kit = kit
        self._busy: HeldSandbox | None = None
        self._held = held
        if held is not None:
            self.opened.set_result(held)

    def run(self) -> None:
        try:
            if self._kit is not None:
                self._open_first(self._kit)
            while not self._workers.is_closing.is_set() and (job := self._workers.next_job()):
                if not job.future.set_running_or_notify_cancel():
                    self._workers.finished(self, is_lost=False)
                elif self._run_job(job):
                    return
        finally:
            self._close()

    def _open_first(self, kit: SessionSpec) -> None:
        try:
            with pool.explained():
                self.opened.set_result(self._open(kit))
        except BaseException as problem:  # noqa: BLE001 - the caller's
            self.opened.set_exception(problem)

    def _run_job(self, job: _Job) -> bool:
        """Whether the slot is lost."""
        problem: BaseException | None = None
        try:
            with pool.explained():
                slot = self._held or self._open(SessionSpec.unpacked(job.task.kit, pool.where()))
                self._busy = slot.sandbox
                slot.run(job.task, job.emit, lambda: job.cancelled.is_set() or self._workers.is_closing.is_set())
        except BaseException as raised:  # noqa: BLE001 - the caller's
            problem = raised
        self._busy = None
        if problem is not None:
            self._close()
        # First, because the caller counts the workers when the future is done.
        self._workers.finished(self, is_lost=isinstance(problem, SlotLost))
        if problem is None:
            job.future.set_result([])
        else:
            job.future.set_exception(problem)
        return isinstance(problem, SlotLost)

    def _open(self, kit: SessionSpec) -> OpenSlot:
        sandbox = self._busy = OpenSandbox()
        try:
            self._held = pool.opened(kit, sandbox)
        finally:
            self._busy = None
        return self._held

    def _close(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            held.close()

    def break_off(self) -> None:
        """From any thread: kills what a slot that is being opened, or at work, waits for."""
        if (sandbox := self._busy) is not None:
            sandbox.kill()
