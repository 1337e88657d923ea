"""The page in view once more, from the same state, in a real browser."""

import itertools
import threading
from collections.abc import Iterator
from contextlib import nullcontext
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from unknot.model.web.locator import Locator
from unknot.model.web.step import PageStep
from unknot.web.browser.browser_application import BrowserApplication
from unknot.web.browser.launch import launch, origin_of
from unknot.web.crawl.crawl import PageReader
from unknot.web.crawl.kinds import FoldedKinds

pytestmark = pytest.mark.browser

PAGE = """<title>Page</title><h1>Load {load}, the {ordinal}</h1><p role=status>{message}</p>
    <button id=ember{load} onclick="this.textContent = 'Done'">Go</button>
    <a href=/next>Next</a> <form method=post><button>Answer</button></form>
    <form method=post action=/redirect><button>Redirect</button></form>"""
ORDINALS = ("first", "second", "third")


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    loads = itertools.count(1)

    class Site(BaseHTTPRequestHandler):
        def log_message(self, *arguments: object) -> None:
            pass

        def do_GET(self) -> None:
            load = 0 if "favicon" in self.path else next(loads)
            text = PAGE.format(load=load, ordinal=ORDINALS[load % 3], message="Saved" if load % 2 else "")
            self._send(200, text)

        def do_POST(self) -> None:
            if self.path == "/redirect":
                self.send_response(303)
                self.send_header("Location", "/after")
                self.end_headers()
            else:
                self._send(200, PAGE.format(load=7, ordinal="first", message="Answered"))

        def _send(self, status: int, text: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(text.encode())

    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser(site: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright, [origin_of(site)])
        yield browser
        browser.close()


@pytest.fixture
def application(browser: Browser, site: str) -> Iterator[BrowserApplication]:
    application = BrowserApplication(browser, lambda: f"{site}/start", keep_html=True)
    yield application
    application.close()


def click(application: BrowserApplication, role: str, name: str) -> None:
    assert not application.perform(PageStep((Locator(role, name),))).refusal


def test_a_page_that_was_loaded_by_get_is_loaded_again(application: BrowserApplication) -> None:
    first = application.reset()
    again = application.look_again()
    assert again is not None
    assert again.address == first.address
    assert again.root != first.root
    assert "ember" in first.html
    click(application, "link", "Next")
    assert application.look_again() is not None
    click(application, "button", "Redirect")
    assert application.look_again() is not None


def test_what_a_script_or_a_form_has_made_is_not(application: BrowserApplication) -> None:
    application.reset()
    click(application, "button", "Go")
    assert application.look_again() is None
    click(application, "button", "Answer")
    assert application.look_again() is None


def test_what_a_login_function_leaves_is_not(browser: Browser, site: str) -> None:
    def log_in(page: Page) -> None:
        page.get_by_role("button", name="Go").click()

    application = BrowserApplication(browser, lambda: f"{site}/start", log_in)
    application.reset()
    assert application.look_again() is None
    application.close()


def test_one_second_look_is_enough_to_know_the_page_again(application: BrowserApplication) -> None:
    reader = PageReader(FoldedKinds())
    first = reader.view(reader.look(application, application.reset(), nullcontext()))
    assert not any((name == "id") for each in first.actions for name, _ in _attributes(each.locators))
    for _ in range(3):
        again = reader.look(application, application.reset(), nullcontext())
        assert reader.view(again).kind == first.kind


def _attributes(locators: tuple[Locator, ...]) -> list[tuple[str, str]]:
    return [each.attribute for each in locators if each.attribute is not None]
