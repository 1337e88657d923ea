"""A page of two thousand tests and five thousand lines: everything in it can still be used."""

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.suite import Suite, TestId
from unknot.report.report import Report

pytestmark = pytest.mark.browser

TESTS, CLAIMS = 2000, 5000
GRAPH = "#graph canvas"


def large() -> Dependencies:
    drawn = random.Random(1)
    tests = tuple(TestId(f"tests/test_{number // 20}.py::test_{number}") for number in range(TESTS))
    pairs: set[tuple[TestId, TestId]] = set()
    while len(pairs) < CLAIMS:
        late = drawn.randrange(1, TESTS)
        pairs.add((tests[late], tests[drawn.randrange(max(0, late - 300), late)]))
    ranked = sorted(pairs)
    return Dependencies(
        Suite(tests),
        dict.fromkeys(tests, Outcome.PASSED),
        dict.fromkeys(tests, 0.1),
        needs=tuple(Need(late, (early,), Proof((early, late), (late,))) for late, early in ranked[:4000]),
        conflicts=tuple(Conflict(late, (early,), (), Proof((late,), (early, late))) for late, early in ranked[4000:]),
    )


def test_two_thousand_tests_and_five_thousand_lines_are_drawn_zoomed_searched_and_listed(
    opened: Callable[..., Page], picture_of: Callable[..., str]
) -> None:
    page = opened(Report(large()))
    page.locator(GRAPH).scroll_into_view_if_needed()
    whole = picture_of(page, GRAPH, 170)
    page.locator(GRAPH).hover()
    for _ in range(5):
        page.mouse.wheel(0, -200)
    close = picture_of(page, GRAPH, 170)
    assert close != whole
    page.get_by_label("Find a test").fill("::test_1234")
    expect(page.locator("#graph .status").first).to_contain_text("1 test found")
    assert picture_of(page, GRAPH, 170) != close
    page.get_by_label("Find a test").press("Enter")
    page.locator(GRAPH).press("Enter")
    expect(page.locator(".drawer h2")).to_have_text("tests/test_61.py::test_1234")
    assert page.locator("#tests tbody tr").count() == 25
    page.get_by_label("Filter").fill("test_61.py")
    expect(page.locator("#tests [role=status]")).to_have_text("20 of 2,000 tests")
    page.locator("#pairs .stage canvas").press("ArrowDown")
    expect(page.locator("#pairs .status[role=status]")).to_have_text("tests/test_0.py::test_0")
