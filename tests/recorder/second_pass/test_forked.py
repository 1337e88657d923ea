"""Work done in a forked child."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from unknot.recorder.inside.second_pass.forked import in_child

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")


def test_what_came_out_is_brought_back() -> None:
    assert in_child(lambda: {"a": [1, "x" * 300_000, None]}, 20) == {"a": [1, "x" * 300_000, None]}


def test_a_result_that_json_cannot_encode_is_none() -> None:
    assert in_child(lambda: object(), 20) is None
    assert in_child(lambda: 1 // 0, 20) is None
    assert in_child(lambda: os._exit(0), 20) is None
    assert in_child(lambda: os.kill(os.getpid(), signal.SIGSEGV), 20) is None


def test_memory_stays_as_it_is() -> None:
    seen: list[int] = []
    assert in_child(lambda: seen.append(1) or seen, 20) == [1]  # type: ignore[func-returns-value]
    assert seen == []


def test_what_the_child_has_started_is_ended_with_it(tmp_path: Path) -> None:
    def start() -> int:
        return subprocess.Popen(["sleep", "100"]).pid

    started = in_child(start, 20)
    assert isinstance(started, int)
    for _ in range(1000):
        if _is_gone(started):
            break
        time.sleep(0.01)
    assert _is_gone(started)


def _is_gone(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"


def test_no_descriptor_and_no_child_is_left_over() -> None:
    before = len(os.listdir("/proc/self/fd")), _children()
    for _ in range(20):
        in_child(lambda: 1, 20)
        in_child(lambda: time.sleep(100), 0.01)
    assert (len(os.listdir("/proc/self/fd")), _children()) == before


def _children() -> set[str]:
    """Other tests may have children in this process too."""
    return {pid for thread in Path("/proc/self/task").iterdir() for pid in (thread / "children").read_text().split()}
