"""Forms that are rejected, and how they are filled then, in a real browser."""

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import sync_playwright

from unknot.web.browser.browser_application import BrowserApplication
from unknot.web.browser.launch import launch, origin_of
from unknot.web.crawl.crawl import PageReader, crawl
from unknot.web.crawl.kinds import FoldedKinds
from unknot.web.crawl.promising import PromisingFirst
from unknot.web.crawl.trace import TakenStep

pytestmark = pytest.mark.browser

Crawled = Callable[[str, int], list[TakenStep]]

FIELDS = {
    "/pattern": "<label>Code <input name=code required pattern='[A-Z]{3}-[0-9]{4}'></label>",
    "/number": "<label>Share <input name=share></label>",
    "/between": "<label>Shelf mark <input name=mark></label>",
    "/needed": "<label>Year <input name=year></label> <label>Title <input name=title></label>",
    "/short": "<label>Secret word <input name=word></label>",
    "/taken": "<label>Reader <input name=reader></label>",
    "/letters": "<label>Identifier <input name=identifier></label>",
    "/optional": "<label>Title <input name=title required></label> <label>Extra <input name=extra></label>",
    "/twice": "<label>Password <input type=password name=one></label> "
    "<label>Password <input type=password name=two></label>",
    "/dates": "<label>From <input type=date name=from></label> <label>To <input type=date name=to></label>",
    "/radio": "<label><input type=radio name=size value=s> Small</label> "
    "<label><input type=radio name=size value=l> Large</label>",
    "/file": "<label>Photo <input type=file name=photo accept='image/*' style='display:none'></label>",
}


def refusal(path: str, given: dict[str, str], taken: list[str]) -> str:
    """What the application objects to."""
    match path:
        case "/number":
            return "" if given["share"].isdecimal() else "The share must be a number."
        case "/between":
            fits = given["mark"].isdecimal() and 1450 <= int(given["mark"]) <= 2100
            return "" if fits else "The shelf mark must be between 1450 and 2100."
        case "/needed":
            # What is a year by its label is one in the next try.
            fits = given["year"].isdecimal() and 1450 <= int(given["year"]) <= 2100
            return "" if fits and given["title"] else "Year and title are needed."
        case "/short":
            return "" if len(given["word"]) >= 30 else "Too short: at least 30 characters."
        case "/taken":
            taken.append(given["reader"])
            return "" if taken.count(given["reader"]) == 1 and len(taken) > 1 else "This name is already taken."
        case "/letters":
            return "" if given["identifier"].isalpha() else "Only letters are allowed."
        case "/optional":
            return "There is no such extra." if given.get("extra") else ""
        case "/twice":
            return "" if given["one"] == given["two"] else "The passwords do not match."
        case "/dates":
            return "" if given["from"] < given["to"] else "It ends before it begins."
        case "/radio":
            return "" if given.get("size") else "A size is required."
    return ""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    taken: list[str] = []

    class Site(BaseHTTPRequestHandler):
        def log_message(self, *arguments: object) -> None:
            pass

        def do_GET(self) -> None:
            self._answer(self._form(""))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode("latin-1")
            given = {name: values[0] for name, values in parse_qs(body).items()}
            if self.path == "/file":
                self._answer("<h1>Done</h1>" if "PNG" in body else self._form("<p class=error>No picture</p>"))
                return
            message = refusal(self.path, {name: given.get(name, "") for name in (*given, *_names(self.path))}, taken)
            self._answer(self._form(f"<p class=error>{message}</p>") if message else "<h1>Done</h1>")

        def _form(self, message: str) -> str:
            kind = "multipart/form-data" if self.path == "/file" else "application/x-www-form-urlencoded"
            form = (
                f"<form method=post enctype='{kind}'>{FIELDS.get(self.path, '')}{message}<button>Save</button></form>"
            )
            return f"<h1>Form</h1>{form}"

        def _answer(self, page: str) -> None:
            body = page.encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def _names(path: str) -> list[str]:
    return [part.partition(">")[0].split()[0] for part in FIELDS[path].split("name=")[1:]]


@pytest.fixture(scope="module")
def crawled(address: str) -> Iterator[Crawled]:
    with sync_playwright() as playwright:
        browser = launch(playwright, [origin_of(address)])

        def steps(path: str, seed: int) -> list[TakenStep]:
            application = BrowserApplication(browser, lambda: address + path)
            found = []
            try:
                for step in islice(
                    crawl(application, PromisingFirst(seed), PageReader(FoldedKinds()), lambda: True), 12
                ):
                    found.append(step)
                    if step.after.observation.root.children[0].name == "Done":
                        break
            finally:
                application.close()
            return found

        yield steps
        browser.close()


@pytest.mark.parametrize("path", list(FIELDS))
def test_a_form_is_accepted_after_three_other_tries_at_most(path: str, crawled: Crawled) -> None:
    _, *steps = crawled(path, 0)
    tries = [each for each in steps if each.chosen is not None]
    assert len(tries) <= 4
    assert not tries[-1].after.refused
    assert all(each.after.refused for each in tries[:-1])


@pytest.mark.parametrize(
    ("path", "message"),
    [("/number", "The share must be a number."), ("/letters", "Only letters are allowed.")],
)
def test_what_the_application_said_is_kept(path: str, message: str, crawled: Crawled) -> None:
    first = crawled(path, 0)[1]
    assert first.after.rejection == message
    assert not first.after.observation.refusal
