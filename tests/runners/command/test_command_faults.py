"""What comes from outside: kills, lost instances, full disks. Never a wrong verdict."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_disk import mounted

from unknot.model.errors import RunnerError
from unknot.runners.sut.spec import InstanceSpec, ResetSpec

pytestmark = pytest.mark.slow

SERVER = """
import os, socket, sys
server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    with server.accept()[0] as connection:
        received = connection.recv(100)
        if received == b"die":
            os._exit(1)
        if received:
            connection.sendall(b"fine")
"""
CLIENT = """
import os, socket, sys
test = sys.argv[1]
if test == "pass": sys.exit(0)
try:
    with socket.create_connection(("127.0.0.1", int(os.environ["UNKNOT_PORT_0"])), timeout=5) as connection:
        connection.sendall(b"die" if test == "kill" else b"look")
        is_fine = connection.recv(100) == b"fine"
except OSError:
    is_fine = False
sys.exit(0 if test == "kill" or is_fine else 1)
"""


@contextmanager
def killing(mark: str, chosen: random.Random) -> Iterator[None]:
    """Meanwhile, kills two of the processes that have this in their environment, whichever they are, some time."""
    done = threading.Event()

    def kill() -> None:
        for _ in range(2):
            done.wait(chosen.uniform(0.0, 0.4))
            if victims := list(_marked(mark)):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(chosen.choice(victims), signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _marked(mark: str) -> Iterator[int]:
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                if mark.encode() in Path(f"/proc/{name}/environ").read_bytes().split(b"\0"):
                    yield int(name)
            except OSError:
                continue


@pytest.mark.parametrize("kind", ["lines", "junit", "one by one"])
def test_kills_at_random_change_no_outcome(workshop: Any, ask: Any, kind: str) -> None:
    if kind == "one by one":
        script = 'sleep 0.02; case "$1" in set) touch x;; need*) test -e x;; fail) exit 1;; esac'
        slot = workshop.one_by_one(script)
    else:
        workshop.does(need1="need:x", need2="need:x", set="set:x", wait="sleep:0.05")
        slot = workshop.together(kind)
    orders = {
        ("need1", "set", "wait", "need2", "fail"): ["failed", "passed", "passed", "passed", "failed"],
        ("need1", "wait", "need2"): ["failed", "passed", "failed"],
        ("set", "wait", "need1"): ["passed", "passed", "passed"],
    }
    mark = f"UNKNOT_SLOT={slot._workspace.environment['UNKNOT_SLOT']}"
    chosen = random.Random(7)
    for _ in range(2):
        for order, expected in orders.items():
            with killing(mark, chosen):
                assert ask(slot, *order) == expected


def _serving(workshop: Any) -> InstanceSpec:
    (workshop.directory / "server.py").write_text(SERVER)
    return InstanceSpec(
        start=(sys.executable, "-S", "server.py", "{port0}"), ready=("port",), ports=1, reset=ResetSpec("restart")
    )


def test_a_test_that_ends_the_instance_has_crashed_one_by_one(workshop: Any, ask: Any) -> None:
    (workshop.directory / "client.py").write_text(CLIENT)
    table = {"run": [sys.executable, "-S", "client.py", "{test}"]}
    slot = workshop.slot(table, _serving(workshop))
    assert ask(slot, "look", "pass") == ["passed", "passed"]
    assert ask(slot, "look", "kill", "pass", "look too") == ["passed", "crashed", "not-run", "not-run"]
    assert ask(slot, "look") == ["passed"]


def test_a_test_that_ends_the_instance_has_crashed_in_a_group(workshop: Any, ask: Any) -> None:
    (workshop.directory / "client.py").write_text(CLIENT)
    (workshop.directory / "all.sh").write_text(
        f'for t in "$@"; do if {sys.executable} -S client.py "$t"; then echo passed $t; else echo failed $t; fi; done'
    )
    table = {"run": "sh all.sh {tests}", "results": "lines", "pattern": "(?P<outcome>.*?) (?P<test>.*)"}
    slot = workshop.slot(table, _serving(workshop))
    assert ask(slot, "look", "kill", "pass", "look too") == ["passed", "crashed", "not-run", "not-run"]
    assert ask(slot, "look", "pass") == ["passed", "passed"]


def test_an_instance_that_is_killed_once_changes_no_outcome(workshop: Any, ask: Any) -> None:
    (workshop.directory / "client.py").write_text(CLIENT)
    script = f"sleep 0.1; {sys.executable} -S client.py look"
    slot = workshop.one_by_one(script, _serving(workshop))
    assert ask(slot, "a") == ["passed"]
    done = threading.Event()

    def kill_server() -> None:
        time.sleep(0.05)
        for name in os.listdir("/proc"):
            if name.isdigit() and b"server.py" in _command_line(name) and _is_ours(name, slot):
                os.kill(int(name), signal.SIGKILL)
        done.set()

    thread = threading.Thread(target=kill_server)
    thread.start()
    assert ask(slot, "a", "b", "c") == ["passed", "passed", "passed"]
    thread.join()
    assert done.is_set()


def _command_line(pid: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _is_ours(pid: str, slot: Any) -> bool:
    return int(pid) in set(_marked(f"UNKNOT_SLOT={slot._workspace.environment['UNKNOT_SLOT']}"))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    with mounted(tmp_path / "small", "size=6m,nr_inodes=200") as directory:
        yield directory


@pytest.mark.parametrize(
    "fill",
    [
        'dd if=/dev/zero of="$TMPDIR/big" bs=1M count=100 2>/dev/null',
        "dd if=/dev/zero of=big bs=1M count=100 2>/dev/null",
        'i=0; while touch "$UNKNOT_DIR/$i" 2>/dev/null; do i=$((i+1)); done; false',
    ],
)
def test_a_full_disk_is_an_error_and_no_failed_test(workshop: Any, ask: Any, small_disk: Path, fill: str) -> None:
    workshop.faults = small_disk / "faults"
    slot = workshop.one_by_one(f'case "$1" in fill) {fill} ;; esac')
    assert ask(slot, "pass") == ["passed"]
    with pytest.raises(RunnerError, match=r"the disk of .* is full"):
        ask(slot, "pass", "fill", "pass")


def test_a_disk_that_is_full_before_is_an_error_too(workshop: Any, ask: Any, small_disk: Path) -> None:
    workshop.faults = small_disk / "faults"
    run = [sys.executable, "-IS", "runner.py", "tap", "-", "--file", "{tests_file}"]
    slot = workshop.slot({"run": run, "results": "tap"})
    with contextlib.suppress(OSError), open(small_disk / "stuff", "wb", buffering=0) as file:
        while file.write(b"x" * 4096):
            pass
    with pytest.raises(RunnerError, match="is full"):
        ask(slot, "pass:1", "pass:2")


INTERRUPTED = """
import sys
from pathlib import Path
from unknot.runners.command.config import command_spec
from unknot.runners.command.slot import CommandSlotSpec
from unknot.runners.sandbox.sandbox import Sandbox
from unknot.runners.settings import Settings

