"""The page of a crawl: whatever the application says, it is text, and each link leads somewhere."""

import json
import re
from dataclasses import replace
from html import escape
from itertools import combinations

from html_page import Page
from hypothesis import given
from strategies import laws
from web_models import ADD_BILL, HOME_LINK, MODEL, web_models

from unknot.model.navigation_graph import NavigationGraph, Parameter, Transition
from unknot.model.sanitise import shown
from unknot.model.web.crawl_summary import CrawlSummary, PageFault
from unknot.model.web.web_model import Component, Destination, PageAction, WebModel, WebPage
from unknot.report.html.style import SITE_MAP
from unknot.report.site_map.drawing import drawing_data
from unknot.report.site_map.page import site_map_html
from unknot.report.site_map.site_map import map_of_crawl, map_of_graph, map_of_model

BAD = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'\x1b\x00\u202e"
JPEG = b"\xff\xd8\xff\xe0 picture"


def crawled(model: WebModel, fault: str = "x is not defined") -> CrawlSummary:
    page = model.pages[-1].kind if model.pages else ""
    faults = (PageFault("page error", fault, page, "Save", 2), PageFault("http error", fault, "", "", 1))
    return CrawlSummary(model, faults, ("http://elsewhere.example/?" + fault,), 40, 3, 2, 12.5)


@laws(40)
@given(web_models())
def test_any_model_gives_a_balanced_page_whose_links_lead_somewhere(model: WebModel) -> None:
    text = site_map_html(map_of_crawl(crawled(model, BAD), dict.fromkeys((p.kind for p in model.pages), JPEG), BAD))
    page = Page(_with_closed_images(text))
    assert page.tags.count("script") == 2
    assert text.replace("\n", "").isprintable()
    ids = [value for name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    links = {value for name, value in page.attributes if name == "href"}
    assert {link.removeprefix("#") for link in links} <= set(ids)
    assert all(f"<code>{_escaped(each.kind)}</code>" in text for each in model.pages)


def _with_closed_images(text: str) -> str:
    """Images have no end tag."""
    return re.sub(r"(<img [^>]*>)", r"\1</img>", text)


def _escaped(text: str) -> str:
    return escape(shown(text))


def test_only_a_jpeg_is_shown() -> None:
    kind = MODEL.pages[0].kind
    assert "data:image/jpeg;base64,/9j/" in site_map_html(map_of_model(MODEL, {kind: JPEG}))
    assert "<img" not in site_map_html(map_of_model(MODEL, {kind: b"<svg onload=alert(1)>"}))


def test_the_page_may_run_its_script_and_show_its_pictures_and_nothing_else() -> None:
    policy = SITE_MAP.content_security_policy()
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "img-src data:;" in policy
    for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "srcdoc"):
        assert way not in SITE_MAP.script()


def test_what_is_known_of_an_action_is_on_the_page() -> None:
    text = site_map_html(map_of_crawl(crawled(MODEL)))
    for words in (
        "needs `Payer` in the list `members` (worked 9 times with it, failed 3 times without)",
        "refused: Choose a payer.",
        "combobox, required, one of Ada, Bo",
        "number, min 0",
        "9 of 12",
        "left alone: logs out",
        "Values in view",
        "x is not defined",
    ):
        assert words in text
    assert "Stopped early" not in text


def test_pages_do_not_overlap_and_shared_links_are_no_lines_of_their_own() -> None:
    kinds = [f"/{number}" for number in range(40)]
    menu = Component("menu", "navigation", tuple(_leading_to(f"k{kind}", kind) for kind in kinds), tuple(kinds))
    pages = tuple(WebPage(kind, "", kind, kind, 1, components=("menu",)) for kind in kinds)
    site = map_of_model(WebModel(kinds[0], pages, (menu,)), dict.fromkeys(kinds, JPEG))
    drawn = json.loads(drawing_data(site))
    width, height = drawn["card"]
    for (left, top), (other, lower) in combinations(drawn["spots"], 2):
        assert abs(left - other) >= width or abs(top - lower) >= height
    assert len(drawn["lines"]) == len(kinds) - 1
    assert drawn["parts"] == [{"name": "menu", "pages": list(range(40)), "targets": list(range(40))}]


def _leading_to(key: str, kind: str) -> PageAction:
    return replace(HOME_LINK, action=replace(HOME_LINK.action, key=key), destinations=(Destination(kind, 1),))


def test_own_links_come_before_those_of_menus() -> None:
    drawn = json.loads(drawing_data(map_of_model(MODEL)))
    places = {page.kind: number for number, page in enumerate(MODEL.pages)}
    lines = {(source, target): (main, titles) for source, target, main, titles in drawn["lines"]}
    assert lines[places["/bills/new"], places["/bills"]][1] == ADD_BILL.action.title
    assert drawn == json.loads(drawing_data(map_of_model(MODEL)))


def test_page_objects_give_the_same_page() -> None:
    graph = NavigationGraph(
        "Home",
        ("Home", BAD),
        (
            Transition("log_in", "Home", BAD, (Parameter("name", "str", ("a", "b")),), "name in self.names", "self.ok"),
            Transition("log_in", "Home", "Home", (Parameter("name", "str", ("a", "b")),), "name in self.names"),
        ),
    )
    site = map_of_graph(graph)
    assert [len(page.actions) for page in site.pages] == [1, 0]
    text = site_map_html(site)
    assert "needs name in self.names" in text
    assert "if self.ok" in text
    assert "str, one of a, b" in text
    assert "Worked" not in text
    assert Page(text).tags.count("script") == 2


def test_an_application_without_pages_has_a_page() -> None:
    text = site_map_html(map_of_crawl(crawled(WebModel("", ()))))
    assert "No page was seen." in text
    assert Page(text).tags.count("script") == 2
