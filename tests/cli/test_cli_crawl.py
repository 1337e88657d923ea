"""`unknot crawl`, as a user meets it."""

import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

WEBAPP = Path(__file__).parents[2] / "examples" / "webapp"

Unknot = Callable[..., subprocess.CompletedProcess[str]]

pytestmark = pytest.mark.browser


def run_process(directory: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "unknot", *words], cwd=directory, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    directory = tmp_path_factory.mktemp("crawl") / "webapp"
    shutil.copytree(WEBAPP, directory, ignore=shutil.ignore_patterns("__pycache__", ".unknot"))
    done = run_process(directory, "crawl", "--login", "login.py::log_in", "--steps", "60", "--format", "json")
    assert done.returncode == 0, done.stderr
    document: dict[str, object] = json.loads(done.stdout)
    return document


def test_an_instance_is_explored_behind_its_login(crawled: dict[str, object]) -> None:
    assert crawled["steps"] == 60
    assert {"/", "/books", "/people", "/settings", "/lists"} <= set(crawled["pages"])  # type: ignore[call-overload]
    assert {"action": "Log out", "why": "logs out"}.items() <= crawled["spared"][0].items()  # type: ignore[index]


def test_transitions_are_between_pages_that_were_seen(crawled: dict[str, object]) -> None:
    pages = set(crawled["pages"])  # type: ignore[call-overload]
    assert crawled["start"] == "/"
    for each in crawled["transitions"]:  # type: ignore[attr-defined]
        assert {each["source"], each["target"]} <= pages


@pytest.mark.parametrize(
    ("words", "slug", "code"),
    [
        ([], "crawl-address", 4),
        (["ftp://localhost/"], "crawl-address", 4),
        (["http://127.0.0.1:9/"], "crawl-no-answer", 12),
        (["http://127.0.0.1:9/", "--login", "login.py"], "crawl-login", 4),
        (["http://127.0.0.1:9/", "--login", "broken.py::log_in"], "crawl-login", 4),
    ],
)
def test_what_cannot_be_crawled_is_named(words: list[str], slug: str, code: int, project: Path, unknot: Unknot) -> None:
    (project / "broken.py").write_text("import nothing_of_that_name\n")
    done = unknot("crawl", *words)
    assert done.returncode == code
    assert f"error[{slug}]" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_missing_browser_is_named(unknot: Unknot) -> None:
    done = unknot("crawl", "http://127.0.0.1:9/", UNKNOT_CHROMIUM="/nowhere/chromium")
    assert done.returncode == 12
    assert "error[browser-failed]: the browser /nowhere/chromium does not start" in done.stderr


def test_an_application_that_dies_ends_the_crawl_with_what_was_found(unknot: Unknot) -> None:
    class Mortal(BaseHTTPRequestHandler):
        left = 3

        def log_message(self, *arguments: object) -> None:
            pass

        def do_GET(self) -> None:
            body = b"<h1>Here</h1><a href=/next>Next</a>"
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            Mortal.left -= 1
            if Mortal.left == 0:
                threading.Thread(target=stop).start()

    def stop() -> None:
        server.shutdown()
        server.server_close()

    server = HTTPServer(("127.0.0.1", 0), Mortal)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    done = unknot("crawl", f"http://127.0.0.1:{server.server_port}/", "--minutes", "1")
    assert done.returncode == 12
    assert "stopped early" in done.stdout
    assert "/next" in done.stdout
