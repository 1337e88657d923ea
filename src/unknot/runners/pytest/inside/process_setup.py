"""Keeps numeric libraries from starting threads while the suite is collected: a process with threads cannot be forked.

They read these variables when they are loaded, and start as many threads as there are cores if they find nothing. What
the user has set stays. Tests see the environment as it was.
"""

import contextlib
import ctypes
import inspect
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

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
    """What every child would otherwise compute again. Internals of others: without them it is only slower."""
    with contextlib.suppress(Exception):
        _fill_source_cache()
    charmap = sys.modules.get("hypothesis.internal.charmap")
    if charmap is not None:
        with contextlib.suppress(Exception):
            # Read, or worked out in seconds, when text is drawn for the first time.
            charmap.charmap()


def _fill_source_cache() -> None:
    """To show the first failure, `inspect` resolves the path of every imported module: some 10,000 system calls. Lazy
    modules are left out, because to look at them may import them."""
    known: dict[str, str] = vars(inspect)["_filesbymodname"]
    for name, module in list(sys.modules.items()):
        file = vars(module).get("__file__") if type(module) is ModuleType else None
        if isinstance(file, str):
            path = inspect.getabsfile(module)
            known[name] = file
            inspect.modulesbyfile[path] = inspect.modulesbyfile[os.path.realpath(path)] = module.__name__


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
