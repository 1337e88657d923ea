"""Suites whose tests share a system under test, through the real command."""

import json
import re
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

Done = subprocess.CompletedProcess[str]

_SERVER = """
    import http.server
    import os

    KEPT = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.answer(",".join(KEPT))

        def do_POST(self):
            if self.path == "/reset":
                KEPT.clear()
            else:
                KEPT.append(self.path[1:])
            self.answer("done")

        def answer(self, text):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_):
            pass

    http.server.HTTPServer(("127.0.0.1", int(os.environ["UNKNOT_PORT_0"])), Handler).serve_forever()
"""

_TESTS = """
    import os
    import urllib.request

    URL = "http://127.0.0.1:" + os.environ["UNKNOT_PORT_0"]

    def kept():
        return urllib.request.urlopen(URL + "/").read().decode()

    def keep(name):
        urllib.request.urlopen(URL + "/" + name, data=b"").read()

    def test_starts_empty_or_not():
        kept()

    def test_adds():
        keep("user")

    def test_finds():
        assert "user" in kept()
"""

_INSTANCE = """
    [tool.unknot]
    workers = 2

    [tool.unknot.instance]
    start = "python server.py"
    ports = 1
    ready = "http://127.0.0.1:{port0}/"
    reset = RESET
"""

_RIGHT = '{ kind = "http", url = "http://127.0.0.1:{port0}/reset" }'
_IDLE = '{ kind = "command", run = "true" }'

Write = Callable[[Mapping[str, str]], None]


def _project(write: Write, reset: str) -> None:
    write({"server.py": _SERVER, "test_app.py": _TESTS, "pyproject.toml": _INSTANCE.replace("RESET", reset)})


def test_a_pytest_suite_has_a_system_for_each_worker(write: Write, unknot: Callable[..., Done], project: Path) -> None:
    _project(write, _RIGHT)
    done = unknot("detect", "-q", "--runner", "fork", "--workdir", "copy")
    assert done.returncode == 1, done.stderr
    assert "unknot ask --runner fork --workdir copy test_app.py::test_finds" in done.stdout
    found = json.loads((project / "unknot.lock.json").read_text())
    assert [(need["dependent"], need["any_of"]) for need in found["needs"]] == [
        ("test_app.py::test_finds", ["test_app.py::test_adds"])
    ]
    ran = unknot("run", "-n", "2")
    assert ran.returncode == 0, ran.stdout


def test_no_more_systems_are_started_than_there_are_workers(
    write: Write, unknot: Callable[..., Done], project: Path, tmp_path: Path
) -> None:
    """Whoever lists the suite runs it, too."""
    starts = tmp_path / "starts"
    _project(write, _RIGHT)
    write({"server.py": f"    open({str(starts)!r}, 'a').write('x')\n" + _SERVER})
    assert unknot("detect", "-q", "-n", "1").returncode == 1
    # One for the check of the reset, which wants a new system for the suite backwards.
    assert starts.read_text() == "xx"
    starts.unlink()
    for _ in range(2):
        assert unknot("candidates", "-q", "--hints", "original").returncode == 0
        assert starts.read_text() == "x"
        starts.unlink()
    ran = unknot("run", "-n", "2")
    assert ran.returncode == 0, ran.stdout
    assert starts.read_text() == "xx"


def test_a_reset_that_does_not_reset_is_named(write: Write, unknot: Callable[..., Done], project: Path) -> None:
    _project(write, _IDLE)
    tests = _TESTS + '\n    def test_is_alone():\n        assert kept().count("user") == 1\n'
    write({"test_app.py": tests})
    done = unknot("detect", "-q")
    assert done.returncode == 12
    assert "test_is_alone" in done.stderr
    assert "does not reset" in done.stderr


