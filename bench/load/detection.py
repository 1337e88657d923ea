"""A detection in a process of its own, watched from outside."""

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.kit.failure import BenchFailure
from bench.load.suites import Sleeping
from unknot.store.known_result import read_known_result
from unknot.store.state_directory import STATE, StateDirectory

_LOOK_SECONDS = 0.2
_OURS = (b"unknot\0detect", b"unknot.runners.workers", b"launcher_program", b"sandbox.reaper")
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Detection:
    """`seconds` and `orders` are as unknot counts them: without the start of the program. `processor_seconds` are
    those of unknot's own processes, the caller and its workers, not of what they start."""

    seconds: float
    orders: int
    runs: int
    processor_seconds: float
    peak_mb: float


def detect(suite: Sleeping, more: Sequence[str]) -> Detection:
    mark = f"UNKNOT_LOAD={os.getpid()}"
    lock = suite.directory / "found.json"
    process = subprocess.Popen(
        [sys.executable, "-m", "unknot", "detect", "-n", "1", "--lock", str(lock), *more],
        cwd=suite.project,
        env={**os.environ, "LOG": str(suite.log), "UNKNOT_LOAD": str(os.getpid())},
        stdout=subprocess.DEVNULL,
    )
    watch = _Watch(process.pid, mark.encode())
    thread = threading.Thread(target=watch.look_on)
    thread.start()
    code = process.wait()
    watch.done.set()
    thread.join()
    if code not in (0, 10):
        raise BenchFailure(f"unknot ended with status {code}, though tests that sleep have no dependencies")
    cost = read_known_result(lock, StateDirectory(suite.project / STATE)).cost
    return Detection(cost.seconds, cost.orders, cost.tests, sum(watch.spent.values()), watch.peak_mb)


class _Watch:
    """Looks again and again: a process that lives shorter than a look is missed, and so is the end of each."""

    def __init__(self, caller: int, mark: bytes) -> None:
        self._caller = caller
        self._mark = mark
        self.done = threading.Event()
        self.spent: dict[int, float] = {}
        self.peak_mb = 0.0

    def look_on(self) -> None:
        while not self.done.wait(_LOOK_SECONDS):
            for process in self._ours():
                with contextlib.suppress(OSError, IndexError):
                    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
                    self.spent[process] = (int(fields[11]) + int(fields[12])) / _TICKS
            with contextlib.suppress(OSError):
                self.peak_mb = max(self.peak_mb, _peak_mb(self._caller))

    def _ours(self) -> Iterator[int]:
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            with contextlib.suppress(OSError):
                line = Path(f"/proc/{entry}/cmdline").read_bytes()
                if any(name in line for name in _OURS) and self._mark in Path(f"/proc/{entry}/environ").read_bytes():
                    yield int(entry)


def _peak_mb(process: int) -> float:
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0
