"""Makes one file's contents those of another, without a new file: a program that has it open sees them."""

import fcntl
import os
from collections.abc import Iterator

_BLOCK = 256 * 1024
_LARGE = 4 * 1024 * 1024
"""To share blocks with a file that was just written to, the file system first writes it to disk. Comparing less than
this is quicker."""

_FICLONE = 0x40049409
"""Linux: both files share their blocks on disk until one of them is written to (btrfs, XFS, bcachefs)."""


def make_identical(source: int, target: int) -> None:
    """`target` must be open for reading and writing. It is never shorter than it is to become, because a program that
    has mapped it would be killed. Blocks that are the same are not written; holes cost nothing. Cost:
    nothing to speak of where the file system can share blocks, else reading both."""
    size = os.fstat(source).st_size
    is_worth_sharing = size >= _LARGE or os.fstat(target).st_size == 0
    if not (is_worth_sharing and _shares_blocks(source, target)):
        at = 0
        for start, end in _data(source, size):
            _write_zeros(target, at, start)
            _copy(source, target, start, end)
            at = end
        _write_zeros(target, at, size)
    if os.fstat(target).st_size != size:
        os.ftruncate(target, size)


def _shares_blocks(source: int, target: int) -> bool:
    try:
        fcntl.ioctl(target, _FICLONE, source)
    except OSError:
        return False
    return True


def _data(file: int, end: int, start: int = 0) -> Iterator[tuple[int, int]]:
    """Where the file has bytes, from `start` to `end`; a file system that knows no holes says: everywhere."""
    while start < end:
        try:
            begin = os.lseek(file, start, os.SEEK_DATA)
        except OSError:
            return  # a hole up to the file's end
        if begin >= end:
            return
        stop = min(end, os.lseek(file, begin, os.SEEK_HOLE))
        yield begin, stop
        start = stop


def _copy(source: int, target: int, start: int, end: int) -> None:
    for at in range(start, end, _BLOCK):
        wanted = os.pread(source, min(_BLOCK, end - at), at)
        if os.pread(target, len(wanted), at) != wanted:
            _write(target, wanted, at)


def _write_zeros(target: int, start: int, end: int) -> None:
    for begin, stop in list(_data(target, min(end, os.fstat(target).st_size), start)):
        for at in range(begin, stop, _BLOCK):
            length = min(_BLOCK, stop - at)
            if os.pread(target, length, at).count(0) != length:
                _write(target, bytes(length), at)


def _write(target: int, data: bytes, at: int) -> None:
    while data:
        written = os.pwrite(target, data, at)
        data, at = data[written:], at + written
