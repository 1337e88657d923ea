"""Cuts a forked child off from the files that it shares with its parent.

After a fork both use the same open files: what the child writes stands in the parent's file, and what it reads moves
the parent's position.
"""

import os
import stat
import tempfile

_OWN = "/proc/self/fd"
_STANDARD = (1, 2)


def make_private(keep: int) -> None:
    """To be called in the child. Afterwards, of all descriptors but `keep`:

    - a file that is only read is open a second time, at the same position;
    - a file that may be written (pytest's capture, a log, a database) is an empty one of the child's own;
    - the terminal, pipes, sockets and the like lead nowhere: the parent's talk with others is not disturbed, and a
      test that needs one fails.

    Raises OSError where the system does not show a process its descriptors.
    """
    terminals = {_identity(status) for number in _STANDARD if (status := _status(number)) is not None}
    nowhere = os.open(os.devnull, os.O_RDWR)
    own_files: dict[tuple[int, int], int] = {}
    for number in _numbers():
        status = _status(number)
        if status is None or number in (keep, nowhere):
            continue
        identity = _identity(status)
        if stat.S_ISREG(status.st_mode) and _is_only_read(number):
            _open_again(number)
        elif stat.S_ISREG(status.st_mode):
            # Two numbers of one file stay two numbers of one file: standard output and pytest's capture of it.
            if identity not in own_files:
                own_files[identity] = _new_file()
            _replace(number, own_files[identity])
        elif identity in terminals or not (stat.S_ISCHR(status.st_mode) or stat.S_ISDIR(status.st_mode)):
            _replace(number, nowhere)


def _numbers() -> list[int]:
    return [int(number) for number in os.listdir(_OWN)]


def _status(number: int) -> os.stat_result | None:
    """None if it is closed, as is the one by which the list of numbers was read."""
    try:
        return os.fstat(number)
    except OSError:
        return None


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _is_only_read(number: int) -> bool:
    with open(f"/proc/self/fdinfo/{number}", encoding="ascii") as info:
        flags = next(int(line.split()[1], 8) for line in info if line.startswith("flags:"))
    return flags & os.O_ACCMODE == os.O_RDONLY


def _open_again(number: int) -> None:
    position = os.lseek(number, 0, os.SEEK_CUR)
    again = os.open(f"{_OWN}/{number}", os.O_RDONLY)
    os.lseek(again, position, os.SEEK_SET)
    _replace(number, again)
    os.close(again)


def _replace(number: int, by: int) -> None:
    os.dup2(by, number, inheritable=os.get_inheritable(number))


def _new_file() -> int:
    number, path = tempfile.mkstemp(prefix="unknot-")
    os.unlink(path)
    return number