def test_another_reset_is_not_trusted_for_what_the_one_before_has_shown(
    write: Write, unknot: Callable[..., Done]
) -> None:
    tests = _TESTS + '\n    def test_is_alone():\n        assert kept().count("user") == 1\n'
    _project(write, _RIGHT)
    write({"test_app.py": tests})
    assert unknot("detect", "-q").returncode == 1
    _project(write, _IDLE)
    write({"test_app.py": tests})
    done = unknot("detect", "-q")
    assert done.returncode == 12, done.stdout
    assert "does not reset" in done.stderr


def test_another_instance_is_run_again(write: Write, unknot: Callable[..., Done], project: Path) -> None:
    _project(write, _RIGHT)
    seen = []
    for more in ("", "", 'env = { MODE = "other" }\n'):
        write({"pyproject.toml": _INSTANCE.replace("RESET", _RIGHT) + more})
        assert unknot("detect", "-q").returncode == 1
        seen.append(json.loads((project / "unknot.lock.json").read_text())["environment"])
    assert seen[0] == seen[1] != seen[2]


def test_another_version_of_the_system_is_run_again(write: Write, unknot: Callable[..., Done], project: Path) -> None:
    _project(write, _RIGHT)
    assert unknot("detect", "-q").returncode == 1
    (project / "notes.txt").write_text("changed")
    forgetful = _SERVER.replace("KEPT.append(self.path[1:])", "KEPT[:] = [self.path[1:], 'user']")
    write({"server.py": forgetful.replace("KEPT = []", "KEPT = ['user']").replace("KEPT.clear()", "pass")})
    done = unknot("detect", "-q")
    assert done.returncode == 0, done.stdout + done.stderr


def test_files_that_are_not_the_systems_may_change(write: Write, unknot: Callable[..., Done], project: Path) -> None:
    _project(write, _RIGHT + '\n    files = ["server.py"]')
    assert unknot("detect", "-q").returncode == 1
    (project / "notes.txt").write_text("changed")
    done = unknot("detect", "-q")
    assert done.returncode == 1
    assert "0 orders" in done.stdout, done.stdout


def test_a_suite_that_tidies_up_at_its_end_hides_no_reset_that_does_nothing(
    write: Write, unknot: Callable[..., Done]
) -> None:
    _project(write, _IDLE)
    alone = '\n    def test_is_alone():\n        assert kept().count("user") == 1\n'
    tidies = '\n    def test_tidies_up():\n        keep("reset")\n'
    write({"test_app.py": _TESTS + alone + tidies})
    done = unknot("detect", "-q")
    assert done.returncode == 12, done.stdout
    assert "test_is_alone" in done.stderr


def test_resets_are_tried_and_the_right_one_is_suggested(write: Write, unknot: Callable[..., Done]) -> None:
    _project(write, _IDLE)
    tests = _TESTS + '\n    def test_is_alone():\n        assert kept().count("user") == 1\n'
    write({"test_app.py": tests})
    done = unknot("resets", "--rounds", "2", "--format", "json")
    assert done.returncode == 0, done.stderr
    output = json.loads(done.stdout)
    assert output["cheapest"] == '"restart"'
    assert [(each["right"], each["leaks"]) for each in output["resets"]] == [
        (False, ["test_app.py::test_is_alone", "test_app.py::test_finds"]),
        (True, []),
    ]


def test_one_order_can_be_run_by_hand(write: Write, unknot: Callable[..., Done]) -> None:
    _project(write, _RIGHT)
    alone = unknot("ask", "test_app.py::test_finds")
    assert alone.returncode == 1
    assert alone.stdout.startswith("failed")
    both = unknot("ask", "test_app.py::test_adds", "test_app.py::test_finds")
    assert both.returncode == 0, both.stdout
    assert unknot("ask", "test_app.py::test_nobody").returncode == 4


def test_a_story_with_tabs_is_shown_as_it_was_meant(write: Write, unknot: Callable[..., Done]) -> None:
    """Stack traces of Java are indented by tabs."""
    _project(write, _RIGHT)
    write({"test_trace.py": "def test_told():\n    raise AssertionError('trace\\n\\tat here')\n"})
    output = unknot("ask", "test_trace.py::test_told").stdout
    assert re.search("^E +at here$", output, re.MULTILINE)
