"""Programs as they are: deaf to signals, detached, short-lived, chatty."""

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from unknot.model.errors import RunnerError
from unknot.runners.sut import program
from unknot.runners.sut.instance import Instance

Open = Callable[..., Instance]
Marked = Callable[[], list[int]]
Script = Callable[[str, str], list[str]]

LISTENER = """
    import os, signal, socket, subprocess, sys, time

    def listen():
        server = socket.socket()
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind(("127.0.0.1", int(os.environ["UNKNOT_PORT_0"])))
        server.listen()
        while True:
            server.accept()[0].close()
"""


@pytest.fixture(autouse=True)
def little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some of these do not end when they are requested to; the tests need not wait long for that."""
    monkeypatch.setattr(program, "_GRACE", 0.5)
    monkeypatch.setattr(program, "_LITTLE_GRACE", 0.1)


def wait_for_end(pid: int) -> None:
    """A process that its parent has not fetched yet has ended, too."""
    for _ in range(1000):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return
        if state == "Z":
            return
        time.sleep(0.02)
    pytest.fail(f"process {pid} lives on")


def listening(opened: Open, words: list[str], **more: object) -> Instance:
    return opened(start=words, ports=1, ready="port", ready_seconds=20, **more)


def test_a_program_may_be_deaf(opened: Open, script: Script, marked: Marked) -> None:
    words = script("deaf.py", LISTENER + "    signal.signal(signal.SIGTERM, signal.SIG_IGN)\n    listen()\n")
    instance = listening(opened, words)
    instance.begin()
    first = marked()
    instance.reset()
    assert first
    assert not set(first) & set(marked())
    instance.stop()
    assert marked() == []


def test_children_in_sessions_of_their_own_are_ended_too(opened: Open, script: Script, marked: Marked) -> None:
    child = "[sys.executable, '-c', 'import time; time.sleep(600)']"
    text = f"    for _ in range(3):\n        subprocess.Popen({child}, start_new_session=True)\n    listen()\n"
    instance = listening(opened, script("parent.py", LISTENER + text))
    instance.begin()
    assert len(marked()) == 4
    instance.stop()
    assert marked() == []


def test_children_are_ended_that_have_lost_the_mark(opened: Open, script: Script, work: Path) -> None:
    child = "['env', '-i', sys.executable, '-c', 'import time; time.sleep(600)']"
    text = f"    child = subprocess.Popen({child}, start_new_session=True)\n"
    text += "    print(child.pid, file=open('pid', 'w'), flush=True)\n    listen()\n"
    instance = listening(opened, script("parent.py", LISTENER + text))
    instance.begin()
    pid = int((work / "pid").read_text())
    os.kill(pid, 0)
    instance.stop()
    wait_for_end(pid)


DAEMON = (
    LISTENER
    + """
    if os.fork():
        # The first process ends when the port is open.
        for _ in range(1000):
            try:
                socket.create_connection(("127.0.0.1", int(os.environ["UNKNOT_PORT_0"]))).close()
                sys.exit(0)
            except OSError:
                time.sleep(0.01)
        sys.exit(1)
    os.setsid()
    if os.fork():
        os._exit(0)
    listen()
"""
)


def test_a_program_may_put_itself_into_the_background(opened: Open, script: Script, marked: Marked) -> None:
    instance = listening(opened, script("daemon.py", DAEMON), daemon=True)
    instance.begin()
    [pid] = marked()
    assert instance.is_alive()
    os.kill(pid, signal.SIGKILL)
    wait_for_end(pid)
    assert not instance.is_alive()
    instance.reset()
    assert instance.is_alive()
    assert marked() != [pid]
    instance.stop()
    assert marked() == []


SHEDS_ITS_ENVIRONMENT = """
    import os, subprocess, sys
    sleeping = subprocess.Popen(["sleep", "60"], env={}, start_new_session=True)
    print(sleeping.pid, file=open("pid", "w"))
    os._exit(0)
