"""What the tests of the read watch share."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from unknot.recorder.native import _watch

OFTEN = 300
"""So many times is enough for the interpreter to specialise the instructions of a function."""

ReadsOf = Callable[[Callable[[], object]], list[object]]


@contextmanager
def read_watch() -> Iterator[ReadsOf]:
    """Gives a function that returns the tokens of what is read while another function runs, in a new epoch."""
    reported: list[object] = []
    with _watch_reporting(reported, reported.append, _ignore) as reads_of:
        yield reads_of


@contextmanager
def write_watch() -> Iterator[ReadsOf]:
    """The same for what is written."""
    reported: list[object] = []
    with _watch_reporting(reported, _ignore, reported.append) as writes_of:
        yield writes_of


def _ignore(token: object) -> None:
    """It is not asked for."""


@contextmanager
def _watch_reporting(
    reported: list[object], was_read: Callable[[object], None], was_written: Callable[[object], None]
) -> Iterator[ReadsOf]:
    def tokens_of(action: Callable[[], object]) -> list[object]:
        reported.clear()
        _watch.next_epoch()
        _watch.set_active(True)
        try:
            action()
        finally:
            _watch.set_active(False)
        return sorted(reported, key=str)

    _watch.install(was_read, was_written)
    try:
        yield tokens_of
    finally:
        _watch.set_active(False)
        _watch.unwatch_all()
