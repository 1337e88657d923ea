"""A real browser behind the protocol of all applications, on pages that behave badly."""

import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, sync_playwright

from unknot.model.errors import RunnerError
from unknot.model.web.element import CHECKED, COVERED, Element
from unknot.model.web.locator import Locator
from unknot.model.web.step import FieldInput, PageStep
from unknot.web.application.observation import EventKind, Observation
from unknot.web.browser.browser_application import BrowserApplication
from unknot.web.browser.launch import launch, origin_of
from unknot.web.crawl.actions import actions_of

pytestmark = pytest.mark.browser

PAGES = {
    "/": """<h1>Start</h1>
        <label>Name <input name=name></label> <select aria-label=Size><option>S<option>L</select>
        <label><input type=checkbox> Gift</label> <input type=file aria-label=Photo>
        <button onclick="out.textContent = document.querySelector('[name=name]').value
            + document.querySelector('select').value + document.querySelector('[type=checkbox]').checked
            + document.querySelector('[type=file]').files.length">Show</button> <p id=out></p>
        <div style="position:relative"><a href="/below">Below</a>
        <div style="position:absolute;inset:0;background:white">on top</div></div>
        <button disabled>Off</button> <div hidden><button>Hidden</button></div>""",
    "/slow": """<h1>Slow</h1><button onclick="fetch('/data').then(r => r.text()).then(t => {
        setTimeout(() => out.textContent = t, 50) })">Load</button><p id=out></p>""",
    "/data": "<p>loaded</p>",
    "/polling": """<h1>Polling</h1><script>setInterval(() => fetch('/data'), 20);
        (function again() { setTimeout(again, 10) })()</script>""",
    "/restless": """<h1>Restless</h1><script>const channel = new MessageChannel();
        channel.port1.onmessage = () => { document.title = Math.random(); channel.port2.postMessage(0) };
        channel.port2.postMessage(0)</script>""",
    "/drawing": """<h1>Drawing</h1><script>(function again() {
        document.title = Math.random(); requestAnimationFrame(again) })()</script>""",
    "/animated": """<h1>Animated</h1><style>@keyframes turn { to { rotate: 1turn } }
        p { animation: turn 60s } b { animation: turn 1s infinite }</style><p>x</p><b>y</b>""",
    "/waiting": """<h1>Waiting</h1><button onclick="fetch('/data').then(r => r.text()).then(t => out.textContent = t)"
        >Load</button><p id=out></p><script>(function again() { fetch('/hanging').finally(again) })()</script>""",
    "/hanging": "",
    "/away": "<meta http-equiv=refresh content='0;url=ELSEWHERE/refresh'>",
    "/leaks": """<h1>Leaks</h1><img src="ELSEWHERE/image"><iframe src="ELSEWHERE/frame"></iframe>
        <link rel=prefetch href="ELSEWHERE/prefetch"><link rel=preconnect href="ELSEWHERE">
        <a href="ELSEWHERE/popup" target=_blank>New tab</a> <a href="ELSEWHERE/link">Link</a>
        <form action="ELSEWHERE/form" method=post><button>Send</button></form>
        <script>fetch('ELSEWHERE/fetch', {mode: 'no-cors'}).catch(() => 0);
        new WebSocket('ELSEWHERE/socket'.replace('http', 'ws')); navigator.sendBeacon('ELSEWHERE/beacon');
        window.open('ELSEWHERE/open')</script>""",
    "/redirect": "",
    "/dialogs": """<h1>Dialogs</h1><script>onbeforeunload = event => event.preventDefault()</script>
        <button onclick="out.textContent = confirm('Really?') && alert('Done') === undefined">Ask</button><p id=out></p>
        <a href="/">Leave</a>""",
    "/errors": "<h1>Errors</h1><script>console.error('wrong'); setTimeout(() => { throw Error('thrown') }, 0)</script>",
    "/file": "",
    "/downloads": "<h1>Downloads</h1><a href=/file>Get</a>",
    "/nothing": "<h1>Nothing</h1><a href=/empty>Ping</a>",
    "/long": "<h1>Long</h1>" + "<div>" * 600 + "<button>Deep</button>" + "</div>" * 600 + "<p>x</p>" * 3000,
    "/form": "<h1>Form</h1><form action=/answer><input name=q aria-label=Query required><button>Go</button></form>",
    "/answer": "<h1>Answer</h1>",
}


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[tuple[str, list[str]]]:
    """A site that must never be reached, and what reached it."""
    reached: list[str] = []

    class Elsewhere(BaseHTTPRequestHandler):
        def handle_one_request(self) -> None:
            reached.append(self.rfile.readline().decode("latin-1"))
            self.close_connection = True

    with _serving(Elsewhere) as address:
        yield address, reached


