"""Keeps numeric libraries from starting threads while the suite is collected: a process with threads cannot be forked.

They read these variables when they are loaded, and start as many threads as there are cores if they find nothing. What
the user has set stays. Tests see the environment as it was.
"""

import contextlib
import ctypes
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from unknot.runners.sandbox.lifeline import libc

_HUGE = 2 * 1024 * 1024
_MADV_COLLAPSE = 25


def collapse() -> None:
    """Lets the kernel put this process's heap, as it is now, into huge pages. What is allocated later is not
    affected: with MADV_HUGEPAGE, each child would grow by 2 MB at a time. Fails silently: where the kernel cannot
    (before 6.1) forks cost what they always cost. Measured on a pytest of 130 MB: 2.7
    instead of 7 ms for a fork."""
    if libc is None or sys.platform != "linux":
        return
    for start, end in _heap():
        first, last = -(-start // _HUGE) * _HUGE, end // _HUGE * _HUGE
        if first < last:
            libc.madvise(ctypes.c_void_p(first), ctypes.c_size_t(last - first), _MADV_COLLAPSE)


def _heap() -> Iterator[tuple[int, int]]:
    """Anonymous writable mappings, where Python keeps its objects."""
    for line in Path("/proc/self/maps").read_text().splitlines():
        fields = line.split()
        if fields[1] == "rw-p" and (len(fields) == 5 or fields[5] == "[heap]"):
            start, end = fields[0].split("-")
            yield int(start, 16), int(end, 16)


def fill_caches() -> None:
    """Hypothesis reads, or works out in seconds, a table of all characters when text is drawn for the first time."""
    charmap = sys.modules.get("hypothesis.internal.charmap")
    if charmap is not None:
        with contextlib.suppress(Exception):  # internals of another project: without them it is only slower
            charmap.charmap()


_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "NUMEXPR_NUM_THREADS")
_held: list[str] = []


def hold() -> None:
    """To be called before anything is imported for the suite."""
    for name in _VARIABLES:
        if name not in os.environ:
            os.environ[name] = "1"
            _held.append(name)


def release() -> None:
    """Takes back what `hold` did, unless it was changed since."""
    while _held:
        name = _held.pop()
        if os.environ.get(name) == "1":
            del os.environ[name]
