"""The system under test in trouble: killed, its port taken, its reset not what it says."""

import contextlib
import os
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from planted_project import TRUTH, Project, running
from planted_server import COMMAND, HTTP_RESET, instance, write_server

pytestmark = pytest.mark.slow

FEW = ("make", "uses", "spoil", "clean", "victim")
TRUTH_OF_FEW = {edge for edge in TRUTH if edge[1] != "uses_both"}

PREPARE = """
import os, sys, time
number, meeting = sys.argv[1], os.environ["MEETING"]
open(f"{meeting}/{number}.new", "w").close()
os.rename(f"{meeting}/{number}.new", f"{meeting}/{number}.wanted")
for _ in range(4000):
    if not os.path.exists(f"{meeting}/{number}.wanted"): break
    time.sleep(0.005)
else: sys.exit("nobody came")
"""


def test_a_server_that_is_killed_at_random_changes_no_edge(project: Project) -> None:
    write_server(project.directory)
    project.configure(COMMAND, instance(HTTP_RESET))
    project.environment["PAUSE"] = "0.005"
    with project.killing(running("server.py", beside="client.py"), 8, 0.2, seed=3) as killed:
        project.detected()
    assert len(killed) > 3
    assert project.graph == TRUTH


@contextmanager
def taking_ports(meeting: Path, every: int) -> Iterator[list[int]]:
    """Meanwhile, listens on every so-manieth port that an instance has chosen, before its program is started."""
    done = threading.Event()
    taken: list[int] = []
    held = contextlib.ExitStack()

    def meet() -> None:
        number = 0
        while not done.wait(0.002):
            for wanted in meeting.glob("*.wanted"):
                number += 1
                if number % every == 0:
                    stranger = held.enter_context(socket.socket())
                    stranger.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                    stranger.bind(("127.0.0.1", int(wanted.stem)))
                    stranger.listen()
                    taken.append(int(wanted.stem))
                wanted.unlink()

    thread = threading.Thread(target=meet)
    thread.start()
    try:
        with held:
            yield taken
    finally:
        done.set()
        thread.join()


def test_ports_that_others_take_before_the_start_change_no_edge(project: Project, tmp_path: Path) -> None:
    meeting = tmp_path / "meeting"
    meeting.mkdir()
    write_server(project.directory)
    project.write("prepare.py", PREPARE)
    prepare = f'prepare = ["{sys.executable}", "-IS", "prepare.py", "{{port0}}"]\n'
    project.configure(COMMAND, instance('reset = "restart"\n', more=prepare), FEW)
    project.environment["MEETING"] = str(meeting)
    with taking_ports(meeting, every=4) as taken:
        project.detected()
    assert len(taken) > 3
    assert project.graph == TRUTH_OF_FEW


def test_a_port_that_stays_busy_after_each_stop_changes_no_edge(project: Project) -> None:
    write_server(project.directory)
    project.environment["LINGERS"] = "1"
    project.configure(COMMAND, instance('reset = "restart"\n'), FEW)
    project.detected()
    assert project.graph == TRUTH_OF_FEW


def test_all_ports_taken_is_an_error_that_says_so(project: Project, tmp_path: Path) -> None:
    meeting = tmp_path / "meeting"
    meeting.mkdir()
    write_server(project.directory)
    project.write("prepare.py", PREPARE)
    prepare = f'prepare = ["{sys.executable}", "-IS", "prepare.py", "{{port0}}"]\n'
    project.configure(COMMAND, instance('reset = "restart"\n', more=prepare), FEW)
    project.environment["MEETING"] = str(meeting)
    with taking_ports(meeting, every=1):
        done = project.detect()
    project.check_clear_error(done)
    assert "ports were taken by others" in done.stderr


def test_a_reset_that_forgets_something_is_noticed_and_the_tests_are_named(project: Project) -> None:
    write_server(project.directory)
    project.configure(COMMAND, instance(HTTP_RESET, forgets="left"), ("make", "uses", "fragile", "leaves"))
    done = project.detect()
    project.check_clear_error(done)
    assert "does not reset: fragile (passed on a new instance, failed after it)" in done.stderr
    assert "leaves" not in done.stderr.split("does not reset")[1].split("\n")[0]
    assert not (project.directory / "unknot.lock.json").exists()


def test_a_flaky_test_is_not_taken_for_a_reset_that_forgets(project: Project, tmp_path: Path) -> None:
    write_server(project.directory)
    project.configure(COMMAND, instance(HTTP_RESET), ("make", "uses", "flaky"))
    project.environment["COUNTED"] = str(tmp_path / "counted")
    done = project.detect()
    assert done.returncode == 1, done.stderr
    assert project.graph == {("needs", "uses", "make")}
    assert "flaky" in done.stdout
    assert os.stat(tmp_path / "counted").st_size > 2
