"""Pages that crash, close, hang, ask without end or lead elsewhere by themselves."""

import json
import os
import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from crawled_site import CrawledSite, serving
from playwright.sync_api import Browser, Playwright, sync_playwright

from unknot.web.application.observation import EventKind, Observation
from unknot.web.browser import launch as launching
from unknot.web.browser.browser_application import BrowserApplication
from unknot.web.browser.launch import launch, origin_of
from unknot.web.crawl.actions import actions_of

pytestmark = pytest.mark.browser

ROWS = "".join(f"<tr><td>Row {number}</td><td>{'text ' * 40}</td></tr>" for number in range(12_000))

PAGES = {
    "/": "<h1>Start</h1><a href=/other>Other</a>",
    "/other": "<h1>Other</h1>",
    "/close": "<h1>Close</h1><button onclick='window.close()'>Close</button>",
    "/hang": "<h1>Hang</h1><button onclick='for(;;);'>Hang</button>",
    "/alerts": "<h1>Alerts</h1><button onclick='for(;;) alert(1)'>Ask</button>",
    "/prompts": "<h1>Asks</h1><script>onbeforeunload = event => { event.preventDefault(); return 'stay' }</script>"
    "<button onclick=\"document.title = prompt('Name?', 'Ada') + confirm('Sure?')\">Ask</button><a href=/other>On</a>",
    "/on": "<h1>On</h1><script>setTimeout(() => location.href = '/on?' + Math.random(), 5)</script>",
    "/moves": "<h1>Moves</h1><script>setTimeout(() => location.href = '/other', 30)</script>",
    "/large": f"<h1>Large</h1><table>{ROWS}</table>",
    "/huge": f"<h1>Huge</h1>{'<b></b>' * 70_000}",
    "/names": "<title>%s {0} \x1b[31m \u202e <script>alert(1)</script></title>"
    "<h1>Names</h1><button>&lt;img src=x onerror=alert(1)&gt;</button><button>%(x)s {y} \x07\u202eevil</button>",
    "/frames": "<h1>Frames</h1>" + "<iframe src=/other></iframe>" * 20,
    "/worker": "<h1>Worker</h1><script>navigator.serviceWorker && navigator.serviceWorker.register('/sw.js')"
    ".then(() => document.title = 'installed', () => document.title = 'blocked')</script>",
    "/opens": "<h1>Opens</h1><button onclick=\"for (let i = 0; i < 5; i++) window.open('ELSEWHERE/open' + i)\">"
    "Open</button><a href='ELSEWHERE/blank' target=_blank rel=opener>Blank</a>"
    "<a href=/other target=_blank>Own</a>",
    "/dns": "<h1>Names</h1><img src='http://other.test/image'><link rel=dns-prefetch href='//prefetch.test'>"
    "<link rel=preconnect href='https://preconnect.test'><script>fetch('http://fetch.test/').catch(() => 0);"
    "new WebSocket('ws://socket.test/'); new RTCPeerConnection({iceServers: [{urls: 'stun:stun.test:3478'}]})"
    ".createDataChannel('x')</script>",
}


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[tuple[str, list[bytes]]]:
    """Listens on another port, and notes whatever connects."""
    reached: list[bytes] = []
    listener = socket.create_server(("127.0.0.1", 0))

    def listen() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(1)
                try:
                    reached.append(connection.recv(200))
                except OSError:
                    reached.append(b"a connection")

    threading.Thread(target=listen, daemon=True).start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}", reached
    listener.close()


@pytest.fixture(scope="module")
def site(elsewhere: tuple[str, list[bytes]]) -> Iterator[CrawledSite]:
    pages = {path: text.replace("ELSEWHERE", elsewhere[0]) for path, text in PAGES.items()}

    worker = 200, {"Content-Type": "text/javascript"}, "fetch('/other')"
    with serving({**pages, "/sw.js": worker}) as served:
        yield served


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="module")
def browser(site: CrawledSite, playwright: Playwright) -> Iterator[Browser]:
    browser = launch(playwright, [origin_of(site.address)])
    yield browser
    browser.close()


class Visitor:
    def __init__(self, browser: Browser, site: str) -> None:
        self.browser = browser
        self._site = site
        self._address = site
        self.application = BrowserApplication(browser, lambda: self._address)

    def open(self, path: str) -> Observation:
        self._address = self._site + path
        self.now = self.application.reset()
        return self.now

    def do(self, name: str) -> Observation:
        (action,) = (each for each in actions_of(self.now.root) if each.name == name)
        self.now = self.application.perform(action.step({}))
        return self.now


@pytest.fixture
def visitor(browser: Browser, site: CrawledSite) -> Iterator[Visitor]:
    visitor = Visitor(browser, site.address)
    yield visitor
    visitor.application.close()


