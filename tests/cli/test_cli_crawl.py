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

from unknot.store.web_model_file import read_web_model

WEBAPP = Path(__file__).parents[2] / "examples" / "webapp"

Unknot = Callable[..., subprocess.CompletedProcess[str]]

pytestmark = pytest.mark.browser


def run_process(directory: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "unknot", *words], cwd=directory, capture_output=True, text=True, check=False
    )


class Mortal(BaseHTTPRequestHandler):
    """Ends after so many answers."""

    left = 3
    stop: Callable[[], None]

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
            threading.Thread(target=Mortal.stop).start()


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("crawl") / "webapp"


@pytest.fixture(scope="module")
def crawled(directory: Path) -> dict[str, object]:
    shutil.copytree(WEBAPP, directory, ignore=shutil.ignore_patterns("__pycache__", ".unknot"))
    configuration = directory / "unknot.toml"
    # One that has coverage.py.
    configuration.write_text(configuration.read_text().replace('"python ', f'"{sys.executable} '))
    done = run_process(directory, "crawl", "--login", "login.py::log_in", "--steps", "60", "--format", "json")
    assert done.returncode == 0, done.stderr
    document: dict[str, object] = json.loads(done.stdout)
    return document


def test_an_instance_is_explored_behind_its_login(crawled: dict[str, object]) -> None:
    assert crawled["steps"] == 60
    assert {"/", "/books", "/people", "/settings", "/lists"} <= set(crawled["pages"])  # type: ignore[call-overload]
    assert {"action": "Log out", "why": "logs out"}.items() <= crawled["spared"][0].items()  # type: ignore[index]


def test_the_model_is_kept_without_the_port_and_the_page_beside_the_journal(
    crawled: dict[str, object], directory: Path
) -> None:
    text = (directory / "unknot.web.json").read_text(encoding="utf-8")
    assert "127.0.0.1" not in text
    model = read_web_model(directory / "unknot.web.json")
    assert {page.kind for page in model.pages} == set(crawled["pages"])  # type: ignore[call-overload]
    assert model.start == "/"
    assert len(model.graph().transitions) == len(crawled["transitions"])  # type: ignore[arg-type]
    page = (directory / ".unknot" / "web" / "crawl.html").read_text(encoding="utf-8")
    assert "<code>/books</code>" in page
    assert (directory / ".unknot" / ".gitignore").read_text() == "*\n"


def test_a_place_that_cannot_be_written_is_named_before_the_crawl(project: Path, unknot: Unknot) -> None:
    (project / "taken").mkdir()
    done = unknot("crawl", "http://127.0.0.1:9/", "--model", "taken")
    assert done.returncode == 13
    assert "error[file-unwritable]: cannot write taken: Is a directory" in done.stderr


def test_transitions_are_between_pages_that_were_seen(crawled: dict[str, object]) -> None:
    pages = set(crawled["pages"])  # type: ignore[call-overload]
    assert crawled["start"] == "/"
    for each in crawled["transitions"]:  # type: ignore[attr-defined]
        assert {each["source"], each["target"]} <= pages


def test_how_much_of_the_code_ran_is_shown(crawled: dict[str, object]) -> None:
    ran, known = (crawled["coverage"][side] for side in ("ran", "known"))  # type: ignore[index]
    for what in ("client_bytes", "functions", "server_lines"):
        assert 0 < ran[what] < known[what]


def test_without_coverage_nothing_is_measured() -> None:
    done = run_process(WEBAPP, "crawl", "--no-coverage", "--steps", "2", "--format", "json")
    assert json.loads(done.stdout)["coverage"] is None


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


@pytest.mark.parametrize("words", [[], ["--dry-run"], ["-n", "2"]])
def test_a_missing_playwright_is_named(words: list[str], project: Path) -> None:
    program = "import sys; sys.modules['playwright'] = sys.modules['playwright.sync_api'] = None;"
    program += "from unknot.cli.main import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", program, "crawl", "http://127.0.0.1:9/", *words],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 12
    assert "error[playwright-missing]" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_piped_crawl_ends_cleanly_with_a_line_for_each_part(unknot: Unknot) -> None:
    server = HTTPServer(("127.0.0.1", 0), Mortal)
    Mortal.left = 1000
    threading.Thread(target=server.serve_forever, daemon=True).start()
    done = unknot("crawl", f"http://127.0.0.1:{server.server_port}/", "--steps", "3")
    server.shutdown()
    server.server_close()
    assert done.returncode == 0
    assert "\x1b" not in done.stdout + done.stderr
    assert "3 steps" in done.stdout


def test_an_application_that_dies_ends_the_crawl_with_what_was_found(project: Path, unknot: Unknot) -> None:
    def stop() -> None:
        server.shutdown()
        server.server_close()

    server = HTTPServer(("127.0.0.1", 0), Mortal)
    Mortal.left, Mortal.stop = 3, stop
    threading.Thread(target=server.serve_forever, daemon=True).start()
    done = unknot("crawl", f"http://127.0.0.1:{server.server_port}/", "--minutes", "1")
    assert done.returncode == 12
    assert "stopped early" in done.stdout
    # The page behind the link is the same page at another address.
    assert [page.kind for page in read_web_model(project / "unknot.web.json").pages] == ["/"]
