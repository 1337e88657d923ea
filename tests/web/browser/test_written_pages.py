"""Page objects of an application that was crawled work in a browser, and pass the checks that a team has."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WEBAPP = Path(__file__).parents[3] / "examples" / "webapp"

SUITE = """
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from chromium import EXECUTABLE, FLAGS
from library.local import local_library
from login import log_in
from pages.add_book_page import AddBookPage
from pages.books_page import BooksPage
from pages.home_page import HomePage


@pytest.fixture
def page() -> Iterator[Page]:
    with local_library() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=EXECUTABLE, args=FLAGS)
        page = browser.new_page()
        page.goto(url)
        log_in(page)
        yield page
        browser.close()


def test_an_added_book_is_in_the_list(page: Page) -> None:
    home = HomePage(page)
    home.wait_until_loaded()
    books = home.header.open_books()
    form = books.add_book()
    assert isinstance(form, AddBookPage)
    assert form.is_loaded()
    assert not books.is_loaded()
    books = form.add_book("Walden", "Henry David Thoreau", "1854", category="Fiction")
    assert isinstance(books, BooksPage)
    assert "Walden" in books.titles
    assert books.years[books.titles.index("Walden")] == "1854"
    expect(books.row("Walden")).to_contain_text("Thoreau")
    assert "Walden" in books.open_book("Walden").page.locator("main").inner_text()
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library, crawled for some steps, with its page objects."""
    directory = tmp_path_factory.mktemp("written") / "webapp"
    shutil.copytree(WEBAPP, directory, ignore=shutil.ignore_patterns("__pycache__", ".unknot", "*_suite"))
    run(directory, "unknot", "crawl", "--login", "login.py::log_in", "--steps", "120")
    run(directory, "unknot", "pages", "--out", "pages")
    return directory


def run(directory: Path, module: str, *words: str) -> str:
    # Without what our own run of pytest has set.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-m", module, *words]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_test_with_written_page_objects_passes(project: Path) -> None:
    (project / "test_books.py").write_text(SUITE)
    run(project, "pytest", "-q", "-p", "no:cacheprovider", "test_books.py")


def test_type_checker_and_linter_accept_them(project: Path) -> None:
    run(project, "mypy", "--strict", "--config-file=", "pages")
    run(project, "ruff", "check", "--isolated", "--no-cache", "--select", "E,F,I,UP,B,SIM,RET,C4", "pages")
    run(project, "ruff", "format", "--isolated", "--no-cache", "--check", "pages")


def test_a_second_run_writes_nothing(project: Path) -> None:
    assert "0 files written" in run(project, "unknot", "pages", "--out", "pages")
