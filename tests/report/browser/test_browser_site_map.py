"""The page of a crawl in a real browser: clicked through, in every light, with names that try to break out."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from web_models import ADD_BILL, HOME_LINK, MODEL

from unknot.model.sanitise import shown
from unknot.model.web.crawl_summary import CrawlSummary, PageFault
from unknot.model.web.web_model import Destination, WebModel, WebPage
from unknot.report.site_map.page import site_map_html
from unknot.report.site_map.site_map import map_of_crawl

pytestmark = pytest.mark.browser

OpenedText = Callable[..., Page]
BAD = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'\x1b\x00\u202e"


@pytest.fixture(scope="module")
def picture(browser: Browser) -> bytes:
    with browser.new_context(viewport={"width": 640, "height": 400}) as context:
        return context.new_page().screenshot(type="jpeg", quality=30)


@pytest.fixture
def crawled(picture: bytes) -> str:
    faults = (PageFault("page error", BAD, "/bills/new", "Save", 2),)
    summary = CrawlSummary(MODEL, faults, (), 40, 3, 2, 12.5)
    return site_map_html(map_of_crawl(summary, {page.kind: picture for page in MODEL.pages}))


def card(page: Page, name: str) -> Any:
    return page.locator(".card").filter(has=page.locator(".name", has_text=name).get_by_text(name, exact=True))


def test_a_click_on_a_page_shows_it_and_its_links_lead_on(crawled: str, opened_text: OpenedText) -> None:
    page = opened_text(crawled)
    drawer = page.get_by_role("complementary", name="Details")
    card(page, "/bills/new").click()
    expect(drawer.locator("h2")).to_have_text("/bills/new")
    expect(drawer.get_by_role("cell", name="Save", exact=False).first).to_contain_text("refused: Choose a payer.")
    expect(drawer).to_contain_text("one of Ada, Bo")
    drawer.get_by_role("link", name="/bills", exact=True).click()
    expect(drawer.locator("h2")).to_have_text("/bills")
    expect(drawer.locator("h2")).to_be_focused()
    expect(card(page, "/bills")).to_have_class("card chosen")
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()


def test_a_screenshot_is_enlarged_and_put_away(crawled: str, opened_text: OpenedText) -> None:
    page = opened_text(crawled)
    card(page, "/bills").click()
    page.locator(".drawer img.screenshot").click()
    expect(page.locator("dialog.large img")).to_be_visible()
    assert page.locator("dialog.large img").evaluate("image => image.naturalWidth") == 640
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".drawer")).to_be_visible()


def test_pages_are_found_and_opened_with_the_keyboard(crawled: str, opened_text: OpenedText) -> None:
    page = opened_text(crawled)
    page.get_by_label("Find a page").fill("new bill")
    expect(page.locator("#graph .status")).to_contain_text("1 page found")
    expect(page.locator(".card.found .name")).to_have_text("/bills/new")
    card(page, "/bills/new").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".drawer h2")).to_be_focused()
    page.get_by_role("button", name="Close").click()
    expect(card(page, "/bills/new")).to_be_focused()


def test_a_link_from_elsewhere_opens_its_page(crawled: str, opened_text: OpenedText) -> None:
    page = opened_text(crawled, "#page-2")
    expect(page.locator(".drawer h2")).to_have_text("/bills/new")
    page.locator("#faults").get_by_role("link", name="/bills/new").click()
    expect(page.locator(".drawer h2")).to_have_text("/bills/new")
    page.locator("#overview").click()
    page.locator(".drawer").get_by_role("link", name="navigation").click()
    expect(page.locator("#part-0 .actions")).to_be_visible()


def test_the_drawing_can_be_moved_and_shows_all_again(crawled: str, opened_text: OpenedText) -> None:
    page = opened_text(crawled)
    place = "element => element.getBoundingClientRect().toJSON()"
    before = card(page, "/").evaluate(place)
    box = page.locator("#graph .stage").bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] - 12, box["y"] + 12)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 112, box["y"] + 12, steps=4)
    page.mouse.up()
    assert card(page, "/").evaluate(place)["x"] == before["x"] - 100
    page.get_by_role("button", name="Zoom in").click()
    assert card(page, "/").evaluate(place)["width"] > before["width"]
    page.get_by_role("button", name="Show all").click()
    assert abs(card(page, "/").evaluate(place)["x"] - before["x"]) < 1


def hostile() -> str:
    """Every text that an application can choose is bad."""
    action = replace(
        ADD_BILL.action, key=BAD, title=BAD, name=BAD,
        fields=tuple(replace(each, label=f"{BAD}{n}", options=(BAD,)) for n, each in enumerate(ADD_BILL.action.fields)),
    )  # fmt: skip
    guarded = replace(
        ADD_BILL, action=action, refusals=(BAD,), destinations=(Destination(BAD, 1, ((BAD, BAD),)),), guard=None
    )
    shared = replace(HOME_LINK, action=replace(HOME_LINK.action, title=BAD), destinations=(Destination(BAD, 2),))
    start = WebPage(BAD, BAD, BAD, BAD, 3, (BAD,), (guarded,), (BAD,))
    other = WebPage(f"{BAD} (2)", BAD, BAD, BAD, 1, components=(BAD,))
    part = replace(MODEL.components[0], name=BAD, actions=(shared,))
    summary = CrawlSummary(
        WebModel(BAD, (start, other), (part,)), (PageFault(BAD, BAD, BAD, BAD, 1),), (BAD,), 1, 0, 1, 1.0
    )
    return site_map_html(map_of_crawl(summary, {}, BAD))


def test_hostile_names_are_text_wherever_they_show(opened_text: OpenedText) -> None:
    page = opened_text(hostile())
    expect(page.locator(".card")).to_have_count(2)
    expect(page.locator(".card .name").first).to_have_text(shown(BAD))
    page.locator(".card").first.click()
    expect(page.locator(".drawer h2")).to_have_text(shown(BAD))
    expect(page.locator(".drawer")).to_contain_text(f"refused: {shown(BAD)}")
    page.locator(".card").nth(1).hover()
    expect(page.locator(".bubble")).to_contain_text(shown(BAD))
    assert page.locator("script").count() == 2
    assert page.locator("img").count() == 0
    # The fixture has seen that no dialog came up.


@pytest.mark.parametrize(("scheme", "ground"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(15, 18, 22)")])
def test_the_page_is_as_light_as_the_system(crawled: str, opened_text: OpenedText, scheme: str, ground: str) -> None:
    page = opened_text(crawled, color_scheme=scheme)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == ground
    assert page.locator(".card").first.evaluate("card => getComputedStyle(card).backgroundColor") == ground


@pytest.mark.parametrize("width", [320, 600, 1400])
def test_nothing_sticks_out_of_the_screen(crawled: str, opened_text: OpenedText, width: int) -> None:
    page = opened_text(crawled, "#page-2", viewport={"width": width, "height": 700})
    expect(page.locator(".drawer h2")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Show all").click()
    stage = page.locator("#graph .stage").bounding_box()
    assert stage
    for each in page.locator(".card").all():
        box = each.bounding_box()
        assert box
        assert stage["x"] <= box["x"]
        assert box["x"] + box["width"] <= stage["x"] + stage["width"]


def test_without_scripts_everything_but_the_drawing_is_there(crawled: str, opened_text: OpenedText) -> None:
    page = opened_text(crawled, java_script_enabled=False)
    page.locator("#page-2 > summary").click()
    expect(page.locator("#page-2")).to_contain_text("refused: Choose a payer.")
    expect(page.locator("#faults")).to_contain_text("alert(1)")
    expect(page.locator("#spared")).to_contain_text("logs out")


def test_whatever_can_be_used_has_a_name(crawled: str, opened_text: OpenedText) -> None:
    page = opened_text(crawled, "#page-2")
    nameless = page.evaluate("""() => {
      const used = [...document.querySelectorAll("button, input, select, progress, img.screenshot, [role=group]")];
      const isNamed = (one) => one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.length || one.alt
        || one.closest("button");
      return used.filter((one) => !isNamed(one)).map((one) => one.outerHTML);
    }""")
    assert nameless == []
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((found) => found.id)")
    assert len(ids) == len(set(ids))