"""


def test_a_daemon_that_could_not_be_found_again_needs_a_stop_command(opened: Open, script: Script, work: Path) -> None:
    start = script("shed.py", SHEDS_ITS_ENVIRONMENT)
    try:
        with pytest.raises(RunnerError, match="no process that can be found") as caught:
            opened(start=start, daemon=True).begin()
    finally:
        os.kill(int((work / "pid").read_text()), signal.SIGKILL)
    assert "`stop`" in caught.value.hint
    instance = opened(start=start, stop=["sh", "-c", "kill $(cat pid)"], daemon=True)
    instance.begin()
    pid = int((work / "pid").read_text())
    assert instance.is_alive()
    instance.stop()
    wait_for_end(pid)


def test_a_daemon_that_was_not_declared_is_explained(opened: Open, script: Script, marked: Marked) -> None:
    with pytest.raises(RunnerError, match="ended with status 0") as caught:
        opened(start=script("daemon.py", DAEMON), ports=1, ready=["sh", "-c", "sleep 0.2; false"]).begin()
    assert "daemon = true" in caught.value.hint
    assert marked() == []


def test_a_daemon_that_fails_to_start_is_reported(opened: Open) -> None:
    reported = r"(?s)start command of the instance, `sh`, ended with status 4.*no licence"
    with pytest.raises(RunnerError, match=reported) as caught:
        opened(start="sh -c 'echo no licence; exit 4'", daemon=True).begin()
    assert "by hand" in caught.value.hint


def test_a_start_command_that_never_returns_is_ended(opened: Open, marked: Marked) -> None:
    with pytest.raises(RunnerError, match="took longer than") as caught:
        opened(start="sleep 600", daemon=True, ready_seconds=0.3).begin()
    assert "is no daemon" in caught.value.hint
    assert marked() == []


def test_a_stop_command_ends_it(opened: Open, script: Script, work: Path, marked: Marked) -> None:
    text = "    import pathlib\n    pathlib.Path('pid').write_text(str(os.getpid()))\n"
    text += "    signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    text += "    bye = lambda *_: (print('bye', file=open('ended', 'w'), flush=True), os._exit(0))\n"
    text += "    signal.signal(signal.SIGINT, bye)\n"
    words = script("server_with_pid.py", LISTENER + text + "    listen()\n")
    instance = listening(opened, words, stop="sh -c 'kill -INT $(cat pid)'")
    instance.begin()
    instance.stop()
    assert (work / "ended").read_text() == "bye\n"
    assert marked() == []


@pytest.mark.parametrize("stop", ["false", "no-such-program", "sh -c 'kill -9 $$'"])
def test_a_stop_command_that_fails_leaves_nothing(
    opened: Open, server: dict[str, object], marked: Marked, stop: str
) -> None:
    instance = opened(**server, stop=stop)
    instance.begin()
    instance.stop()
    assert marked() == []


def test_a_program_that_replaces_itself_stays_the_same(opened: Open, script: Script) -> None:
    text = "    if len(sys.argv) == 1:\n"
    text += "        os.execv(sys.executable, [sys.executable, __file__, 'again'])\n    listen()\n"
    instance = listening(opened, script("again.py", LISTENER + text))
    instance.begin()
    assert instance.is_alive()


def test_a_program_that_ends_at_once_is_reported_with_its_last_words(opened: Open, marked: Marked) -> None:
    start = [sys.executable, "-c", "import sys; print('x' * 10_000_000); print('cannot find the moon'); sys.exit(5)"]
    with pytest.raises(RunnerError, match=r"(?s)ended with status 5.*cannot find the moon") as caught:
        opened(start=start, ports=1, ready="port").begin()
    assert len(caught.value.message) < 2000
    assert caught.value.hint
    assert marked() == []


def test_a_program_killed_by_a_signal_is_reported_as_such(opened: Open) -> None:
    with pytest.raises(RunnerError, match="ended by signal SIGSEGV"):
        opened(start="sh -c 'kill -SEGV $$'", ports=1, ready="port").begin()


def test_a_program_that_is_never_ready_is_reported(opened: Open, marked: Marked) -> None:
    with pytest.raises(
        RunnerError, match=r"(?s)not ready after 0.4 seconds \(checked: port; nothing listens.*still warm"
    ) as caught:
        opened(start="sh -c 'echo still warming up; sleep 600'", ports=1, ready="port", ready_seconds=0.4).begin()
    assert "ready-seconds" in caught.value.hint
    assert marked() == []


def test_a_program_that_is_not_there_is_named(opened: Open) -> None:
    with pytest.raises(RunnerError, match="cannot run `no-such-server` for the instance: there is no such program"):
        opened(start="no-such-server --port {port0}", ports=1).begin()


def test_a_log_does_not_grow_for_ever(opened: Open, script: Script, tmp_path: Path) -> None:
    text = "    print('y' * 20_000_000, flush=True)\n    print('the end', flush=True)\n    listen()\n"
    instance = listening(opened, script("chatty.py", LISTENER + text), reset={"kind": "command", "run": "true"})
    instance.begin()
    log = tmp_path / "home" / "instance" / "log"
    assert log.stat().st_size > 20_000_000
    instance.reset()
    assert log.stat().st_size < 100_000
    assert instance.story().endswith("the end")


def test_what_the_preparation_left_running_goes_with_the_instance(opened: Open, script: Script, marked: Marked) -> None:
    words = script("helper.py", "import subprocess\nsubprocess.Popen(['sleep', '600'], start_new_session=True)\n")
    instance = opened(prepare=words)
    instance.begin()
    deadline = time.monotonic() + 20
    while not marked() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert marked()
    instance.stop()
    assert marked() == []
