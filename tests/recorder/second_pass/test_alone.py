"""What tests leave when they run alone, in forked children of a real session."""

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

_PLUGIN = """
    import json, os, shop, signal
    import pytest
    from unknot.recorder.inside.second_pass.alone import result_alone

    def left():
        return [repr(shop.CACHE), repr(shop.SEEN)]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(session):
        handler = signal.getsignal(signal.SIGCHLD)
        seconds = float(os.environ["SECONDS"])
        answer = {item.name: result_alone(item, left, seconds=seconds) for item in session.items}
        assert signal.getsignal(signal.SIGCHLD) is handler
        with open(os.environ["ANSWER"], "w") as file:
            json.dump(answer, file)
"""
_SHOP = "CACHE = {}\nSEEN = []\n"
_CLEAN = ["{}", "[]"]


class Project:
    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.output = ""
        (directory / "runs_alone.py").write_text(textwrap.dedent(_PLUGIN))
        (directory / "shop.py").write_text(_SHOP)

    def run(self, *words: str) -> str:
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.directory),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        }
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rA", *words]
        done = subprocess.run(
            command, cwd=self.directory, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
        # The length of the rule on both sides of the last line depends on the seconds.
        return re.sub(r"=+ (.*) in [\d.]+s.*", r"\1", done.stdout + done.stderr)

    def alone(self, source: str, *words: str, seconds: float = 20) -> dict[str, Any]:
        (self.directory / "test_shop.py").write_text(textwrap.dedent(source))
        answer = self.directory / "answer.json"
        os.environ["ANSWER"], os.environ["SECONDS"] = str(answer), str(seconds)
        try:
            self.output = self.run("-p", "runs_alone", *words)
        finally:
            del os.environ["ANSWER"], os.environ["SECONDS"]
        found: dict[str, Any] = json.loads(answer.read_text())
        return found


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_each_test_begins_in_a_clean_state(project: Project) -> None:
    found = project.alone(
        """
        import shop
        def test_first():
            shop.CACHE["a"] = 1
        def test_second():
            shop.SEEN.append(len(shop.CACHE))
        """
    )
    assert found == {"test_first": ["{'a': 1}", "[]"], "test_second": ["{}", "[0]"]}
    assert "2 passed" in project.output


def test_fixtures_are_torn_down_as_in_the_suite(project: Project) -> None:
    found = project.alone(
        """
        import pytest, shop
        @pytest.fixture(scope="module")
        def whole():
            yield
            shop.SEEN.append("module")
        @pytest.fixture
        def one():
            yield
            shop.SEEN.append("function")
        def test_first(whole, one): pass
        def test_last(whole, one): pass
        """
    )
    assert found == {"test_first": ["{}", "['function']"], "test_last": ["{}", "['function', 'module']"]}


def test_a_test_that_does_not_pass_alone_gives_nothing(project: Project) -> None:
    found = project.alone(
        """
        import os, pytest, shop, signal, sys, time
        def test_passes(): pass
        def test_fails(): assert 0
        def test_is_skipped(): pytest.skip("no")
        @pytest.mark.xfail
        def test_is_expected_to_fail(): assert 0
        @pytest.mark.xfail(run=False)
        def test_is_not_run(): pass
        @pytest.fixture
        def bad():
            yield
            1 / 0
        def test_bad_end(bad): pass
        ALONE = os.getpid()
        def alone(): return os.getpid() != ALONE
        def test_leaves():
            if alone(): os._exit(0)
        def test_is_killed():
            if alone(): os.kill(os.getpid(), signal.SIGKILL)
        def test_hangs():
            if alone(): time.sleep(100)
        def test_hangs_with_a_child_that_holds_the_pipe():
            if alone() and os.fork(): os._exit(0)
            if alone(): time.sleep(100)
        def test_stops_everything():
            if alone(): pytest.exit("enough")
        def test_interrupts():
            if alone(): raise KeyboardInterrupt
        def test_closes_everything():
            if alone(): os.closerange(3, 4000)
        def test_forks_and_both_go_on():
            if alone() and os.fork() == 0: shop.SEEN.append("the child's")
        """,
        seconds=2,
    )
    good = {"test_passes", "test_is_expected_to_fail", "test_forks_and_both_go_on"}
    assert {name for name, found_alone in found.items() if found_alone is not None} == good
    assert len(found) == 14
    assert all(found[name] == _CLEAN for name in good)


@pytest.mark.parametrize("capture", ["fd", "sys", "no"])
def test_output_and_reports_are_those_of_a_plain_run(project: Project, capture: str) -> None:
    source = """
        import logging, os, sys
        print("while imported")
        os.write(1, b"straight")
        def test_talks(tmp_path, capfd):
            logging.getLogger("shop").warning("warned")
            assert tmp_path.name == "test_talks0"
            print("x" * 10_000)
            os.write(2, b"error")
            os.system("echo from a shell")
            assert "from a shell" in capfd.readouterr().out
        def test_fails():
            print("said before")
            assert 0
        """
    words = (f"--capture={capture}", "--junitxml=junit.xml", "--log-file=log.txt")
    found = project.alone(source, *words)
    log = (project.directory / "log.txt").read_text()
    assert found == {"test_talks": _CLEAN, "test_fails": None}
    plain = project.run(*words)
    assert project.output == plain
    assert (project.directory / "log.txt").read_text() == log


def test_open_files_stay_as_they_are(project: Project) -> None:
    (project.directory / "data.txt").write_text("one\ntwo\nthree\n")
    found = project.alone(
        """
        import os, socket
        data = open("data.txt")
        assert data.readline() == "one\\n"
        log = open("log.txt", "w", buffering=1)
        log.write("begun\\n")
        here, there = socket.socketpair()
        reading, writing = os.pipe()
        def test_reads():
            os.lseek(data.fileno(), 4, 0)
            assert os.read(data.fileno(), 3) == b"two"
        def test_writes():
            log.write("alone or not\\n")
        def test_talks():
            here.send(b"x")
            os.write(writing, b"x")
        def test_nothing_was_sent():
            there.setblocking(False)
            assert there.recv(10) == b"x"
            assert os.read(reading, 10) == b"x"
            assert os.lseek(data.fileno(), 0, 1) == 7
        """
    )
    assert found == {"test_reads": _CLEAN, "test_writes": _CLEAN, "test_talks": None, "test_nothing_was_sent": None}
    assert "4 passed" in project.output
    assert (project.directory / "log.txt").read_text() == "begun\nalone or not\n"


def test_a_process_with_threads_is_not_forked(project: Project) -> None:
    found = project.alone(
        """
        import threading
        threading.Thread(target=threading.Event().wait, daemon=True).start()
        def test_passes(): pass
        """
    )
    assert found == {"test_passes": None}
    assert "1 passed" in project.output


@pytest.mark.parametrize("handler", ["SIG_IGN", "lambda *_: None"])
def test_children_are_waited_for_whatever_handler_the_suite_sets(project: Project, handler: str) -> None:
    found = project.alone(
        f"""
        import signal
        from signal import SIG_IGN
        signal.signal(signal.SIGCHLD, {handler})
        def test_passes(): pass
        """
    )
    assert found == {"test_passes": _CLEAN}
