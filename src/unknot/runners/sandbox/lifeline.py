"""A process that dies with its parent. Standard library only: also runs inside the process under test."""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1

libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def die_with_parent(parent: int) -> None:
    """Lets the kernel kill this process when its parent dies; leaves at once if that is no longer `parent`, which
    then died before. Linux only; elsewhere a hanging test may outlive a killed unknot."""
    if libc is None:
        return
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
