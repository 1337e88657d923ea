"""Keeps numeric libraries from starting threads while the suite is collected: a process with threads cannot be forked.

They read these variables when they are loaded, and start as many threads as there are cores if they find nothing. What
the user has set stays. Tests see the environment as it was.
"""

import os

_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "NUMEXPR_NUM_THREADS")
_held: list[str] = []


def hold() -> None:
    """To be called before anything is imported for the suite."""
    for name in _VARIABLES:
        if name not in os.environ:
            os.environ[name] = "1"
            _held.append(name)


def release() -> None:
    """Takes back what `hold` did, unless somebody has changed it since."""
    while _held:
        name = _held.pop()
        if os.environ.get(name) == "1":
            del os.environ[name]
