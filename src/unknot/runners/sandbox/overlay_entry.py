"""The program by which a command gets into a worker's mount namespace. It imports as little as it can: every pytest
process waits for it."""

import ctypes
import os
import sys


def main() -> None:
    """Goes into the namespace of the process whose number is the first argument, changes to the directory that is the
    third, and becomes the command that follows. The second says whether there is a user namespace."""
    keeper, is_users, directory, *words = sys.argv[1:]
    libc = ctypes.CDLL(None, use_errno=True)
    kinds = ("user", "mnt") if is_users == "True" else ("mnt",)
    spaces = [os.open(f"/proc/{keeper}/ns/{kind}", os.O_RDONLY | os.O_CLOEXEC) for kind in kinds]
    for space in spaces:
        if libc.setns(space, 0) != 0:
            number = ctypes.get_errno()
            raise OSError(number, f"enter the namespace: {os.strerror(number)}")
    os.chdir(directory)
    os.execvp(words[0], words)
