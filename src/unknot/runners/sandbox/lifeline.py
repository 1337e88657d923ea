"""Nothing outlives the process that wanted it."""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1

libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def die_with_parent(parent: int) -> None:
    """Asks the kernel to kill this process when its parent dies; leaves at once if that is no longer `parent`, who
    then died before anyone could ask. Linux only; elsewhere a hanging test may outlive a killed unknot."""
    if libc is None:
        return
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
