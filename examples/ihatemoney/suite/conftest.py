"""One tab for the session, a new visitor for each test.

Under unknot, application and browser are there already (`UNKNOT_PORT_0`, `UNKNOT_PORT_1`); otherwise both are started.
"""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from suite.data import Project

PATIENCE = 15_000
"""Milliseconds, for a very busy machine. A test that misses something does not wait so long: pages are looked at when
they are complete, and what is not there then will not come."""

INSTANCE = Path(__file__).resolve().parents[1] / "instance.py"


@pytest.fixture(scope="session")
def ports() -> Iterator[tuple[int, int]]:
    """Those of the application and of the browser."""
    if "UNKNOT_PORT_0" in os.environ:
        yield int(os.environ["UNKNOT_PORT_0"]), int(os.environ["UNKNOT_PORT_1"])
        return
    with tempfile.TemporaryDirectory() as directory:
        application, browser = _free_ports()
        process = subprocess.Popen([sys.executable, str(INSTANCE), directory, str(application), str(browser)])
        try:
            _wait_for(process, application)
            _wait_for(process, browser)
            yield application, browser
        finally:
            process.terminate()
            process.wait()


@pytest.fixture(scope="session")
def browser(ports: tuple[int, int]) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        yield playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{ports[1]}")


@pytest.fixture(scope="session")
def tab(browser: Browser, ports: tuple[int, int]) -> Page:
    """The one that is open, if there is one: Chromium takes a second for a new window."""
    context = browser.contexts[0]
    context.set_default_timeout(PATIENCE)
    page = context.pages[0] if context.pages else context.new_page()
    page.goto(f"http://127.0.0.1:{ports[0]}/")
    return page


@pytest.fixture
def page(tab: Page) -> Page:
    """The same tab for all tests, and each finds it as a new visitor does: all that the application keeps in a browser
    is a cookie. The mouse is in a corner, where it makes no hint appear."""
    tab.context.clear_cookies()
    tab.mouse.move(0, 0)
    return tab


@pytest.fixture
def enter(page: Page) -> Callable[[Project], Page]:
    """The page of a user who has logged in to a project: by a request, which is quicker than the form."""

    def entered(project: Project) -> Page:
        credentials: dict[str, str | float | bool] = {"id": project.id, "password": project.code}
        answer = page.request.post(urljoin(page.url, "/authenticate"), form=credentials, max_redirects=0)
        assert answer.status == 302, f"login failed for {project.id}"
        return page

    return entered


def _free_ports() -> tuple[int, int]:
    with ExitStack() as open_sockets:
        first, second = (open_sockets.enter_context(closing(socket.create_server(("127.0.0.1", 0)))) for _ in range(2))
        return first.getsockname()[1], second.getsockname()[1]


def _wait_for(process: "subprocess.Popen[bytes]", port: int) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    pytest.exit("application and browser did not start")
