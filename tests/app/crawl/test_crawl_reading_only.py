"""A crawl of a server that is not ours sends nothing that may change its data, however a page would."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from crawled_site import Asked, CrawledSite, Page, serving
from noted_crawl import Crawl, Notes

from unknot.app.crawl.crawl import CrawlOptions
from unknot.app.crawl.dry_run import dry_run
from unknot.model.web.crawl_summary import CrawlSummary
from unknot.report.navigation.crawl_text import crawl_json, crawl_text

pytestmark = pytest.mark.browser

WAYS = {
    "Keep": "<button onclick=\"fetch('/by-fetch', {method: 'POST'}).then(() => title = 'kept')\">Keep</button>",
    "Put": "<button onclick=\"let r = new XMLHttpRequest(); r.open('PUT', '/by-xhr'); r.send('x')\">Put</button>",
    "Note": "<button onclick=\"navigator.sendBeacon('/by-beacon', 'x')\">Note</button>",
    "Apply": "<form action=/list><button formmethod=post formaction=/by-button>Apply</button></form>",
    "Window": "<form action=/list><button formmethod=post formaction=/by-popup formtarget=_blank>Window</button>"
    "</form>",
    "Rate": "<button onclick=\"new Worker('/worker.js')\">Rate</button>",
    "Vote": "<button onclick=\"new SharedWorker('/worker.js')\">Vote</button>",
    "Leave": "<a href=/list onclick=\"window.addEventListener('pagehide', () => navigator.sendBeacon('/by-leaving'))\">"
    "Leave</a>",
    "Ping": "<a href=/list ping=/by-ping>Ping</a>",
}
SENT = {"/by-fetch", "/by-beacon", "/by-button", "/by-popup", "/by-worker", "/by-leaving", "/by-ping"}
PAGES: dict[str, Page] = {
    "/": "<h1>Start</h1>" + "".join(f"<p>{each}</p>" for each in WAYS.values()),
    "/list": "<h1>List</h1><a href=/>Home</a><script>fetch('/figures', {method: 'POST'})</script>",
    "/worker.js": (200, {"Content-Type": "text/javascript"}, "fetch('/by-worker', {method: 'POST'})"),
}


@pytest.fixture
def site() -> Iterator[CrawledSite]:
    with serving(PAGES, otherwise="<h1>Done</h1><a href=/>Home</a>") as served:
        yield served


def written(site: CrawledSite) -> list[Asked]:
    return [each for each in site.asked if each.method != "GET"]


def spared(found: CrawlSummary) -> set[str]:
    return {title for title, why, _ in found.spared() if why == "changes data"}


def test_nothing_is_sent_and_what_would_be_is_left_alone(crawled: Crawl, site: CrawledSite) -> None:
    found = crawled(site.address, steps=25).summary
    assert written(site) == []
    # Not "Rate": a worker may send when the step is over.
    assert {"Keep", "Put", "Note", "Apply", "Window"} <= spared(found)
    assert not {"Leave", "Ping", "Home"} & spared(found)
    assert f"POST {site.address}/by-fetch" in found.unsent
    assert f"POST {site.address}/figures" in found.unsent
    text = crawl_text(found).plain
    assert "that may change data, not sent" in text
    assert crawl_json(found)["unsent"] == list(found.unsent)
    assert {page.kind for page in found.model.pages} == {"/", "/list"}


def test_with_writes_it_is_sent(crawled: Crawl, site: CrawledSite) -> None:
    found = crawled(site.address, steps=25, writes=True).summary
    assert {each.path for each in written(site)} >= SENT
    assert found.unsent == ()


def test_the_login_may_send_and_is_repeated_when_it_is_lost(crawled: Crawl, tmp_path: Path) -> None:
    sessions: set[str] = set()

    def page(asked: Asked) -> tuple[int, dict[str, str], str]:
        if asked.method == "POST" and asked.path == "/login":
            sessions.add("session=1")
            return 303, {"Set-Cookie": "session=1", "Location": "/"}, ""
        if asked.path == "/forget":
            sessions.clear()
        if asked.cookie not in sessions:
            return 200, {}, "<h1>In</h1><form method=post action=/login><input type=password name=p><button>Go</button>"
        keep = "<button onclick=\"fetch('/keep', {method: 'POST'})\">Keep</button>"
        return 200, {}, f"<h1>Start</h1><a href=/forget>Forget</a> <a href=/other>Other</a> {keep}"

    (tmp_path / "login.py").write_text(
        "def log_in(page):\n    page.locator('input').fill('x')\n    page.get_by_role('button').click()\n"
        "    page.get_by_text('Forget').wait_for()\n"
    )
    with serving({}, otherwise=page) as site:
        found = crawled(site.address, login="login.py::log_in", steps=12).summary
        assert {each.path for each in written(site)} == {"/login"}
    assert found.lost_logins >= 1
    assert "Keep" in spared(found)


def test_a_dry_run_sends_nothing_and_stays_with_the_application_after_a_login_elsewhere(
    options: Callable[..., CrawlOptions], notes: Notes, tmp_path: Path
) -> None:
    with serving(PAGES, otherwise="<h1>Done</h1>") as site:
        account = f"<h1>Account</h1><a href={site.address}/list>List</a>"
        with serving({}, otherwise=account) as accounts:
            (tmp_path / "login.py").write_text(f"def log_in(page):\n    page.goto('{accounts.address}/')\n")
            found = dry_run(options(site.address, also=(accounts.address,), login="login.py::log_in"), notes)
        assert written(site) == []
    assert f"{site.address}/list" in {page.address for page in found.pages}