hanging = threading.Event()


@pytest.fixture(scope="module")
def site(elsewhere: tuple[str, list[str]]) -> Iterator[str]:
    class Site(BaseHTTPRequestHandler):
        def log_message(self, *arguments: object) -> None:
            pass

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            headers = {"Content-Type": "text/html; charset=utf-8"}
            if path == "/redirect":
                headers["Location"] = f"{elsewhere[0]}/redirect"
            if path == "/file":
                headers["Content-Disposition"] = 'attachment; filename="../../notes.txt"'
            body = PAGES.get(path, "").replace("ELSEWHERE", elsewhere[0]).encode()
            if path == "/hanging":
                hanging.wait(20)
            self.send_response(
                302 if path == "/redirect" else 204 if path == "/empty" else 200 if path in PAGES else 500
            )
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

    with _serving(Site) as address:
        yield address
        hanging.set()


class _serving:
    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)

    def __enter__(self) -> str:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self._server.server_port}"

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def browser(site: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright, [origin_of(site)])
        yield browser
        browser.close()


class Visitor:
    """Opens pages and performs actions by their names."""

    def __init__(self, browser: Browser, site: str) -> None:
        self._address = site
        self._application = BrowserApplication(browser, lambda: self._address)
        self._site = site
        self.now: Observation

    def open(self, path: str) -> Observation:
        self._address = self._site + path
        self.now = self._application.reset()
        return self.now

    def do(self, name: str, **values: str) -> Observation:
        (action,) = (each for each in actions_of(self.now.root) if each.name == name)
        self.now = self._application.perform(action.step(values))
        return self.now

    def perform(self, step: PageStep) -> Observation:
        self.now = self._application.perform(step)
        return self.now

    def close(self) -> None:
        self._application.close()


@pytest.fixture
def visitor(browser: Browser, site: str) -> Iterator[Visitor]:
    visitor = Visitor(browser, site)
    yield visitor
    visitor.close()


def kinds(observation: Observation) -> list[EventKind]:
    return [each.kind for each in observation.events]


def found(root: Element, role: str, name: str) -> Element:
    (element,) = Locator(role, name).find(root)
    return element


def test_what_is_in_view_has_roles_names_options_and_states(visitor: Visitor) -> None:
    root = visitor.open("/").root
    assert found(root, "textbox", "Name").attribute("name") == "name"
    assert found(root, "combobox", "Size").options == ("S", "L")
    assert found(root, "button", "Off")
    assert COVERED in found(root, "link", "Below").states
    assert not Locator("button", "Hidden").find(root)
    assert [each.name for each in actions_of(root) if each.locators] == ["Show"]


def test_every_kind_of_field_is_filled(visitor: Visitor) -> None:
    visitor.open("/")
    values = {
        "textbox": ("Name", "Ada"),
        "combobox": ("Size", "L"),
        "checkbox": ("Gift", "on"),
        "button": ("Photo", "a.txt"),
    }
    inputs = tuple(FieldInput((Locator(role, name),), value) for role, (name, value) in values.items())
    shown = visitor.perform(PageStep((Locator("button", "Show"),), inputs))
    assert not shown.refusal
    assert "AdaLtrue1" in shown.root.all_text()


def test_what_a_step_causes_is_waited_for(visitor: Visitor) -> None:
    visitor.open("/slow")
    assert "loaded" in visitor.do("Load").root.all_text()


def test_polling_holds_nothing_up_and_a_page_that_never_rests_is_named(visitor: Visitor) -> None:
    for path in ("/polling", "/drawing", "/animated"):
        assert not visitor.open(path).is_restless
    assert visitor.open("/restless").is_restless


