"""Whether processes and directories are still there."""

import os
import time
from collections.abc import Callable
from pathlib import Path

_PATIENCE_SECONDS = 60.0


def is_running(process: int) -> bool:
    """A zombie does not run."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def wait_until(is_so: Callable[[], bool]) -> None:
    """Fails if it never is."""
    until = time.monotonic() + _PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.02)


def processes_with(mark: str) -> list[int]:
    """Those that have this in their environment and run."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and mark.encode() in Path(f"/proc/{entry}/environ").read_bytes().split(b"\0"):
                found.append(int(entry))
        except OSError:
            continue
    return [process for process in found if is_running(process)]
