"""The end of the caller, in every way: nothing is left, and the next detection goes on from there."""

import json
import os
import pty
import re
import signal
import subprocess
import sys

import pytest
from planted_project import TRUTH, Project, edges_of
from process_life import wait_until

pytestmark = pytest.mark.slow


def begun(project: Project) -> "subprocess.Popen[str]":
    """A detection that has some orders behind it."""
    project.configure("tap")
    project.environment["PAUSE"] = "0.02"
    process = project.start()
    assert process.stderr is not None
    for line in process.stderr:
        if "alone" in line:
            break
    wait_until(lambda: len(project.processes()) > 3)
    return process


def cost(text: str) -> int:
    found = re.search(r"cost +([\d,]+) orders", text)
    assert found is not None, text
    return int(found[1].replace(",", ""))


def check_resumes(project: Project) -> None:
    project.environment["PAUSE"] = ""
    again = project.detect()
    assert again.returncode == 1, again.stderr
    assert project.graph == TRUTH
    anew = project.detect("--no-cache", "--full")
    assert cost(again.stdout) < cost(anew.stdout), "the journal was of no use"


def test_a_caller_that_is_killed_leaves_nothing_but_its_journal(project: Project) -> None:
    process = begun(project)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    project.check_nothing_left()
    check_resumes(project)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interruption_writes_what_is_known_and_leaves_nothing(project: Project, sent: signal.Signals) -> None:
    process = begun(project)
    os.killpg(process.pid, sent)
    _, errors = process.communicate()
    assert process.returncode == 2, errors
    assert "Traceback" not in errors
    assert not project.processes()
    assert not [path for path in project.temporary.iterdir() if path.name.startswith("unknot-")]
    lock = json.loads((project.directory / "unknot.lock.json").read_text())
    assert not lock["complete"]
    assert edges_of(lock) <= TRUTH
    check_resumes(project)


def test_a_terminal_that_is_closed_is_an_interruption(project: Project) -> None:
    project.configure("tap")
    environment = {**os.environ, "TMPDIR": str(project.temporary), "PLANTED": project.token, "PAUSE": "0.05"}
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(project.directory)
        os.execve(sys.executable, [sys.executable, "-m", "unknot", "detect", "-n", "2"], environment)
    told = b""
    while b"alone" not in told:
        told += os.read(terminal, 4096)
    os.close(terminal)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 2
    assert not json.loads((project.directory / "unknot.lock.json").read_text())["complete"]
