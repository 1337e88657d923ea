"""Commands are started, waited for, and leave nothing behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from unknot.model.errors import UsageError
from unknot.runners.command.launcher import Launcher, LauncherLost

Sleeping = Callable[[str], list[int]]


@pytest.fixture
def launcher() -> Iterator[Launcher]:
    launcher = Launcher({"UNKNOT_SLOT": "launcher-test"})
    yield launcher
    launcher.close()


def start(launcher: Launcher, directory: Path, *words: str, sweeps: bool = True) -> None:
    output = directory / "output"
    launcher.start(words, directory, dict(os.environ), output, output, sweeps=sweeps)


def test_statuses_and_signals(launcher: Launcher, tmp_path: Path) -> None:
    for script, status in (("exit 0", 0), ("exit 7", 7), ("kill -9 $$", -9), ("kill -15 $$", -15)):
        start(launcher, tmp_path, "sh", "-c", script)
        assert launcher.wait(20) == status


def test_where_it_runs_and_what_it_prints(launcher: Launcher, tmp_path: Path) -> None:
    start(launcher, tmp_path, "sh", "-c", "pwd; echo problem >&2; cat")
    assert launcher.wait(20) == 0
    assert (tmp_path / "output").read_text() == f"{tmp_path}\nproblem\n"


def test_signals_are_as_in_a_terminal(launcher: Launcher, tmp_path: Path) -> None:
    start(launcher, tmp_path, "grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status")
    assert launcher.wait(20) == 0
    found = [int(line.split()[1], 16) for line in (tmp_path / "output").read_text().splitlines()]
    assert [mask & 0x7FFFFFFF for mask in found] == [0, 0]


def test_a_process_that_hides_is_found(launcher: Launcher, tmp_path: Path, sleeping: Sleeping) -> None:
    hidden = "setsid sleep 43210.1 & env -i /bin/sleep 43210.1 & (setsid env -i sh -c 'sleep 43210.1 & wait' &)"
    start(launcher, tmp_path, "sh", "-c", f"trap '' TERM; {hidden}; sleep 0.2")
    assert launcher.wait(20) == 0
    assert not launcher.has_leftovers()
    assert sleeping("43210.1") == []


def test_leftovers_stay_until_they_are_swept(launcher: Launcher, tmp_path: Path, sleeping: Sleeping) -> None:
    start(launcher, tmp_path, "sh", "-c", "sleep 43210.2 &", sweeps=False)
    assert launcher.wait(20) == 0
    assert launcher.has_leftovers()
    launcher.sweep()
    assert not launcher.has_leftovers()
    assert sleeping("43210.2") == []


def test_one_that_still_runs_can_be_swept(launcher: Launcher, tmp_path: Path, sleeping: Sleeping) -> None:
    start(launcher, tmp_path, "sleep", "43210.3")
    assert launcher.wait(0.05) is None
    launcher.sweep()
    assert sleeping("43210.3") == []
    start(launcher, tmp_path, "true")
    assert launcher.wait(20) == 0


def test_a_sweep_that_crosses_the_end_of_the_command(launcher: Launcher, tmp_path: Path) -> None:
    for _ in range(30):
        start(launcher, tmp_path, "true")
        launcher.sweep()
        start(launcher, tmp_path, "false")
        assert launcher.wait(20) == 1


@pytest.mark.parametrize("program", ["no-such-program", "./not-executable", "/", "./directory"])
def test_what_cannot_be_started(launcher: Launcher, tmp_path: Path, program: str) -> None:
    (tmp_path / "not-executable").write_text("")
    (tmp_path / "directory").mkdir()
    start(launcher, tmp_path, program)
    with pytest.raises(UsageError, match="cannot be started"):
        launcher.wait(20)
    start(launcher, tmp_path, "true")
    assert launcher.wait(20) == 0


@pytest.mark.parametrize("words", [["b" * 140_000], ["b" * 100_000] * (os.sysconf("SC_ARG_MAX") // 100_000 + 1)])
def test_a_word_or_a_line_that_is_too_long(launcher: Launcher, tmp_path: Path, words: list[str]) -> None:
    start(launcher, tmp_path, "true", "b" * 100_000)
    assert launcher.wait(20) == 0
    start(launcher, tmp_path, "true", *words)
    with pytest.raises(UsageError, match="longer than this system allows"):
        launcher.wait(20)


def test_a_lost_launcher_is_reported_and_replaced(launcher: Launcher, tmp_path: Path) -> None:
    start(launcher, tmp_path, "sh", "-c", "kill -9 $PPID; sleep 0.2")
    with pytest.raises(LauncherLost):
        launcher.wait(20)
    start(launcher, tmp_path, "true")
    assert launcher.wait(20) == 0


def test_nothing_outlives_a_caller_that_is_killed(tmp_path: Path, sleeping: Sleeping) -> None:
    program = f"""
import os, sys
from pathlib import Path
from unknot.runners.command.launcher import Launcher
launcher = Launcher({{}})
output = Path({str(tmp_path)!r}, "output")
launcher.start(["sleep", "43210.4"], Path("/"), dict(os.environ), output, output, sweeps=True)
print("started", flush=True)
launcher.wait(100)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as caller:
        assert caller.stdout is not None
        assert caller.stdout.readline() == b"started\n"
        _until(lambda: bool(sleeping("43210.4")))
        caller.send_signal(signal.SIGKILL)
    _until(lambda: not sleeping("43210.4"))


def _until(is_so: Callable[[], bool]) -> None:
    for _ in range(500):
        if is_so():
            return
        time.sleep(0.02)
    raise AssertionError("it did not happen")
