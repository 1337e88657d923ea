"""Nothing outlives the process that wanted it."""

import ctypes
import signal
import sys

_PR_SET_PDEATHSIG = 1

_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def die_with_parent() -> None:
    """Asks the kernel to kill this process when its parent dies. Linux only; elsewhere a no-op, and a hanging test
    may then outlive a killed unknot."""
    if _libc is not None:
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
