"""What the tests of the read watch share."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from unknot.recorder.native import _watch

OFTEN = 300
"""So many times is enough for the interpreter to specialise the instructions of a function."""

ReadsOf = Callable[[Callable[[], object]], list[object]]


@contextmanager
def read_watch() -> Iterator[ReadsOf]:
    """Gives a function that returns the tokens that are reported while another function runs, in a new epoch."""
    reported: list[object] = []

    def reads_of(action: Callable[[], object]) -> list[object]:
        reported.clear()
        _watch.next_epoch()
        _watch.set_active(True)
        try:
            action()
        finally:
            _watch.set_active(False)
        return sorted(reported, key=str)

    _watch.install(reported.append)
    try:
        yield reads_of
    finally:
        _watch.set_active(False)
        _watch.unwatch_all()
