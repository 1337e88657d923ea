"""Crawls of small applications, in this process."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from noted_crawl import Crawl, Notes

from unknot.app.configuration import read_configuration
from unknot.app.crawl.crawl import CrawlOptions, CrawlResult, crawl_application
from unknot.app.options import RunnerOptions


@pytest.fixture
def notes() -> Notes:
    return Notes()


@pytest.fixture
def options(tmp_path: Path) -> Callable[..., CrawlOptions]:
    (tmp_path / "pyproject.toml").touch()

    def make(address: str = "", **others: Any) -> CrawlOptions:
        runner = RunnerOptions(directory=tmp_path, configuration=read_configuration(tmp_path))
        given = {"state_dir": tmp_path / ".unknot", "minutes": 2.0, **others}
        return CrawlOptions(runner=runner, address=address, **given)

    return make


@pytest.fixture
def crawled(options: Callable[..., CrawlOptions], notes: Notes) -> Crawl:
    def crawl(address: str = "", **others: Any) -> CrawlResult:
        return crawl_application(options(address, **others), notes)

    return crawl


SERVER = Path(__file__).parent / "notes_server.py"

LOGIN = """
def log_in(page):
    page.get_by_label("Name").fill("ada")
    page.get_by_label("Password").fill("secret")
    page.get_by_role("button", name="Log in").click()
"""


@pytest.fixture
def instance(tmp_path: Path) -> Callable[[str], None]:
    """Describes an instance of the notes; `extra` is HTML on their page. What it was sent is in `sent.txt`."""

    def describe(extra: str = "") -> None:
        (tmp_path / "login.py").write_text(LOGIN)
        command = [sys.executable, str(SERVER), "{port0}", str(tmp_path / "sent.txt"), extra]
        words = ", ".join(f"'{word}'" for word in command)
        (tmp_path / "unknot.toml").write_text(
            f"[instance]\nstart = [{words}]\nports = 1\nready = 'port'\nreset = {{ kind = 'restart' }}\n"
        )

    return describe
