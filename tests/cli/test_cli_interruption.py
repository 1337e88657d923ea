"""Stopped in the middle, in every way: what is known is written, nothing is left running, the next detect goes on."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

Write = Callable[[dict[str, str]], None]
Unknot = Callable[..., subprocess.CompletedProcess[str]]

# Slow enough to be met in the middle, and with something to find.
SLOW = """
    import os, time, pytest
    done = []
    with open(os.environ["SLOW_LOG"], "a"):
        pass
    log = os.open(os.environ["SLOW_LOG"], os.O_WRONLY | os.O_APPEND)

    def test_sets(): done.append(1)

    @pytest.mark.parametrize("number", range(4))
    def test_slow(number):
        os.write(log, b"x")
        time.sleep(0.05)

    def test_needs(): assert done
"""


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SLOW_LOG", str(tmp_path / "log"))
    return tmp_path / "log"


@pytest.fixture
def detecting(project: Path, write: Write, log: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts `unknot detect` and returns when tests have been running for a while."""
    started: list[subprocess.Popen[str]] = []
    write({"test_it.py": SLOW})

    def start(*arguments: str, until: int = 14) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "unknot", "detect", "--no-trace", "-n", "2", *arguments],
            cwd=project,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        while process.poll() is None and (not log.exists() or log.stat().st_size < until):
            time.sleep(0.01)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def still_running(mark: str) -> list[str]:
    """Command lines of processes with this in their environment; leaves the kernel a moment to bury the killed."""
    found: list[str] = []
    for _ in range(200):
        found = []
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and entry.name != str(os.getpid()):
                    environment = (entry / "environ").read_bytes()
                    if mark.encode() in environment:
                        found.append((entry / "cmdline").read_text())
            except OSError:
                continue
        if not found:
            return []
        time.sleep(0.02)
    return found


def assert_sound(journal: Path) -> int:
    """How many runs it holds."""
    connection = sqlite3.connect(journal)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        (count,) = connection.execute("SELECT count(*) FROM runs").fetchone()
        return int(count)
    finally:
        connection.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "cancelled"])
@pytest.mark.parametrize("runner", ["fork", "fresh"])
def test_an_interrupted_detect_writes_what_it_knows_and_the_next_goes_on(
    detecting: Callable[..., subprocess.Popen[str]],
    unknot: Unknot,
    project: Path,
    log: Path,
    number: signal.Signals,
    runner: str,
) -> None:
    if runner == "fresh" and number == signal.SIGTERM:
        pytest.skip("the same way out as ctrl-c, at a higher price")
    # The reference order is slower than one test alone, so by then it is in the journal.
    process = detecting("--runner", runner, until=14)
    process.send_signal(number)
    _, talk = process.communicate(timeout=60)
    assert process.returncode == 2, talk
    assert "Traceback" not in talk
    assert still_running(str(log)) == []
    lock = json.loads((project / "unknot.lock.json").read_text())
    assert lock["complete"] is False
    known = assert_sound(project / ".unknot" / "journal.sqlite3")
    assert known > 0

    if runner == "fork":
        done = unknot("detect", "-q", "--format", "json", "--runner", runner)
        found = json.loads(done.stdout)
        assert (done.returncode, found["complete"]) == (1, True)
        assert [need["dependent"] for need in found["needs"]] == ["test_it.py::test_needs"]
        again = json.loads(unknot("detect", "-q", "--format", "json", "--no-cache").stdout)
        assert found["cost"]["orders"] < again["cost"]["orders"]


def test_a_detect_interrupted_while_it_collects_says_so(project: Path, write: Write, log: Path) -> None:
    write({"conftest.py": "import os, time\nopen(os.environ['SLOW_LOG'], 'w').write('x' * 99)\ntime.sleep(1000)"})
    command = [sys.executable, "-m", "unknot", "detect"]
    with subprocess.Popen(command, cwd=project, stderr=subprocess.PIPE, text=True) as process:
        while not log.exists():
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, talk = process.communicate(timeout=60)
    assert process.returncode == 2, talk
    assert talk.splitlines() == ["unknot: interrupted"]
    assert still_running(str(log)) == []


@pytest.mark.parametrize("runner", ["fork", "fresh"])
def test_a_killed_detect_leaves_no_process_and_a_sound_journal(
    detecting: Callable[..., subprocess.Popen[str]], unknot: Unknot, project: Path, log: Path, runner: str
) -> None:
    process = detecting("--runner", runner, until=14)
    process.kill()
    process.communicate(timeout=60)
    assert still_running(str(log)) == []
    assert assert_sound(project / ".unknot" / "journal.sqlite3") > 0
    if runner == "fork":
        assert unknot("detect", "-q").returncode == 1


def test_two_detects_at_once_find_the_same(detecting: Callable[..., subprocess.Popen[str]], project: Path) -> None:
    both = [detecting("--format", "json", until=0), detecting("--format", "json", until=0)]
    output = [process.communicate(timeout=120) for process in both]
    assert [process.returncode for process in both] == [1, 1], output
    found = [json.loads(out) for out, _ in output]
    assert found[0]["needs"] == found[1]["needs"]
    assert assert_sound(project / ".unknot" / "journal.sqlite3") > 0
    assert json.loads((project / "unknot.lock.json").read_text())["needs"] == found[0]["needs"]


def test_an_interrupted_run_tells_what_it_knows(unknot: Unknot, project: Path, write: Write, log: Path) -> None:
    write({"test_it.py": SLOW})
    assert unknot("detect", "-q").returncode == 1
    log.write_bytes(b"")
    write({"test_it.py": SLOW.replace("time.sleep(0.05)", "time.sleep(0.5 if number < 2 else 1000)")})
    command = [sys.executable, "-m", "unknot", "run", "-n", "1"]
    with subprocess.Popen(command, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while log.stat().st_size < 2:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, talk = process.communicate(timeout=60)
    assert process.returncode == 2, talk
    assert "not run" in out
    assert still_running(str(log)) == []


def test_a_run_that_is_interrupted_counts_what_had_run(project: Path, write: Write, unknot: Unknot) -> None:
    fast = "".join(f"def test_{number}(): pass\n" for number in range(6))
    write({"test_it.py": f"import time, os\n{fast}def test_slow(): time.sleep(float(os.environ.get('NAP', '0')))\n"})
    assert unknot("detect", "-q").returncode == 0
    process = subprocess.Popen(
        [sys.executable, "-m", "unknot", "run", "-n", "1"],
        cwd=project,
        env={**os.environ, "NAP": "60", "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    before = ""
    while not before.endswith("......"):
        before += process.stdout.read(1)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert "Interrupted: 1 test had not run yet" in output
    assert "6 passed in" in output
    assert process.returncode == 2