def test_a_request_that_never_ends_holds_up_once_and_never_hides_what_a_step_causes(visitor: Visitor) -> None:
    assert visitor.open("/waiting").is_restless
    shown = visitor.do("Load")
    assert not shown.is_restless
    assert "loaded" in shown.root.all_text()
    assert not visitor.open("/waiting").is_restless


def test_a_field_alone_is_filled_and_entered(visitor: Visitor) -> None:
    visitor.open("/")
    assert not visitor.do("Gift", Gift="on").refusal
    assert CHECKED in found(visitor.now.root, "checkbox", "Gift").states
    visitor.do("Name", Name="Ada")
    assert found(visitor.now.root, "textbox", "Name").value == "Ada"


def test_a_form_leads_to_its_answer(visitor: Visitor) -> None:
    visitor.open("/form")
    assert visitor.do("Go", Query="x").address.endswith("/answer?q=x")


@pytest.mark.parametrize("path", ["/leaks", "/away", "/redirect"])
def test_nothing_outside_of_the_origins_is_ever_requested(
    path: str, visitor: Visitor, elsewhere: tuple[str, list[str]]
) -> None:
    if path == "/redirect":
        with pytest.raises(RunnerError) as error:
            visitor.open(path)
        assert error.value.slug == "crawl-no-answer"
    else:
        # A page that leads away may be read before it does.
        with suppress(RunnerError):
            visitor.open(path)
    if path == "/leaks":
        for name in ("New tab", "Link", "Send"):
            visitor.open(path)
            visitor.do(name)
    assert elsewhere[1] == []


def test_a_page_that_cannot_be_reached_is_a_refusal_and_the_page_before_is_back(visitor: Visitor) -> None:
    visitor.open("/leaks")
    after = visitor.do("Link")
    assert after.refusal == "the page that follows cannot be reached"
    assert not after.is_lost
    assert found(after.root, "heading", "Leaks")


def test_popups_are_closed_and_named(visitor: Visitor) -> None:
    visitor.open("/leaks")
    seen = kinds(visitor.do("New tab"))
    # It may come up after the page has settled.
    for _ in range(20):
        if EventKind.POPUP not in seen:
            seen += kinds(visitor.perform(PageStep((Locator("button", "Nowhere"),))))
    assert EventKind.POPUP in seen
    assert found(visitor.now.root, "heading", "Leaks")


def test_dialogs_are_answered_also_when_leaving(visitor: Visitor) -> None:
    visitor.open("/dialogs")
    asked = visitor.do("Ask")
    assert [each.text for each in asked.events] == ["confirm: Really?", "alert: Done"]
    assert "true" in asked.root.all_text()
    assert visitor.do("Leave").title == ""
    assert found(visitor.now.root, "heading", "Start")


def test_errors_of_the_page_are_events(visitor: Visitor, site: str) -> None:
    assert set(kinds(visitor.open("/errors"))) == {EventKind.CONSOLE_ERROR, EventKind.PAGE_ERROR}
    (event,) = visitor.open("/nowhere").events
    assert (event.kind, event.text) == (EventKind.HTTP_ERROR, f"500 {site}/nowhere")


def test_downloads_are_kept_off(visitor: Visitor) -> None:
    visitor.open("/downloads")
    after = visitor.do("Get")
    assert EventKind.DOWNLOAD in kinds(after)
    assert not after.is_restless
    assert found(after.root, "heading", "Downloads")


def test_an_answer_without_a_page_leaves_the_page_as_it_is(visitor: Visitor) -> None:
    visitor.open("/nothing")
    after = visitor.do("Ping")
    assert not after.is_restless
    assert found(after.root, "heading", "Nothing")


def test_a_deep_and_long_page_is_read(visitor: Visitor) -> None:
    root = visitor.open("/long").root
    assert found(root, "button", "Deep")
    assert sum(each.text == "x" for each in root.walk()) == 3000


def test_an_element_that_is_not_there_is_a_refusal(visitor: Visitor) -> None:
    visitor.open("/")
    assert "no such element" in visitor.perform(PageStep((Locator("button", "Nowhere"),))).refusal
    assert visitor.perform(PageStep((Locator("button", "Off"),))).refusal
