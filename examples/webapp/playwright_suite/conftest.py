"""One browser and one tab for the session, a new visitor for each test.

Under unknot, library and browser are there already (`UNKNOT_PORT_0`, `UNKNOT_PORT_1`); otherwise both are started.
"""

import os
from collections.abc import Callable, Iterator
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from chromium import EXECUTABLE, FLAGS
from library.local import local_library
from playwright_suite.data import Account

PATIENCE = 15_000
"""Milliseconds, for a very busy machine. A test that misses something does not wait so long: pages are looked at when
they are complete, and what is not there then will not come."""

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def library_url() -> Iterator[str]:
    if "UNKNOT_PORT_0" in os.environ:
        yield f"http://127.0.0.1:{os.environ['UNKNOT_PORT_0']}"
    else:
        with local_library() as url:
            yield url


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    if "UNKNOT_PORT_1" in os.environ:
        browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{os.environ['UNKNOT_PORT_1']}")
    else:
        browser = playwright.chromium.launch(executable_path=EXECUTABLE, args=FLAGS)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def tab(browser: Browser, library_url: str) -> Page:
    """The one that is open, if there is one: Chromium takes a second for a new window."""
    context = browser.contexts[0] if browser.contexts else browser.new_context()
    context.set_default_timeout(PATIENCE)
    page = context.pages[0] if context.pages else context.new_page()
    page.goto(library_url)
    return page


@pytest.fixture
def page(tab: Page) -> Page:
    """The same tab for all tests, and each finds it as a new visitor does: all that the library keeps in a browser is
    a cookie."""
    tab.context.clear_cookies()
    return tab


@pytest.fixture
def login(page: Page) -> Callable[[Account], Page]:
    """The page of a user who has logged in: by a request, which takes a tenth of the time that the form takes."""

    def logged_in(account: Account) -> Page:
        credentials = {"name": account.name, "password": account.password}
        answer = page.request.post(urljoin(page.url, "/login"), form=credentials, max_redirects=0)
        assert answer.status == 303, f"{account.name} cannot log in"
        return page

    return logged_in
