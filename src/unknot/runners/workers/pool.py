"""The slots that live in this process, one for each task that runs at the same time."""

import contextlib
import functools
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from unknot.model.errors import RunnerError
from unknot.runners.sandbox.sandbox import HeldSandbox, OpenSandbox
from unknot.runners.workers.slot import Answered, Emit, ExecutedTest, WorkerSlot, tests_executed
from unknot.runners.workers.task import SessionSpec, Task, orders_of
from unknot.runners.workers.turns import Turns

IDLE_SECONDS = 600.0
"""After that the caller is taken to be gone. If it is not, the next task opens another slot."""

_LOOK_SECONDS = 30.0

_turns = Turns()


@dataclass(eq=False)
class OpenSlot:
    """A slot on its sandbox."""

    slot: WorkerSlot
    sandbox: HeldSandbox
    kit: SessionSpec
    idle_since: float = 0.0

    def close(self) -> None:
        try:
            self.slot.close()
        finally:
            self.sandbox.close()

    def run(self, task: Task, emit: Emit, is_cancelled: Callable[[], bool] = lambda: False) -> None:
        """Runs a task; breaks it off when it is cancelled. After an exception the slot must be closed."""
        name = f"{socket.gethostname()}/{self.sandbox.sandbox.number}"
        orders = orders_of(task, self.kit.tests)
        answered = 0
        reports_tests = False
        if task.renew:
            self.slot.renew()
        with (
            _turns.taken(alone=task.exclusive, is_cancelled=is_cancelled) as is_its_turn,
            contextlib.closing(self.slot.answer(orders, shares=task.shares, in_lanes=task.in_lanes)) as events,
        ):
            if not is_its_turn:
                return
            for event in events:
                if is_cancelled():
                    return
                if isinstance(event, Answered):
                    if answered == len(orders) or len(event.results) != len(orders[answered]):
                        raise RunnerError(f"worker {where()} answered another order", slug="worker-failed")
                    for ran in () if reports_tests else tests_executed(answered, orders[answered], event):
                        emit((name, ran))
                    answered += 1
                if event is not None:
                    emit((name, event))
                    reports_tests |= isinstance(event, ExecutedTest)
        if answered < len(orders):
            raise RunnerError(f"worker {where()} answered {answered} of {len(orders)} orders", slug="worker-failed")


@dataclass
class _Session:
    """`free` are idle slots, the last used last. Once `closed`, a slot that comes back is closed too."""

    free: list[OpenSlot] = field(default_factory=list)
    closed: bool = False


_sessions: dict[str, _Session] = {}
_lock = threading.Lock()


def run_task(task: Task, emit: Emit) -> None:
    """Runs a task in this process, on a free slot of its session or on a new one. A slot that raises is closed."""
    with explained():
        held = _taken(task)
        try:
            held.run(task, emit)
        except BaseException:
            held.close()
            raise
    _put_back(task.session, held)


def close_session(session: str) -> None:
    """Closes its slots; one that has work now is closed when it is done."""
    with _lock:
        found = _sessions.setdefault(session, _Session())
        found.closed = True
        idle, found.free = found.free, []
    _close(idle)


def where() -> str:
    """This process, in words: by its address if it is a worker of a cluster."""
    if (distributed := sys.modules.get("distributed")) is not None:
        try:
            return str(distributed.get_worker().address)
        except (ValueError, AttributeError):
            pass
    return f"{socket.gethostname()} (process {os.getpid()})"


def _taken(task: Task) -> OpenSlot:
    with _lock:
        session = _sessions.setdefault(task.session, _Session())
        if session.closed:
            raise RunnerError("this session has ended", slug="worker-failed")
        held = session.free.pop() if session.free else None
    return held or opened(SessionSpec.unpacked(task.kit, where()), OpenSandbox())


def opened(kit: SessionSpec, sandbox: OpenSandbox) -> OpenSlot:
    """A new slot on this sandbox. The caller closes it; if there is none to close, the sandbox is closed."""
    try:
        return OpenSlot(kit.spec.open(sandbox.sandbox), sandbox, kit)
    except BaseException:
        sandbox.close()
        raise


def _put_back(session: str, held: OpenSlot) -> None:
    """For the next task of the session."""
    held.idle_since = time.monotonic()
    with _lock:
        found = _sessions.setdefault(session, _Session())
        is_welcome = not found.closed
        if is_welcome:
            found.free.append(held)
    if is_welcome:
        _start_janitor()
    else:
        held.close()


def close_idle(before: float) -> None:
    """Closes slots that have had nothing to do since that reading of `time.monotonic`."""
    idle: list[OpenSlot] = []
    with _lock:
        for session in _sessions.values():
            idle += [held for held in session.free if held.idle_since < before]
            session.free = [held for held in session.free if held.idle_since >= before]
    _close(idle)


@functools.cache
def _start_janitor() -> None:
    """Once for this process."""
    threading.Thread(target=_tidy, name="unknot-idle-slots", daemon=True).start()


def _tidy() -> None:
    while True:
        time.sleep(_LOOK_SECONDS)
        close_idle(time.monotonic() - IDLE_SECONDS)


def _close(idle: list[OpenSlot]) -> None:
    for held in idle:
        held.close()


@contextlib.contextmanager
def explained() -> Iterator[None]:
    """An error of the machine says on which worker it happened."""
    try:
        yield
    except OSError as problem:
        raise RunnerError(
            f"worker {where()}: {problem}",
            hint="see what that machine lacks: space, memory, permissions",
            slug="worker-failed",
        ) from problem
