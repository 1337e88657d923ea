"""The table of tests and the matrix of pairs, in a real browser."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.suite import Suite, TestId
from unknot.report.report import Report

pytestmark = pytest.mark.browser

Opened = Callable[..., Page]


def rows(page: Page) -> list[str]:
    return page.locator("#tests tbody td.test").all_text_contents()


def test_columns_sort_both_ways(small: Dependencies, opened: Opened) -> None:
    seconds = {test: float(number * 7 % 12) for number, test in enumerate(small.suite.tests)}
    page = opened(Report(replace(small, seconds=seconds)))
    assert rows(page) == list(small.suite.tests)
    head = page.get_by_role("columnheader", name="Seconds")
    ranked = sorted(small.suite.tests, key=lambda test: -seconds[test])
    for order, wanted in (("descending", ranked), ("ascending", ranked[::-1])):
        head.get_by_role("button").click()
        expect(head).to_have_attribute("aria-sort", order)
        assert rows(page) == wanted
    page.get_by_role("columnheader", name="Test", exact=True).get_by_role("button").press("Enter")
    expect(head).to_have_attribute("aria-sort", "none")
    assert rows(page) == sorted(small.suite.tests)


def test_filters_by_text_and_by_part(small: Dependencies, opened: Opened) -> None:
    page = opened(Report(small))
    page.get_by_label("Filter").fill("re")
    expect(page.locator("#tests [role=status]")).to_have_text("2 of 12 tests")
    assert rows(page) == ["t.py::test_refund", "t.py::test_read"]
    page.get_by_label("Filter").fill("")
    for part, found in {
        "victim tests": ["t.py::test_refund", "t.py::test_read"],
        "cleaner tests": ["t.py::test_clean"],
        "flaky tests": ["t.py::test_flaky"],
        "not passing tests": ["t.py::test_broken"],
        "without dependencies": ["t.py::test_alone"],
    }.items():
        page.get_by_role("combobox", name="Show").select_option(part)
        assert rows(page) == found


def test_pages_are_turned_and_printed_all(opened: Opened) -> None:
    tests = tuple(TestId(f"t.py::test_{number:03}") for number in range(60))
    page = opened(Report(Dependencies(Suite(tests), dict.fromkeys(tests, Outcome.PASSED), {})))
    assert rows(page) == list(tests[:25])
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Next").click()
    assert rows(page) == list(tests[50:])
    expect(page.get_by_role("button", name="Next")).to_be_disabled()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert rows(page) == list(tests)


def test_a_row_opens_the_details_and_the_way_back_leads_to_it(small: Dependencies, opened: Opened) -> None:
    page = opened(Report(small))
    name = page.locator("#tests").get_by_role("button", name="t.py::test_read")
    name.press("Enter")
    expect(page.get_by_role("complementary").get_by_role("heading", level=2)).to_be_focused()
    page.get_by_role("button", name="Close the details").click()
    expect(name).to_be_focused()


def status(page: Page) -> str:
    return page.locator("#pairs .status[role=status]").text_content() or ""


def test_the_keyboard_moves_between_pairs(small: Dependencies, opened: Opened) -> None:
    rows_untried = tuple(1 << 2 if number == 1 else 0 for number in range(12))
    page = opened(Report(replace(small, untried=1, untried_rows=rows_untried)))
    pairs = page.locator("#pairs .stage canvas")
    announced = []
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"):
        pairs.press(key)
        announced.append(status(page))
    assert announced == [
        "t.py::test_add",
        "t.py::test_add — confirmed: needed by t.py::test_total",
        "t.py::test_total",
        "t.py::test_paid — untried: effect unknown on t.py::test_total",
    ]
    pairs.press("ArrowRight")
    assert status(page) == "t.py::test_refund — cleared: no effect on t.py::test_total"
    for _ in range(6):
        pairs.press("ArrowRight")
    assert status(page) == "t.py::test_flaky — flaky, nothing claimed: effect on t.py::test_total"


def test_a_confirmed_pair_opens_its_claim(small: Dependencies, opened: Opened) -> None:
    page = opened(Report(small))
    pairs = page.locator("#pairs .stage canvas")
    for key in ("ArrowDown", "ArrowDown"):
        pairs.press(key)
    pairs.press("Enter")
    expect(page.locator(".drawer .claim.chosen")).to_contain_text("Needs")


def test_where_it_is_not_known_which_pairs_are_untried_none_is_called_cleared(
    small: Dependencies, opened: Opened
) -> None:
    page = opened(Report(small))
    pairs = page.locator("#pairs .stage canvas")
    for key in ("ArrowDown", "ArrowRight"):
        pairs.press(key)
    assert status(page) == "t.py::test_total — cleared or untried (unknown which): effect on t.py::test_add"
    expect(page.locator("#pairs .swatches")).to_contain_text("cleared or untried, unknown which")


def test_a_pair_is_clicked_where_it_is_seen(small: Dependencies, opened: Opened) -> None:
    page = opened(Report(small))
    pairs = page.locator("#pairs .stage canvas")
    pairs.scroll_into_view_if_needed()
    box = pairs.bounding_box()
    assert box
    # Beside the axes.
    left = top = 132
    side = min(28, (box["width"] - left - 6) / 12)
    pairs.click(position={"x": left + 4.5 * side, "y": top + 11.5 * side})
    expect(page.locator(".drawer .claim.chosen")).to_contain_text("Broken by")
    assert status(page) == "t.py::test_setenv — confirmed: breaks t.py::test_read"
