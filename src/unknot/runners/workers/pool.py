"""The slots that live in this process, one for each task that runs at the same time."""

import functools
import os
import socket
import sys
import threading
import time
from dataclasses import dataclass, field

from unknot.model.errors import RunnerError, UnknotError
from unknot.runners.sandbox.sandbox import OpenSandbox
from unknot.runners.workers.slot import Answered, WorkerSlot
from unknot.runners.workers.task import Reply, SessionSpec, Task, orders_of

IDLE_SECONDS = 600.0
"""After that the caller is taken to be gone. If it is not, the next task opens another slot."""

_LOOK_SECONDS = 30.0

_last_breath = -1


@dataclass(eq=False)
class OpenSlot:
    """A slot on its sandbox."""

    slot: WorkerSlot
    sandbox: OpenSandbox
    kit: SessionSpec
    idle_since: float = 0.0

    def close(self) -> None:
        try:
            self.slot.close()
        finally:
            self.sandbox.close()


@dataclass
class _Session:
    """`free` are idle slots, the last used last. Once `closed`, a slot that comes back is closed too."""

    free: list[OpenSlot] = field(default_factory=list)
    closed: bool = False


_sessions: dict[str, _Session] = {}
_lock = threading.Lock()


def hold_until_cleared(descriptor: int) -> None:
    """The reader of the other end of this pipe sees its end when all sandboxes of this process are cleared away."""
    global _last_breath
    _last_breath = descriptor


def answer(task: Task) -> Reply:
    """Runs a task in this process, on a free slot of its session or on a new one. A slot that raises is closed."""
    held = _taken(task)
    try:
        if task.renew:
            held.slot.renew()
        answers = _answers(held, task)
        slot = f"{socket.gethostname()}/{held.sandbox.sandbox.number}"
    except BaseException as problem:
        held.close()
        if isinstance(problem, OSError):
            raise _explained(problem) from problem
        raise
    put_back(task.session, held)
    return Reply(answers, slot)


def _answers(held: OpenSlot, task: Task) -> tuple[Answered, ...]:
    orders = orders_of(task, held.kit.tests)
    answers = tuple(held.slot.answer(orders, shares=task.shares))
    lengths = [len(answered.results) for answered in answers]
    if lengths != [len(order) for order in orders]:
        raise RunnerError(
            f"worker {where()} gave {lengths} results for orders of {[len(each) for each in orders]}",
            slug="worker-failed",
        )
    return answers


def close_session(session: str) -> None:
    """Closes its slots; one that has work now is closed when it is done."""
    with _lock:
        found = _sessions.setdefault(session, _Session())
        found.closed = True
        idle, found.free = found.free, []
    _close(idle)


def close_all() -> None:
    """For the end of the process."""
    with _lock:
        idle = [held for session in _sessions.values() for held in session.free]
        for session in _sessions.values():
            session.free, session.closed = [], True
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
    return held or opened(SessionSpec.unpacked(task.kit, where()))


def opened(kit: SessionSpec) -> OpenSlot:
    """A new slot. The caller closes it, or puts it back."""
    sandbox = OpenSandbox(_last_breath)
    try:
        return OpenSlot(kit.spec.open(sandbox.sandbox), sandbox, kit)
    except BaseException as problem:
        sandbox.close()
        if isinstance(problem, OSError):
            raise _explained(problem) from problem
        raise


def put_back(session: str, held: OpenSlot) -> None:
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


def _explained(problem: OSError) -> UnknotError:
    return RunnerError(
        f"worker {where()}: {problem}",
        hint="see what that machine lacks: space, memory, permissions",
        slug="worker-failed",
    )
