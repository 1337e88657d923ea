"""When a file's times say truly that it has not been changed."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

_TELL_OF_MAPPED_WRITES = frozenset({"ext2", "ext3", "ext4", "xfs"})
"""A write through mapped memory changes the time there, at the latest when it is the first one of a process. In memory
(tmpfs) it never does. Of others we do not know."""

_FINE_NS = 20_000_000
"""Times are taken from a clock that ticks every 1 to 10 ms."""

_COARSE_NS = 2_000_000_000
_SECOND_NS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Signature:
    """What changes when a file is written to or replaced, even if a program sets its times back."""

    inode: int
    size: int
    changed_ns: int
    written_ns: int

    @classmethod
    def of(cls, status: os.stat_result) -> "Signature":
        return cls(status.st_ino, status.st_size, status.st_ctime_ns, status.st_mtime_ns)

    def is_settled(self) -> bool:
        """Whether a write from now on must give another signature: the clock has ticked since the last one."""
        margin = _FINE_NS if self.changed_ns % _SECOND_NS else _COARSE_NS
        return 0 <= self.changed_ns < time.time_ns() - margin


def tell_of_writes(directory: Path) -> bool:
    """Whether times can be believed on this file system while no process has its files mapped. Cost: reads
    /proc/self/mountinfo; where that does not exist the answer is no."""
    device = os.stat(directory).st_dev
    wanted = f"{os.major(device)}:{os.minor(device)}"
    try:
        lines = Path("/proc/self/mountinfo").read_text(errors="replace").splitlines()
    except OSError:
        return False
    for line in lines:
        words = line.split()
        if words[2] == wanted and words[words.index("-", 6) + 1] in _TELL_OF_MAPPED_WRITES:
            return True
    return False
