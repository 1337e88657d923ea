"""Recording the traffic of suites that have no browser, or that cannot be run; no browser is needed."""

import sys
from pathlib import Path

import pytest

from unknot.app.recording.traffic import record_traffic, write_traffic
from unknot.model.errors import RunnerError, StorageError
from unknot.model.suite import Suite, TestId
from unknot.model.traffic import Traffic
from unknot.report.reasons import sentences
from unknot.runners.settings import Settings
from unknot.runners.sut.config import instance_spec
from unknot.store.traffic_file import read_traffic_file
from unknot.web.hints.traffic.candidates import traffic_candidates


def _project(directory: Path, suite: str) -> Settings:
    (directory / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    (directory / "test_it.py").write_text(suite, encoding="utf-8")
    return Settings(directory, timeout=60)


def test_a_suite_without_a_browser_is_reported_as_such(tmp_path: Path) -> None:
    traffic = record_traffic(_project(tmp_path, "def test_one(): pass\ndef test_two(): pass\n"))
    edges, notes = traffic_candidates(traffic, Suite(traffic.tests))
    assert (edges, traffic.exchanges) == ([], ())
    assert any("is the browser started in another process?" in note for note in notes)


def test_a_test_that_takes_the_process_down_is_left_out_and_failing_ones_are_named(tmp_path: Path) -> None:
    suite = "import os\ndef test_ends(): os._exit(3)\ndef test_fails(): assert 0\ndef test_stays(): pass\n"
    traffic = record_traffic(_project(tmp_path, suite))
    assert traffic.tests == (TestId("test_it.py::test_fails"), TestId("test_it.py::test_stays"))
    assert traffic.unseen == (TestId("test_it.py::test_ends"), TestId("test_it.py::test_fails"))
    assert traffic.notes == (
        "test_it.py::test_ends: left out, as it ends the process",
        "traffic is incomplete for tests that failed while it was recorded: test_it.py::test_fails",
    )


def test_an_application_that_does_not_start_is_named(tmp_path: Path) -> None:
    settings = _project(tmp_path, "def test_one(): pass\n")
    start = f"{sys.executable} nothing_there.py {{port0}}"
    instance = instance_spec({"start": start, "ports": 1, "ready": "port"}, "unknot.toml")
    with pytest.raises(RunnerError, match=r"(?s)instance.*nothing_there"):
        record_traffic(Settings(settings.directory, instance=instance))


def test_a_suite_that_cannot_be_collected_is_an_error_with_its_story(tmp_path: Path) -> None:
    with pytest.raises(RunnerError, match=r"(?s)could not be recorded.*no_such_module"):
        record_traffic(_project(tmp_path, "import no_such_module\n"))


def test_requests_of_the_tests_themselves_are_recorded_without_any_browser(tmp_path: Path) -> None:
    suite = """
import http.client, json, threading
from http.server import BaseHTTPRequestHandler, HTTPServer
import pytest

class Site(BaseHTTPRequestHandler):
    made = []
    def do_POST(self):
        self.made.append(self.rfile.read(int(self.headers["Content-Length"])))
        self.answer(b'{"id": "a1b2c3d4"}')
    def do_GET(self):
        self.answer(b"[" + b",".join(self.made) + b"]")
    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *arguments):
        pass

@pytest.fixture(scope="module")
def server():
    server = HTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()

def send(server, *arguments):
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port)
    connection.request(*arguments)
    with connection.getresponse() as answer:
        found = answer.read()
    connection.close()
    return found

def test_make(server):
    send(server, "POST", "/things", json.dumps({"name": "grapnel"}))

def test_see(server):
    assert b"grapnel" in send(server, "GET", "/things")
"""
    traffic = record_traffic(_project(tmp_path, suite))
    [edge], _ = traffic_candidates(traffic, Suite(traffic.tests))
    assert (edge.dependent, edge.prerequisite, edge.strings) == (1, 0, ("grapnel",))
    assert sentences(edge.reasons) == ("POST /things created grapnel, which GET /things shows",)
    assert traffic.exchanges[0].given == ("a1b2c3d4",)


def test_the_file_is_for_its_owner_only_and_says_what_was_written(tmp_path: Path) -> None:
    traffic = Traffic((TestId("a"),), contexts=2, notes=("something",))
    path = write_traffic(traffic, tmp_path / "state")
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_traffic_file(path) == traffic
    path.chmod(0o644)
    assert write_traffic(traffic, tmp_path / "state").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"format": 99}', '{"format": 1}', "[" * 100_000])
def test_a_damaged_file_is_one_clear_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "traffic.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(StorageError, match=r"damaged|another version"):
        read_traffic_file(path)


def test_a_missing_file_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="there is no traffic"):
        read_traffic_file(tmp_path / "traffic.json")
