"""What a slot has started and written is cleared away, however its process ends."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from process_life import is_running, processes_with, wait_until

from unknot.runners.sandbox.sandbox import MARK, OpenSandbox

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")

_HOLDER = """
import os, subprocess, sys, time
from unknot.runners.sandbox.sandbox import OpenSandbox
opened = OpenSandbox()
for _ in range(3):
    subprocess.Popen(["sleep", "1000"], env={**os.environ, **opened.sandbox.mark}, start_new_session=True)
(opened.sandbox.home / "file").write_text("x")
print(opened.sandbox.home, opened.sandbox.mark["UNKNOT_SLOT"], opened._reaper.pid, flush=True)
time.sleep(1000)
"""

_TITLED = """
import ctypes, os, time
child = os.fork()
if not child:
    # As database servers do: the memory that holds the environment is where the title goes.
    fields = open("/proc/self/stat").read().rpartition(")")[2].split()
    start, end = int(fields[47]), int(fields[48])
    ctypes.memset(start, 0, end - start)
    print(os.getpid(), flush=True)
time.sleep(1000)
"""


def test_a_closed_sandbox_leaves_neither_process_nor_directory() -> None:
    opened = OpenSandbox()
    environment = {**os.environ, **opened.sandbox.mark}
    with subprocess.Popen(["sleep", "1000"], env=environment, start_new_session=True) as started:
        (opened.sandbox.home / "below").mkdir()
        (opened.sandbox.home / "below" / "file").write_text("x")
        (opened.sandbox.home / "below").chmod(0o500)
        opened.close()
        assert started.wait() == -signal.SIGKILL
    assert not opened.sandbox.home.exists()


def test_others_are_spared() -> None:
    opened, other = OpenSandbox(), OpenSandbox()
    environment = {**os.environ, **other.sandbox.mark}
    with subprocess.Popen(["sleep", "1000"], env=environment) as started:
        opened.close()
        assert started.poll() is None
        assert other.sandbox.home.exists()
        other.close()
        assert started.wait() == -signal.SIGKILL


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_outlives_a_killed_holder(number: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", _HOLDER], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as holder:
        assert holder.stdout is not None
        home, token, guardian = holder.stdout.readline().decode().split()
        try:
            # A process that is just being replaced by its program shows no environment.
            wait_until(lambda: len(processes_with(f"{MARK}={token}")) == 3)
        finally:
            holder.send_signal(number)
    wait_until(lambda: not is_running(int(guardian)))
    assert not processes_with(f"{MARK}={token}")
    assert not Path(home).exists()


def test_after_a_killed_reaper_this_process_clears_away() -> None:
    opened = OpenSandbox()
    environment = {**os.environ, **opened.sandbox.mark}
    with subprocess.Popen(["sleep", "1000"], env=environment) as started:
        os.kill(opened._reaper.pid, signal.SIGKILL)
        opened.close()
        assert started.wait() == -signal.SIGKILL
    assert not opened.sandbox.home.exists()


def test_a_process_that_has_overwritten_its_environment_is_found_by_its_parent() -> None:
    opened = OpenSandbox()
    environment = {**os.environ, **opened.sandbox.mark}
    command = [sys.executable, "-c", _TITLED]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as started:
        assert started.stdout is not None
        child = int(started.stdout.readline())
        assert child not in processes_with(f"{MARK}={opened.sandbox.mark[MARK]}")
        opened.close()
        assert started.wait() == -signal.SIGKILL
    assert not is_running(child)


def test_the_number_is_free_again_only_when_all_is_cleared_away() -> None:
    opened, other = OpenSandbox(), OpenSandbox()
    assert opened.sandbox.number != other.sandbox.number
    opened.close()
    another = OpenSandbox()
    assert another.sandbox.number != other.sandbox.number
    other.close()
    another.close()