project, home, seconds = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
spec = command_spec({"tests": ["a"], "run": ["sh", "-c", f"sleep {seconds}", "{test}"]}, "here")
slot = CommandSlotSpec(spec, None, Settings(directory=project, timeout=1000.0)).open(Sandbox(home, 0, {}))
try:
    list(slot.answer([("a",)], shares=False))
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.stdin.readline()
finally:
    slot.close()
"""


def test_a_run_that_is_interrupted_leaves_nothing_running(tmp_path: Path, sleeping: Any) -> None:
    # A number of our own: this test may run elsewhere on the machine at the same time.
    seconds = f"65432.{os.getpid()}"
    project = tmp_path / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text("")
    # In a process of its own: what a signal does to a process that runs tests is that process's affair.
    command = [sys.executable, "-c", INTERRUPTED, str(project), str(tmp_path / "home"), seconds]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        while not sleeping(seconds):
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        # The process is still there, so nothing else has ended what it started.
        assert sleeping(seconds) == []
        process.communicate("go\n")
    assert process.returncode == 0


def test_a_slot_in_the_users_own_tree_works_too(workshop: Any, ask: Any) -> None:
    workshop.settings = replace(workshop.settings, workdir="shared")
    slot = workshop.one_by_one('test "$PWD" = "$1" && touch seen')
    assert ask(slot, str(workshop.directory)) == ["passed"]
    assert (workshop.directory / "seen").exists()
