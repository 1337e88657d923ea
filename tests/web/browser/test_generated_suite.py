"""A suite that was generated for the library is what a team would commit: it passes, and its checks can fail."""

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WEBAPP = Path(__file__).parents[3] / "examples" / "webapp"


def run(directory: Path, module: str, *words: str) -> subprocess.CompletedProcess[str]:
    # Without what our own run of pytest has set.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-m", module, *words]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False, env=environment)


def passed(directory: Path, module: str, *words: str) -> str:
    done = run(directory, module, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("generated") / "webapp"
    shutil.copytree(WEBAPP, directory, ignore=shutil.ignore_patterns("__pycache__", ".unknot", "*_suite"))
    passed(directory, "unknot", "crawl", "--login", "login.py::log_in", "--steps", "45", "--no-coverage")
    return directory


@pytest.fixture
def other_site() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def suite(project: Path) -> list[str]:
    """The ids of its tests."""
    words = ("generate", "--login", "login.py::log_in", "--out", "suite", "--pages", "pages")
    found = json.loads(passed(project, "unknot", *words, "--steps", "10", "--tests", "2", "--format", "json"))
    assert found["tests"]
    return [f"suite/{each['file']}::{each['name']}" for each in found["tests"]]


def test_it_passes_backwards_and_reaches_no_other_site(project: Path, suite: list[str], other_site: str) -> None:
    (project / "suite" / "test_of_a_user.py").write_text(
        "import pytest\n"
        "from playwright.sync_api import Error, Page\n\n"
        "def test_other_site(page: Page) -> None:\n"
        "    with pytest.raises(Error, match='ERR_PROXY_CONNECTION_FAILED'):\n"
        f"        page.goto('{other_site}')\n"
    )
    passed(project, "pytest", "-q", "-p", "no:cacheprovider", "suite/test_of_a_user.py", *reversed(suite))
    (project / "suite" / "test_of_a_user.py").unlink()


def test_type_checker_linter_and_formatter_accept_it(project: Path, suite: list[str]) -> None:
    passed(project, "mypy", "--strict", "--config-file=", "suite", "pages", "login.py")
    passed(project, "ruff", "check", "--isolated", "--no-cache", "--select", "E,F,I,UP,B,SIM,RET,C4,PT", "suite")
    passed(project, "ruff", "format", "--isolated", "--no-cache", "--check", "suite")


def test_its_lock_file_is_that_of_the_suite_as_it_stands(project: Path, suite: list[str]) -> None:
    passed(project, "unknot", "run", "-n", "2", "suite", "--lock", "suite/unknot.lock.json")


def test_it_fails_where_nothing_is_saved_any_more(project: Path, suite: list[str]) -> None:
    server = project / "library" / "server.py"
    text = server.read_text()
    kept = "                return answered(request)\n"
    lost = (
        "                answer = answered(request)\n"
        "                if address.path != '/login':\n"
        "                    database.rollback()\n"
        "                return answer\n"
    )
    assert kept in text
    try:
        server.write_text(text.replace(kept, lost))
        assert run(project, "pytest", "-q", "-p", "no:cacheprovider", "-x", *suite).returncode == 1
    finally:
        server.write_text(text)
