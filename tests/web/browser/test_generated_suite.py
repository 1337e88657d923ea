"""A suite that was generated for the library is what a team would commit: it passes, and its checks can fail."""

import json
import os
import shutil
import subprocess
import sys
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
    passed(directory, "unknot", "crawl", "--login", "login.py::log_in", "--steps", "60")
    return directory


@pytest.fixture(scope="module")
def suite(project: Path) -> list[str]:
    """The ids of its tests."""
    words = ("generate", "--login", "login.py::log_in", "--out", "suite", "--pages", "pages", "--minutes", "0.7")
    found = json.loads(passed(project, "unknot", *words, "--tests", "4", "--format", "json"))
    assert found["tests"]
    return [f"suite/{each['file']}::{each['name']}" for each in found["tests"]]


def test_it_passes_in_order_backwards_and_one_alone(project: Path, suite: list[str]) -> None:
    passed(project, "pytest", "-q", "-p", "no:cacheprovider", *suite)
    passed(project, "pytest", "-q", "-p", "no:cacheprovider", *reversed(suite))
    passed(project, "pytest", "-q", "-p", "no:cacheprovider", suite[-1])


def test_type_checker_linter_and_formatter_accept_it(project: Path, suite: list[str]) -> None:
    passed(project, "mypy", "--strict", "--config-file=", "suite", "pages", "login.py")
    passed(project, "ruff", "check", "--isolated", "--no-cache", "--select", "E,F,I,UP,B,SIM,RET,C4,PT", "suite")
    passed(project, "ruff", "format", "--isolated", "--no-cache", "--check", "suite")


def test_its_lock_file_is_that_of_the_suite_as_it_stands(project: Path, suite: list[str]) -> None:
    done = run(project, "unknot", "check", "suite", "--lock", "suite/unknot.lock.json")
    assert done.returncode == 0, done.stdout + done.stderr


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
