"""The page in every light, on every screen, with and without scripts; and whatever ids say, it shows them."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from unknot.app.plan import plan_report
from unknot.model.dependencies import Dependencies
from unknot.model.reason import Reason, ReasonKind
from unknot.model.recording import Frame
from unknot.model.sanitise import shown
from unknot.plan.makers.greedy import make_plan
from unknot.report.commands import printable_command
from unknot.report.html.page import to_html
from unknot.report.report import Report
from unknot.report.text.excerpts import CodeExcerpt, Source

pytestmark = pytest.mark.browser

Opened = Callable[..., Page]
Picture = Callable[[Page, str], str]
BAD = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


def everything(dependencies: Dependencies) -> Report:
    test = dependencies.needs[0].dependent
    excerpt = CodeExcerpt(BAD, Frame(BAD, 1, BAD), Source(BAD))
    needs = (replace(dependencies.needs[0], why=(Reason(ReasonKind.TEXT, shown=BAD),)), *dependencies.needs[1:])
    return Report(replace(dependencies, needs=needs), (BAD,), notes=(BAD,), excerpts={(test, 0): (excerpt,)})


def test_hostile_ids_reasons_and_code_are_text_wherever_they_show(hostile: Dependencies, opened: Opened) -> None:
    report = everything(hostile)
    page = opened(report, plan_report(hostile, make_plan(hostile, 2), 2, 0.02))
    assert page.locator("#tests tbody td.test").all_text_contents() == [shown(test) for test in hostile.suite.tests]
    first = hostile.needs[0].dependent
    for test in hostile.suite.tests:
        page.locator("#tests").get_by_role("button", name=shown(test), exact=True).first.press("Enter")
        expect(page.locator(".drawer h2")).to_have_text(shown(test))
        if test == first:
            expect(page.locator(".drawer .claim").first).to_contain_text(f"Because{BAD}")
            expect(page.locator(".drawer mark")).to_have_text(f"> 1 | {BAD}")
            command = printable_command(report.invocation, hostile.needs[0].proof.passes)
            expect(page.locator(".drawer .command code").first).to_have_text(command, use_inner_text=False)
    assert page.locator("script").count() == 2
    assert page.locator("img").count() == 0
    # The fixture has seen that no dialog came up.


def test_no_other_script_would_run_even_if_it_got_in(small: Dependencies, browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(to_html(Report(small)).replace("</h1>", '</h1><b onclick="hit = 1">here</b>'), encoding="utf-8")
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(file.as_uri())
        page.get_by_text("here", exact=True).click()
        assert page.evaluate("window.hit === undefined")


@pytest.mark.parametrize(("scheme", "ground"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(15, 18, 22)")])
def test_the_page_is_as_light_as_the_system(small: Dependencies, opened: Opened, scheme: str, ground: str) -> None:
    page = opened(Report(small), color_scheme=scheme)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == ground


def test_a_switch_overrules_the_system_and_the_drawings_follow(
    small: Dependencies, opened: Opened, picture_of: Picture
) -> None:
    page = opened(Report(small), color_scheme="light")
    before = [picture_of(page, "#graph canvas"), picture_of(page, "#pairs .stage canvas")]
    switch = page.get_by_role("button", name="Theme: system")
    switch.click()
    page.get_by_role("button", name="Theme: light").click()
    expect(page.get_by_role("button", name="Theme: dark")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(15, 18, 22)"
    assert picture_of(page, "#graph canvas") != before[0]
    assert picture_of(page, "#pairs .stage canvas") != before[1]
    page.reload()
    expect(page.get_by_role("button", name="Theme: dark")).to_be_visible()


def test_colours_of_the_system_are_taken_where_it_forces_them(
    small: Dependencies, opened: Opened, picture_of: Picture
) -> None:
    page = opened(Report(small), forced_colors="active")
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--ink')").strip() == "CanvasText"
    forced = picture_of(page, "#graph canvas")
    assert forced != picture_of(opened(Report(small)), "#graph canvas")


def test_on_paper_the_drawings_are_light_and_come_back_dark(
    small: Dependencies, opened: Opened, picture_of: Picture
) -> None:
    page = opened(Report(small), color_scheme="dark")
    dark = picture_of(page, "#graph canvas")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    printed = page.locator("#graph canvas").evaluate("canvas => canvas.toDataURL()")
    assert printed == picture_of(opened(Report(small), color_scheme="light"), "#graph canvas")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert picture_of(page, "#graph canvas") == dark


@pytest.mark.parametrize("width", [320, 768])
def test_nothing_sticks_out_of_a_narrow_screen(small: Dependencies, opened: Opened, width: int) -> None:
    plan = plan_report(small, make_plan(small, 2), 2, 0.02)
    page = opened(Report(small), plan, fragment="#test-3", viewport={"width": width, "height": 640})
    expect(page.locator(".drawer h2")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_without_scripts_every_claim_is_read_all_the_same(small: Dependencies, opened: Opened) -> None:
    page = opened(Report(small), java_script_enabled=False)
    expect(page.get_by_role("heading", name="Dependent tests")).to_be_visible()
    expect(page.get_by_role("cell", name="brittle and victim")).to_be_visible()
    expect(page.get_by_text("pytest t.py::test_add t.py::test_total", exact=True)).to_be_visible()


def test_whatever_can_be_used_has_a_name_and_sections_have_headings(small: Dependencies, opened: Opened) -> None:
    page = opened(Report(small), plan_report(small, make_plan(small, 2), 2, 0.02), fragment="#test-3")
    nameless = page.evaluate("""() => {
      const used = [...document.querySelectorAll("button, input, select, canvas[tabindex], [role=group]")];
      const isNamed = (one) => one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.length;
      return used.filter((one) => !isNamed(one)).map((one) => one.outerHTML);
    }""")
    assert nameless == []
    levels = page.evaluate("[...document.querySelectorAll('main :is(h1, h2, h3)')].map((found) => +found.tagName[1])")
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((found) => found.id)")
    assert len(ids) == len(set(ids))


def test_the_first_key_leads_past_the_navigation(small: Dependencies, opened: Opened) -> None:
    page = opened(Report(small))
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the result")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


@pytest.mark.parametrize("several", [0, 1])
def test_a_suite_of_no_or_one_test_has_a_page(opened: Opened, small: Dependencies, several: int) -> None:
    page = opened(Report(small.among(small.suite.tests[:several])))
    expect(page.get_by_role("heading", level=1)).to_contain_text("tests" if several != 1 else "1 test")
