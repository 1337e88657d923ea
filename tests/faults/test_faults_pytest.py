"""pytest suites that do what no suite should: the result is as right as for any other, or there is a clear error."""

import os
import signal
from pathlib import Path

import pytest
from planted_project import Project
from small_disk import mounted

from unknot.store.lock import read_lock

_SUITE = """
state = []

def test_sets(): state.append(1)
def test_needs(): assert state
"""

_NEEDS = {("needs", "test_it.py::test_needs", "test_it.py::test_sets")}


def _has_reasons(project: Project) -> list[bool]:
    return [bool(need.why) for need in read_lock(project.directory / "unknot.lock.json").needs]


@pytest.mark.slow
def test_a_test_may_write_to_all_descriptors_and_leave_special_files(project: Project) -> None:
    project.write(
        "test_it.py",
        f"""
import os, socket

def test_writes_to_the_descriptors_of_others():
    for number in map(int, os.listdir("/proc/self/fd")):
        if number > 2:
            try:
                os.write(number, b'garbage\\n{{"event": 1}}\\n[1]\\nnull\\n{{"did": 3}}\\n')
            except OSError:
                pass

def test_makes_special_files():
    os.mkfifo("fifo")
    socket.socket(socket.AF_UNIX).bind("socket")
    os.makedirs("closed/inner")
    os.chmod("closed/inner", 0)
    os.chmod("closed", 0)

{_SUITE}
""",
    )
    done = project.detect()
    assert done.returncode == 1, done.stderr
    assert project.graph == _NEEDS
    assert _has_reasons(project) == [True]
    assert "a test wrote to its file" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("end", ["os.kill(os.getpid(), 9)", "time.sleep(1000)", "1 / 0"])
def test_what_happens_at_the_end_of_a_session_changes_nothing(project: Project, end: str) -> None:
    project.write("conftest.py", f"import os, time\n\ndef pytest_sessionfinish(session): {end}\n")
    project.write("test_it.py", _SUITE)
    done = project.detect("--timeout", "5")
    assert done.returncode == 1, done.stderr
    assert project.graph == _NEEDS
    assert _has_reasons(project) == [True]


@pytest.mark.parametrize(
    ("conftest", "code", "told"),
    [
        ("import os\nos.kill(os.getpid(), 9)", 12, "killed by SIGKILL each time"),
        ("import os\nos._exit(1)", 12, "status 1"),
        ("import os\nos._exit(4)", 12, "status 4"),
        ("def pytest_sessionstart(session): raise RuntimeError('out of order')", 3, "out of order"),
        ("import pytest\ndef pytest_sessionstart(session): pytest.exit('out of order', 1)", 12, "out of order"),
        ("def pytest_runtest_logreport(report): raise RuntimeError('out of order')", 12, "every test ended"),
    ],
)
def test_a_conftest_that_lets_no_test_run_is_a_clear_error(
    project: Project, conftest: str, code: int, told: str
) -> None:
    project.write("conftest.py", conftest)
    project.write("test_it.py", _SUITE)
    done = project.detect_here("--no-trace")
    project.check_clear_error(done, code)
    assert told in done.stderr
    assert not (project.directory / "unknot.lock.json").exists()


def test_a_kill_while_the_suite_is_collected_or_recorded_is_made_good(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flags = tmp_path / "flags"
    flags.mkdir()
    project.write(
        "conftest.py",
        f"""
import os

def _die_once(name):
    try:
        os.mkdir(os.path.join({str(flags)!r}, name))
    except FileExistsError:
        return
    os.kill(os.getpid(), {signal.SIGKILL})

_die_once("collected")

def pytest_runtest_setup(item):
    if item.config.pluginmanager.has_plugin("unknot-recorder"):
        _die_once("recorded")
""",
    )
    monkeypatch.setenv("UNKNOT_SHARED", str(flags))
    project.write("test_it.py", _SUITE)
    done = project.detect_here("--trace")
    assert done.returncode == 1, done.stderr
    assert set(os.listdir(flags)) == {"collected", "recorded"}
    assert "left out" not in done.stderr
    assert _has_reasons(project) == [True]


@pytest.mark.parametrize("size", ["4k", "200k", "1300k"])
def test_a_disk_that_is_nearly_full_is_told_and_no_test_is_blamed(project: Project, size: str) -> None:
    project.write("test_it.py", _SUITE + "def test_writes(tmp_path): (tmp_path / 'big').write_bytes(bytes(400_000))\n")
    above = project.temporary
    with mounted(above / "small", f"size={size}") as directory:
        project.temporary = directory
        done = project.detect_here("--no-trace")
        project.check_clear_error(done)
        assert "No space left" in done.stderr or "is full" in done.stderr
        project.check_nothing_left()
        project.temporary = above
    assert not (project.directory / "unknot.lock.json").exists()
