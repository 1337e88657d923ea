"""What tests leave when they run alone, in forked children of a real session."""

import json
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Mapping
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
        answer = {}
        for item in session.items:
            answer.setdefault(item.path.stem, {})[item.name] = result_alone(item, left, seconds=seconds)
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

    def run(self, *words: str, **variables: str) -> str:
        environment = {
            **os.environ,
            **variables,
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

    def alone(self, sources: Mapping[str, str], *words: str, seconds: float = 20) -> dict[str, dict[str, Any]]:
        """What each test of each file leaves alone: one session runs all the files."""
        for name, source in sources.items():
            (self.directory / f"test_{name}.py").write_text(textwrap.dedent(source))
        answer = self.directory / "answer.json"
        self.output = self.run("-p", "runs_alone", *words, ANSWER=str(answer), SECONDS=str(seconds))
        found: dict[str, Any] = json.loads(answer.read_text())
        return {name.removeprefix("test_"): tests for name, tests in found.items()}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


_SHARED = {
    "clean": """
        import shop
        def test_first():
            shop.CACHE["a"] = 1
        def test_second():
            shop.SEEN.append(len(shop.CACHE))
        """,
    "fixtures": """
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
        """,
    "not_passed": """
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
    "open_files": """
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
        """,
}


Shared = tuple[Project, dict[str, dict[str, Any]]]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, session_cache: Any) -> Shared:
    def make() -> Shared:
        project = Project(tmp_path_factory.mktemp("shared"))
        (project.directory / "data.txt").write_text("one\ntwo\nthree\n")
        return project, project.alone(_SHARED, seconds=2)

    found: Shared = session_cache.get("tests run alone", make)
    return found


def test_each_test_begins_in_a_clean_state(shared: Shared) -> None:
    project, found = shared
    assert found["clean"] == {"test_first": ["{'a': 1}", "[]"], "test_second": ["{}", "[0]"]}
    assert project.output.count("PASSED test_clean.py::") == 2


def test_fixtures_are_torn_down_as_in_the_suite(shared: Shared) -> None:
    expected = {"test_first": ["{}", "['function']"], "test_last": ["{}", "['function', 'module']"]}
    assert shared[1]["fixtures"] == expected


def test_a_test_that_does_not_pass_alone_gives_nothing(shared: Shared) -> None:
    found = shared[1]["not_passed"]
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
    found = project.alone({"shop": source}, *words)["shop"]
    log = (project.directory / "log.txt").read_text()
    assert found == {"test_talks": _CLEAN, "test_fails": None}
    plain = project.run(*words)
    assert project.output == plain
    assert (project.directory / "log.txt").read_text() == log


def test_open_files_stay_as_they_are(shared: Shared) -> None:
    project, found = shared
    expected = {"test_reads": _CLEAN, "test_writes": _CLEAN, "test_talks": None, "test_nothing_was_sent": None}
    assert found["open_files"] == expected
    assert project.output.count("PASSED test_open_files.py::") == 4
    assert (project.directory / "log.txt").read_text() == "begun\nalone or not\n"


def test_a_process_with_threads_is_not_forked(project: Project) -> None:
    found = project.alone(
        {
            "shop": """
        import threading
        threading.Thread(target=threading.Event().wait, daemon=True).start()
        def test_passes(): pass
        """
        }
    )
    assert found == {"shop": {"test_passes": None}}
    assert "1 passed" in project.output


@pytest.mark.parametrize("handler", ["SIG_IGN", "lambda *_: None"])
def test_children_are_waited_for_whatever_handler_the_suite_sets(project: Project, handler: str) -> None:
    found = project.alone(
        {
            "shop": f"""
        import signal
        from signal import SIG_IGN
        signal.signal(signal.SIGCHLD, {handler})
        def test_passes(): pass
        """
        }
    )
    assert found == {"shop": {"test_passes": _CLEAN}}
