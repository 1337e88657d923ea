"""Applications that die, that lead nowhere or without end, and workers beside each other."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from crawled_site import Asked, Page, serving
from noted_crawl import Crawl, Notes

from unknot.app.crawl.crawl import CrawlOptions
from unknot.app.crawl.dry_run import dry_run
from unknot.model.errors import RunnerError, UsageError
from unknot.model.web.crawl_summary import CrawlSummary
from unknot.report.navigation.crawl_text import crawl_json, crawl_text
from unknot.report.navigation.dry_run_text import dry_run_json, dry_run_text

pytestmark = pytest.mark.browser

Instance = Callable[..., None]
Options = Callable[..., CrawlOptions]


def kinds(found: CrawlSummary) -> set[str]:
    return {page.kind for page in found.model.pages}


def test_an_instance_that_dies_is_started_again(crawled: Crawl, instance: Instance) -> None:
    instance('<a href="/die">End</a>')
    result = crawled(login="login.py::log_in", steps=20)
    assert not result.problem
    assert result.summary.steps == 20
    assert result.summary.resets >= 2
    (end,) = (each for page in result.summary.model.pages for each in page.actions if each.action.name == "End")
    assert end.tries >= 1
    assert end.worked == 0
    assert "/die" not in kinds(result.summary)


def test_an_application_that_never_comes_up_is_named_at_once(crawled: Crawl, tmp_path: Path) -> None:
    (tmp_path / "unknot.toml").write_text(
        "[instance]\nstart = 'false'\nports = 1\nready = 'port'\nreset = { kind = 'restart' }\n"
    )
    with pytest.raises(RunnerError):
        crawled(steps=3)


def test_workers_have_an_instance_each_and_one_model(crawled: Crawl, instance: Instance, tmp_path: Path) -> None:
    instance()
    result = crawled(login="login.py::log_in", steps=24, workers=2)
    assert result.summary.steps in (24, 25)
    assert result.summary.resets >= 2
    assert {"/", "/notes", "/about"} <= kinds(result.summary)
    assert len({kind.partition(" ")[0] for kind in kinds(result.summary)}) == len(kinds(result.summary))
    assert all(page.address.startswith("/") for page in result.summary.model.pages)
    assert result.summary.model.other_origins == ()
    assert len(set((tmp_path / "sent.txt").read_text().split())) >= 2
    again = crawled(login="login.py::log_in", steps=24, workers=2)
    assert again.summary.steps == result.summary.steps
    assert kinds(again.summary) == kinds(result.summary)


def test_several_workers_never_write_to_the_same_server(crawled: Crawl) -> None:
    with pytest.raises(UsageError) as error:
        crawled("http://127.0.0.1:9/", workers=2, writes=True)
    assert error.value.slug == "crawl-workers"


def test_workers_may_read_the_same_server(crawled: Crawl) -> None:
    pages = {"/": "<h1>Start</h1><a href=/a>A</a> <a href=/b>B</a>", "/a": "<h1>A</h1><a href=/>S</a>"}
    with serving(pages, otherwise="<h1>B</h1><a href=/>S</a>") as site:
        assert {"/", "/a", "/b"} == kinds(crawled(site.address, workers=2, steps=12).summary)


def test_a_page_without_any_action_ends_the_crawl(crawled: Crawl) -> None:
    with serving({"/": "<h1>Nothing to do</h1>"}) as site:
        found = crawled(site.address, minutes=5).summary
    assert (found.steps, kinds(found)) == (0, {"/"})


@pytest.mark.parametrize("trap", ["/page/{}", "/calendar?month={}", "/story/{}"])
def test_pages_without_end_leave_time_for_the_rest(trap: str, crawled: Crawl) -> None:
    """Pagination, a calendar, and stories whose names look like no data."""

    def endless(asked: Asked) -> str:
        digits = asked.query.rpartition("=")[2] or asked.path.rpartition("/")[2]
        number = int("".join(filter(str.isdecimal, digits)) or ord(digits[0]) * 100 + len(digits))
        following = [trap.format(_word(number + step) if "story" in trap else number + step) for step in (1, 2)]
        links = "".join(f"<a href='{each}'>To {each.rpartition('/')[2]}</a> " for each in following)
        return f"<h1>Part {digits}</h1>{links}"

    first = trap.format("alpha" if "story" in trap else 1)
    pages = {
        "/": f"<h1>Start</h1><a href='{first}'>Endless</a> <a href=/settings>Settings</a> <a href=/help>Help</a>",
        "/settings": "<h1>Settings</h1><a href=/settings/deep>Deep</a>",
        "/settings/deep": "<h1>Deep</h1><a href=/>Home</a>",
        "/help": "<h1>Help</h1><a href=/>Home</a>",
    }
    with serving(pages, otherwise=endless) as site:
        found = crawled(site.address, steps=40, coverage=False).summary
    assert {"/settings", "/settings/deep", "/help"} <= kinds(found)


def _word(number: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in str(number))


def test_a_page_cannot_write_to_the_terminal_or_into_a_path(crawled: Crawl, tmp_path: Path) -> None:
    name = "\x1b[2J%s {0} \u202e../../x\x00<b>"
    body = f"<title>{name}</title><h1>{name}</h1><button>{name}</button><a href='/..%2f..%2f{name}'>on</a>"
    with serving({}, otherwise=body) as site:
        result = crawled(site.address, steps=5)
    text = crawl_text(result.summary).plain
    assert "\x1b" not in text
    assert "\u202e" not in text
    json.loads(json.dumps(crawl_json(result.summary)))
    written = {each.relative_to(tmp_path).parts[0] for each in tmp_path.rglob("*")}
    assert written == {"pyproject.toml", ".unknot"}


def test_a_download_does_not_reach_the_disk(crawled: Crawl, tmp_path: Path) -> None:
    pages: dict[str, Page] = {
        "/": "<h1>Start</h1><a href=/file>Get</a> <a href=/other>Other</a>",
        "/file": (200, {"Content-Disposition": 'attachment; filename="../../evil.txt"'}, "evil content"),
        "/other": "<h1>Other</h1><a href=/>Home</a>",
    }
    with serving(pages) as site:
        found = crawled(site.address, steps=8).summary
    assert {"/", "/other"} <= kinds(found)
    assert not list(tmp_path.rglob("*evil*"))
    assert not [each for each in tmp_path.rglob("*.txt") if b"evil content" in each.read_bytes()]


def test_a_dry_run_clicks_nothing_and_says_what_would_be_clicked(options: Options, notes: Notes) -> None:
    pages = {
        "/": "<h1>Start</h1><a href=/list>List</a> <a href=/remove>Delete all</a> <a href=http://other.test/>Away</a>"
        "<button onclick=\"fetch('/clicked')\">Press</button><a href=/logout>Log out</a>"
        "<form method=post action=/send><label>Text <input name=t></label><button>Save</button></form>",
        "/list": "<h1>List</h1>" + "".join(f"<a href=/item/{number}>Item {number}</a> " for number in range(20)),
    }
    with serving(pages, otherwise="<h1>Item</h1>") as site:
        found = dry_run(options(site.address), notes)
        asked = {(each.method, each.path) for each in site.asked if each.path != "/favicon.ico"}
    assert {method for method, _ in asked} == {"GET"}
    assert {path for _, path in asked}.isdisjoint({"/remove", "/clicked", "/logout", "/send"})
    assert len([path for _, path in asked if path.startswith("/item/")]) == 3
    start = next(page for page in found.pages if page.kind == "/")
    assert [each.name for each in start.actions] == ["List", "Press"]
    assert [(each.name, why) for each, why in start.spared] == [
        ("Delete all", "changes data"),
        ("Away", "leads to another site"),
        ("Log out", "logs out"),
        ("Save", "changes data"),
    ]
    assert "left alone: Log out: logs out" in dry_run_text(found).plain
    assert dry_run_json(found)["opened"] == found.opened


def test_a_dry_run_of_what_may_be_written_lists_it(options: Options, notes: Notes) -> None:
    form = "<h1>Start</h1><form method=post><label>Text <input name=t></label><button>Save</button></form>"
    with serving({"/": form}) as site:
        found = dry_run(options(site.address, writes=True), notes)
        assert {each.method for each in site.asked} == {"GET"}
    assert "fill Text, then click Save" in dry_run_text(found).plain