@pytest.mark.parametrize(
    ("path", "name", "why"),
    [
        ("/hang", "Hang", "the page does not respond"),
        ("/alerts", "Ask", "the page never stops to ask"),
    ],
)
def test_a_page_that_answers_no_more_is_lost_and_a_reset_leads_on(
    path: str, name: str, why: str, visitor: Visitor
) -> None:
    visitor.open(path)
    after = visitor.do(name)
    assert after.is_lost
    assert after.refusal == why
    assert not visitor.open("/").is_lost


def test_a_page_that_closes_itself_is_lost_or_stays(visitor: Visitor) -> None:
    visitor.open("/close")
    after = visitor.do("Close")
    assert after.is_lost == (after.refusal == "the page closed itself")
    assert visitor.open("/").title == ""


def test_a_renderer_that_crashes_is_a_lost_page(visitor: Visitor) -> None:
    visitor.open("/")
    devtools = visitor.browser.new_browser_cdp_session()
    for each in devtools.send("SystemInfo.getProcessInfo")["processInfo"]:
        if each["type"] == "renderer":
            os.kill(each["id"], signal.SIGKILL)
    after = visitor.do("Other")
    assert after.is_lost
    assert after.refusal == "the page crashed"
    assert not visitor.open("/").is_lost


def test_dialogs_of_every_kind_are_answered(visitor: Visitor) -> None:
    visitor.open("/prompts")
    asked = visitor.do("Ask")
    assert [each.text for each in asked.events] == ["prompt: Name?", "confirm: Sure?"]
    assert visitor.do("On").address.endswith("/other")


def test_a_page_that_leads_on_without_end_is_restless_or_cannot_be_read(visitor: Visitor) -> None:
    """Which of them depends on when it is read."""
    visitor.open("/")
    seen = visitor.application.visit(visitor.now.address + "on")
    assert seen.is_restless or seen.is_lost
    assert not visitor.open("/").is_restless


def test_a_page_that_leads_on_once_is_followed(visitor: Visitor) -> None:
    assert visitor.open("/moves").address.endswith("/other")


def test_a_page_of_several_megabytes_is_read(visitor: Visitor) -> None:
    seen = visitor.open("/large")
    assert sum(each.role == "row" for each in seen.root.walk()) == 12_000


def test_a_page_with_too_many_elements_is_named(visitor: Visitor) -> None:
    with pytest.raises(Exception, match="more than 60,000 elements") as error:
        visitor.open("/huge")
    assert getattr(error.value, "slug", "") == "crawl-no-answer"


def test_titles_and_names_are_text_and_nothing_else(visitor: Visitor) -> None:
    seen = visitor.open("/names")
    assert not [each for each in seen.events if each.kind is EventKind.DIALOG]
    assert "<script>alert(1)</script>" in seen.title
    assert "<img src=x onerror=alert(1)>" in [each.name for each in actions_of(seen.root)]
    for action in actions_of(seen.root):
        assert not visitor.application.perform(action.step({})).refusal


def test_frames_are_loaded_and_settle(visitor: Visitor) -> None:
    assert not visitor.open("/frames").is_restless


def test_service_workers_are_blocked(visitor: Visitor, site: CrawledSite) -> None:
    site.asked.clear()
    visitor.open("/worker")
    assert "/sw.js" not in [each.path for each in site.asked]


def test_popups_reach_nothing_elsewhere(visitor: Visitor, elsewhere: tuple[str, list[bytes]]) -> None:
    for name in ("Open", "Blank", "Own"):
        visitor.open("/opens")
        assert visitor.do(name).address.endswith("/opens")
    visitor.open("/")
    assert elsewhere[1] == []


def test_no_name_elsewhere_is_resolved(
    site: CrawledSite, playwright: Playwright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser's own log says what it has looked up and where it has connected."""
    log = tmp_path / "net.json"
    flags = (*launching._FLAGS, f"--log-net-log={log}")
    monkeypatch.setattr(launching, "_FLAGS", flags)
    browser = launch(playwright, [origin_of(site.address)])
    visitor = Visitor(browser, site.address)
    visitor.open("/dns")
    visitor.application.close()
    browser.close()
    text = log.read_text(encoding="utf-8")
    document = json.loads(text if text.rstrip().endswith("}") else text.rstrip().rstrip(",") + "]}")
    names = {number: name for name, number in document["constants"]["logEventTypes"].items()}
    connected = {
        event["params"]["address"]
        for event in document["events"]
        if names[event["type"]] == "TCP_CONNECT_ATTEMPT" and "address" in event.get("params", {})
    }
    # The port for discarding is the proxy that ends what is not allowed.
    port = site.address.rpartition(":")[2]
    assert f"127.0.0.1:{port}" in connected
    assert connected <= {f"127.0.0.1:{port}", "127.0.0.1:9"}
    seen = {names[event["type"]] for event in document["events"]}
    assert seen.isdisjoint({"HOST_RESOLVER_SYSTEM_TASK", "HOST_RESOLVER_DNS_TASK", "UDP_BYTES_SENT"})
