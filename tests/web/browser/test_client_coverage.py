"""What pages run of their scripts, in a real browser, on scripts whose bytes are known."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, sync_playwright

from unknot.model.web.code_coverage import CodeSet, StepCoverage, merged, ranges_of, size
from unknot.model.web.locator import Locator
from unknot.model.web.step import PageStep
from unknot.web.browser.browser_application import BrowserApplication
from unknot.web.browser.client_coverage import ClientCoverage
from unknot.web.browser.launch import launch, origin_of
from unknot.web.browser.own_code import OwnCode

pytestmark = pytest.mark.browser

APP = """\
function leave() { return 1 }
function choose(more) { if (more) { return 2 } else { return 3 } }
function never() { return 4 }
addEventListener("pagehide", function hides() { window.gone = 1 });
"""

SOURCE = """\
// A comment that makes no code.
export function add(a, b) { return a + b }
export function unused() { return 0 }
"""
BUNDLE = "function a(b,c){return b+c}function u(){return 0}a(1,2);\n//# sourceMappingURL=MAP\n"


def vlq(number: int) -> str:
    """Written for these tests: a digit of base 64 has five bits and one for `continues`."""
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    value, text = (-number << 1 | 1 if number < 0 else number << 1), ""
    while True:
        value, digit = value >> 5, value & 31
        text += digits[digit | (32 if value else 0)]
        if not value:
            return text


def mappings(segments: list[tuple[int, int, int, int]]) -> str:
    """Of one line: columns, sources, lines, columns there; each written as the difference to the one before."""
    before = (0, 0, 0, 0)
    texts = []
    for segment in segments:
        texts.append("".join(vlq(now - last) for now, last in zip(segment, before, strict=True)))
        before = segment
    return ",".join(texts)


SOURCE_MAP = json.dumps(
    {
        "version": 3,
        "sources": ["webpack:///./src/add.js", "webpack:///./node_modules/other/index.js"],
        "sourcesContent": [SOURCE, "never()"],
        "mappings": mappings(
            [(0, 0, 1, 7), (16, 0, 1, 28), (27, 0, 2, 7), (38, 0, 2, 25), (49, 1, 0, 0), (56, 1, 0, 7)],
        ),
    }
)

PAGES = {
    "/": """<h1>Start</h1><script src=/app.js></script><script src=/static/jquery-3.7.1.min.js></script>
        <script src=/vendor/thing.js></script><a href=/next onclick="leave()">Next</a>
        <button onclick="choose(1)">More</button><button onclick="choose(0)">Less</button>""",
    "/next": "<h1>Next</h1><a href=/>Back</a>",
    "/app.js": APP,
    "/static/jquery-3.7.1.min.js": "function library() { return 1 } library()",
    "/vendor/thing.js": "function thing() { return 1 } thing()",
    "/mapped": "<h1>Mapped</h1><script src=/bundle.js></script>",
    "/bundle.js": BUNDLE.replace("MAP", "/maps/bundle.js.map"),
    "/maps/bundle.js.map": SOURCE_MAP,
    "/data": "<h1>Data</h1><script src=/data.js></script>",
    "/outside": "<h1>Outside</h1><script src=/outside.js></script>",
    "/broken": "<h1>Broken</h1><script src=/broken.js></script>",
    "/broken.js": BUNDLE.replace("MAP", "/maps/broken.js.map"),
    "/maps/broken.js.map": '{"version": 3, "sources": ["a.js"], "sourcesContent": ["a"], "mappings": "!"}',
    "/inline/1": "<h1>One</h1><script>var token = 'abc', page = 1; function used() { return page } used()</script>",
    "/inline/2": "<h1>Two</h1><script>var token = 'other', page = 22; function used() { return page } used()</script>",
    "/single": """<h1>Single</h1><script>function turn() { return location.pathname ? 1 : 2 }</script>
        <button onclick="history.pushState(0, '', '/single/' + Math.random()); turn()">Turn</button>""",
    "/stops": "<h1>Stops</h1><script>debugger; function after() { return 1 } after()</script>",
}


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[tuple[str, list[str]]]:
    reached: list[str] = []

    class Elsewhere(BaseHTTPRequestHandler):
        def handle_one_request(self) -> None:
            reached.append(self.rfile.readline().decode("latin-1"))
            self.close_connection = True

    with serving(Elsewhere) as address:
        yield address, reached


@pytest.fixture(scope="module")
def site(elsewhere: tuple[str, list[str]]) -> Iterator[str]:
    encoded = "".join(f"%{octet:02x}" for octet in SOURCE_MAP.encode())
    pages = {
        **PAGES,
        "/data.js": BUNDLE.replace("MAP", f"data:application/json,{encoded}"),
        "/outside.js": BUNDLE.replace("MAP", f"{elsewhere[0]}/bundle.js.map"),
    }

    class Site(BaseHTTPRequestHandler):
        def log_message(self, *arguments: object) -> None:
            pass

        def do_GET(self) -> None:
            body = pages.get(self.path, "").encode()
            self.send_response(200 if body else 404)
            kind = "text/javascript" if self.path.endswith(".js") else "text/html"
            for name, value in {"Content-Type": f"{kind}; charset=utf-8", "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

    with serving(Site) as address:
        yield address


class serving:
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
    def __init__(self, browser: Browser, site: str) -> None:
        self._address = site
        client = ClientCoverage(OwnCode([origin_of(site)]))
        self._application = BrowserApplication(browser, lambda: self._address, client=client)
        self._site = site

    def open(self, path: str) -> StepCoverage:
        self._address = self._site + path
        return given(self._application.reset().coverage)

    def click(self, role: str, name: str) -> StepCoverage:
        observation = self._application.perform(PageStep((Locator(role, name),)))
        assert not observation.refusal
        return given(observation.coverage)

    def close(self) -> None:
        self._application.close()


@pytest.fixture
def visitor(browser: Browser, site: str) -> Iterator[Visitor]:
    visitor = Visitor(browser, site)
    yield visitor
    visitor.close()


def given(coverage: StepCoverage | None) -> StepCoverage:
    assert coverage is not None
    return coverage


def of(code: CodeSet, path: str) -> tuple[tuple[int, int], ...]:
    return next((ranges for name, ranges in code.client_bytes.items() if name.partition("#")[0] == path), ())


def place(text: str, part: str) -> tuple[int, int]:
    start = text.index(part)
    return start, start + len(part)


def outside_functions(text: str, *parts: str) -> tuple[tuple[int, int], ...]:
    ran, start = [], 0
    for part in parts:
        ran.append((start, place(text, part)[0]))
        start = place(text, part)[1]
    return merged([*ran, (start, len(text))])


def test_loading_runs_what_is_outside_of_functions_and_makes_all_of_a_script_known(visitor: Visitor) -> None:
    loaded = visitor.open("/")
    lines = APP.splitlines()
    assert of(loaded.ran, "/app.js") == outside_functions(APP, *lines[:3], "function hides() { window.gone = 1 }")
    assert of(loaded.known, "/app.js") == ((0, len(APP)),)
    assert loaded.known.size().functions == 4


def test_libraries_are_no_own_code(visitor: Visitor) -> None:
    loaded = visitor.open("/")
    assert {name.partition("#")[0] for name in loaded.known.client_bytes} == {"/app.js"}


def test_a_step_runs_the_bytes_of_its_branch(visitor: Visitor) -> None:
    visitor.open("/")
    function = APP.splitlines()[1]
    more, less = visitor.click("button", "More").ran, visitor.click("button", "Less").ran
    for ran, other in ((more, "{ return 3 }"), (less, "{ return 2 }")):
        ranges = of(ran, "/app.js")
        start, end = place(APP, function)
        assert size(ranges) < end - start
        assert ranges[0][0] == start
        middle = place(APP, other)[0] + 3
        assert not any(low <= middle < high for low, high in ranges)
    assert more.functions.items() >= {next(iter(more.functions)): ranges_of([place(APP, function)[0]])}.items()
    assert of(more.union(less), "/app.js") == (place(APP, function),)
    assert sum(name.startswith("inline") for name in more.client_bytes) == 1


def test_what_a_click_runs_before_it_leaves_the_page_is_not_lost(visitor: Visitor) -> None:
    visitor.open("/")
    ran = of(visitor.click("link", "Next").ran, "/app.js")
    assert ran == (place(APP, APP.splitlines()[0]), place(APP, "function hides() { window.gone = 1 }"))


def test_bytes_are_exact_after_many_pages(visitor: Visitor) -> None:
    visitor.open("/")
    expected = visitor.click("button", "More").ran
    for _ in range(12):
        visitor.click("link", "Next")
        visitor.click("link", "Back")
    assert visitor.click("button", "More").ran == expected


def test_a_single_document_is_measured_however_often_its_address_changes(visitor: Visitor) -> None:
    visitor.open("/single")
    first = visitor.click("button", "Turn").ran
    assert first.size().functions == 2
    for _ in range(24):
        again = visitor.click("button", "Turn").ran
        assert again.size().functions == 1
        assert not again.difference(first)


def test_code_is_the_same_after_a_reset_and_nothing_of_it_is_known_twice(visitor: Visitor) -> None:
    first, second = visitor.open("/"), visitor.open("/")
    assert first.ran == second.ran
    assert not second.known


@pytest.mark.parametrize("path", ["/mapped", "/data"])
def test_through_a_map_the_pieces_of_own_sources_count(path: str, visitor: Visitor) -> None:
    loaded = visitor.open(path)
    begins = SOURCE.index("function add")
    assert of(loaded.known, "src/add.js") == ((begins, len(SOURCE)),)
    assert of(loaded.ran, "src/add.js") == ((begins, SOURCE.index("function unused")),)
    assert [set(side) for side in (loaded.known.client_bytes, loaded.ran.client_bytes)] == [
        {name for name in loaded.known.client_bytes if name.startswith("src/add.js#")}
    ] * 2
    (functions,) = loaded.ran.functions.values()
    assert functions == ranges_of([begins])


@pytest.mark.parametrize("path", ["/outside", "/broken"])
def test_without_a_map_that_can_be_read_the_script_itself_counts(
    path: str, visitor: Visitor, elsewhere: tuple[str, list[str]]
) -> None:
    loaded = visitor.open(path)
    assert of(loaded.known, f"{path}.js")
    assert elsewhere[1] == []


def test_a_script_in_a_page_is_the_same_code_with_other_data(visitor: Visitor) -> None:
    one, two = visitor.open("/inline/1"), visitor.open("/inline/2")
    assert one.ran.client_bytes == two.ran.client_bytes
    assert one.ran.size().functions == 1
    assert not two.known.difference(one.known)


def test_statements_that_stop_a_debugger_stop_nothing(visitor: Visitor) -> None:
    assert visitor.open("/stops").ran.size().functions == 1


def test_without_a_client_nothing_is_measured(browser: Browser, site: str) -> None:
    application = BrowserApplication(browser, lambda: site)
    assert application.reset().coverage is None
    application.close()
