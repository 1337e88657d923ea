"""Work that cannot be stopped from inside, done where it can be: in a child process."""

import multiprocessing
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TypeVar

_Result = TypeVar("_Result")


def within(seconds: float, work: Callable[[], _Result]) -> _Result | None:
    """What the work gives; None if it takes longer than that or takes its process down. The child is a copy of this
    process, so the work may be any function; what it gives must be picklable. Costs a fork."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_send, args=(work, theirs, seconds), daemon=True)
    child.start()
    theirs.close()
    try:
        return ours.recv() if ours.poll(seconds) else None
    except EOFError:
        return None
    finally:
        child.kill()
        child.join()
        ours.close()


def _send(work: Callable[[], object], pipe: Connection, seconds: float) -> None:
    # Ctrl-C is for the parent, who ends this process then. If the parent is gone, it ends by itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds + 1)
    pipe.send(work())
