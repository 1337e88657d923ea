"""What a fork must take care of: threads, the handler of SIGCHLD, and open files.

After a fork, parent and child share open files: what the child writes ends up in the parent's file, and what it reads
moves the parent's position.
"""

import os
import signal
import stat
import tempfile
from collections.abc import Callable

_DESCRIPTORS = "/proc/self/fd"
_STANDARD = (1, 2)


def thread_count() -> int:
    """Including native threads; 0 where the system does not report it."""
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return 0


def reset_sigchld() -> Callable[[], object]:
    """Makes it possible to wait for a child, whatever handler the suite has set; returns a function that undoes it."""
    handler = signal.getsignal(signal.SIGCHLD)
    if handler is None or handler == signal.SIG_DFL:
        return lambda: None
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    return lambda: signal.signal(signal.SIGCHLD, handler)


def is_read_only(number: int) -> bool:
    """Whether a descriptor can only be read. Raises OSError where the system does not report it."""
    with open(f"/proc/self/fdinfo/{number}", encoding="ascii") as info:
        flags = next(int(line.split()[1], 8) for line in info if line.startswith("flags:"))
    return flags & os.O_ACCMODE == os.O_RDONLY


def make_private(keep: int) -> None:
    """Call this in the child. Afterwards, for all descriptors except `keep`:

    - a file that is only read is opened a second time, at the same position;
    - a file that may be written (pytest's capture, a log, a database) is replaced by an empty file of the child;
    - the terminal, pipes, sockets and the like lead to /dev/null: the parent's communication is not disturbed, and a
      test that needs one of them fails.

    Raises OSError where the system does not show a process its descriptors.
    """
    terminals = {_identity(status) for number in _STANDARD if (status := _status(number)) is not None}
    null = os.open(os.devnull, os.O_RDWR)
    own_files: dict[tuple[int, int], int] = {}
    for number in [int(number) for number in os.listdir(_DESCRIPTORS)]:
        status = _status(number)
        if status is None or number in (keep, null):
            continue
        identity = _identity(status)
        if stat.S_ISREG(status.st_mode) and is_read_only(number):
            _open_again(number)
        elif stat.S_ISREG(status.st_mode):
            # Two descriptors of one file stay two of one file: standard output and pytest's capture of it.
            if identity not in own_files:
                own_files[identity] = _new_file()
            _replace(number, own_files[identity])
        elif identity in terminals or not (stat.S_ISCHR(status.st_mode) or stat.S_ISDIR(status.st_mode)):
            _replace(number, null)


def _status(number: int) -> os.stat_result | None:
    """None if it is closed, like the descriptor that listed the directory."""
    try:
        return os.fstat(number)
    except OSError:
        return None


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _open_again(number: int) -> None:
    position = os.lseek(number, 0, os.SEEK_CUR)
    again = os.open(f"{_DESCRIPTORS}/{number}", os.O_RDONLY)
    os.lseek(again, position, os.SEEK_SET)
    _replace(number, again)
    os.close(again)


def _replace(number: int, by: int) -> None:
    os.dup2(by, number, inheritable=os.get_inheritable(number))


def _new_file() -> int:
    number, path = tempfile.mkstemp(prefix="unknot-")
    os.unlink(path)
    return number
