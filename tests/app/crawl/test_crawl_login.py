"""Logins that work, fail, hang and are lost."""

from collections.abc import Callable
from pathlib import Path

import pytest
from noted_crawl import Crawl

from unknot.model.errors import RunnerError
from unknot.model.web.crawl_summary import CrawlSummary

pytestmark = pytest.mark.browser

Instance = Callable[..., None]


def titles(found: CrawlSummary) -> set[str]:
    return {heading for page in found.model.pages for heading in page.headings}


def test_a_login_that_is_lost_is_repaired_and_counted(crawled: Crawl, instance: Instance) -> None:
    instance('<a href="/forget">Forget</a>')
    found = crawled(login="login.py::log_in", steps=25).summary
    assert found.lost_logins >= 1
    assert found.resets == 1
    assert "Log in" not in titles(found)
    assert {"Notes", "About"} <= titles(found)


def test_a_form_for_a_new_password_is_no_lost_login(crawled: Crawl, instance: Instance) -> None:
    instance()
    found = crawled(login="login.py::log_in", steps=15).summary
    assert found.lost_logins == 0
    assert "About" in titles(found)


def test_a_login_form_that_everybody_sees_is_no_lost_login(crawled: Crawl, instance: Instance) -> None:
    instance('<a href="/switch">Another name</a>')
    found = crawled(login="login.py::log_in", steps=25).summary
    assert found.lost_logins == 0
    assert {"Log in", "Notes", "About"} <= titles(found)


def test_without_a_login_function_the_login_page_is_a_page(crawled: Crawl, instance: Instance) -> None:
    instance()
    assert "Log in" in titles(crawled(steps=5).summary)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("    page.get_by_label('Nowhere').fill('x')", "TimeoutError"),
        ("    raise ValueError('no such \\x1b[31m user')", r"ValueError: no such \\x1b\[31m user"),
        ("    assert page.title() == 'Welcome'", "AssertionError"),
    ],
)
def test_a_login_that_fails_names_the_line(
    body: str, words: str, crawled: Crawl, instance: Instance, tmp_path: Path
) -> None:
    instance()
    (tmp_path / "login.py").write_text(f"def log_in(page):\n    page.title()\n{body}\n")
    with pytest.raises(RunnerError, match=rf"login\.py:3: {words}") as error:
        crawled(login="login.py::log_in", steps=3)
    assert error.value.slug == "crawl-login-failed"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("page.wait_for_function('() => false', timeout=0)", r"the login did not end: .*login\.py:2"),
        ("__import__('time').sleep(60)", r"the login did not end within \d+ s"),
    ],
)
def test_a_login_that_hangs_is_ended(body: str, words: str, crawled: Crawl, instance: Instance, tmp_path: Path) -> None:
    instance()
    (tmp_path / "login.py").write_text(f"def log_in(page):\n    {body}\n")
    with pytest.raises(RunnerError, match=words) as error:
        crawled(login="login.py::log_in", steps=3, step_seconds=5)
    assert error.value.slug == "crawl-login-failed"
