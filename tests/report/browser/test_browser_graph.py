"""The graph as a reader uses it: by mouse, by keyboard, and by what it says."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from unknot.model.dependencies import Dependencies, Proof
from unknot.model.reason import Reason, ReasonKind
from unknot.model.recording import Frame, Location
from unknot.model.suite import Order, Suite, TestId
from unknot.report.report import Report
from unknot.report.text.excerpts import CodeExcerpt, Source

pytestmark = pytest.mark.browser

Opened = Callable[..., Page]
Where = Callable[[Page, str], tuple[float, float]]
Picture = Callable[[Page, str], str]
GRAPH = "#graph canvas"


def test_a_line_shows_its_reason_code_and_commands(small: Dependencies, opened: Opened, point_where: Where) -> None:
    total = small.needs[0].dependent
    excerpt = CodeExcerpt(
        "written", Frame("shop/cart.py", 2, "add"), Source("def add():\n    cart.append(1)\n    return")
    )
    page = opened(Report(small, excerpts={(total, 0): (excerpt,)}))
    page.mouse.click(*point_where(page, "test_total needs test_add"))
    drawer = page.get_by_role("complementary", name="Details")
    expect(drawer.get_by_role("heading", level=2)).to_have_text("t.py::test_total")
    expect(drawer).to_contain_text("reads shop.cart, written by test_add")
    expect(drawer).to_contain_text("written: shop/cart.py:2, in add")
    expect(drawer.locator("mark")).to_have_text("> 2 |     cart.append(1)")
    expect(drawer.locator(".command code")).to_have_text(
        ["pytest t.py::test_add t.py::test_total", "pytest t.py::test_total"]
    )


def test_signs_say_whether_one_is_enough_or_all_must_act(
    small: Dependencies, opened: Opened, point_where: Where
) -> None:
    page = opened(Report(small))
    chosen = page.locator(".drawer .claim.chosen h3").first
    page.mouse.click(*point_where(page, "test_refund needs any of 2 tests"))
    expect(chosen).to_have_text("Needs any of")
    expect(page.locator(".drawer .claim.chosen")).to_contain_text("There may be more.")
    page.mouse.click(*point_where(page, "test_refund is broken by all of 2 tests"))
    expect(chosen).to_have_text("Broken by all of")


def test_a_cleaner_has_a_line_of_its_own(small: Dependencies, opened: Opened, point_where: Where) -> None:
    page = opened(Report(small))
    page.mouse.click(*point_where(page, "test_clean cleans for test_read"))
    expect(page.locator(".drawer .claim.chosen")).to_contain_text("Cleaned by")


def test_the_drawing_stays_where_it_is_when_the_details_open(
    small: Dependencies, opened: Opened, point_where: Where
) -> None:
    page = opened(Report(small))
    at = point_where(page, "t.py::test_add (setter)")
    before = page.locator(GRAPH).bounding_box()
    page.mouse.click(*at)
    expect(page.locator(".drawer")).to_be_visible()
    after = page.locator(GRAPH).bounding_box()
    assert before
    assert after
    assert abs(before["y"] - after["y"]) < 2
    assert after["width"] < before["width"]


def test_a_test_shows_all_its_roles(small: Dependencies, opened: Opened, point_where: Where) -> None:
    page = opened(Report(small))
    page.mouse.click(*point_where(page, "t.py::test_refund (brittle, victim)"))
    expect(page.locator(".drawer .badge")).to_have_text(["brittle", "victim"])
    expect(page.locator(".drawer .claim")).to_have_count(2)
    page.mouse.click(*point_where(page, "t.py::test_flaky (flaky)"))
    expect(page.locator(".drawer")).to_contain_text("Nothing is claimed about it.")


@pytest.mark.parametrize("has_clipboard", [True, False])
def test_a_command_is_copied(small: Dependencies, opened: Opened, has_clipboard: bool) -> None:
    page = opened(Report(small), fragment="#test-1", permissions=["clipboard-read", "clipboard-write"])
    if not has_clipboard:
        page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    button = page.get_by_role("button", name="Copy the command that passes")
    button.click()
    expect(button).to_have_text("Copied")
    field = page.get_by_label("Find a test")
    field.focus()
    page.keyboard.press("Control+V")
    expect(field).to_have_value("pytest t.py::test_add t.py::test_total")


def test_wheel_buttons_keys_and_drag_move_the_drawing(small: Dependencies, opened: Opened, picture_of: Picture) -> None:
    page = opened(Report(small))
    page.locator(GRAPH).scroll_into_view_if_needed()
    box = page.locator(GRAPH).bounding_box()
    assert box
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    whole = picture_of(page, GRAPH)

    def zoom_by_wheel() -> None:
        page.mouse.move(*middle)
        page.mouse.wheel(0, -400)

    def drag() -> None:
        page.mouse.move(*middle)
        page.mouse.down()
        page.mouse.move(middle[0] + 80, middle[1] + 30, steps=4)
        page.mouse.up()

    ways: list[Callable[[], None]] = [zoom_by_wheel, drag]
    ways.append(page.get_by_role("button", name="Zoom in", exact=True).click)
    ways += [partial(page.locator(GRAPH).press, key) for key in ("+", "-", "Shift+ArrowLeft")]
    for way in ways:
        before = picture_of(page, GRAPH)
        way()
        assert picture_of(page, GRAPH) != before
        page.locator(GRAPH).press("0")
        assert picture_of(page, GRAPH) == whole


def test_the_page_can_be_scrolled_past_the_drawing(small: Dependencies, opened: Opened) -> None:
    page = opened(Report(small))
    page.locator(GRAPH).hover()
    before = page.evaluate("scrollY")
    for _ in range(30):
        page.mouse.wheel(0, 300)
        if page.evaluate("scrollY") > before:
            return
        page.wait_for_timeout(50)
    pytest.fail("the wheel never scrolled the page")


def test_a_search_counts_marks_and_goes_there(small: Dependencies, opened: Opened, picture_of: Picture) -> None:
    page = opened(Report(small))
    before = picture_of(page, GRAPH)
    field = page.get_by_label("Find a test")
    field.fill("BOTH")
    status = page.locator("#graph .status").first
    expect(status).to_have_text("2 tests found. Press Enter for the next one.")
    assert picture_of(page, GRAPH) != before
    field.press("Enter")
    expect(status).to_have_text("1 of 2: t.py::test_both_1")
    field.press("Enter")
    expect(status).to_have_text("2 of 2: t.py::test_both_2")
    field.fill("alone")
    expect(status).to_contain_text("0 tests found; 1 other outside the graph")


def test_the_graph_can_be_walked_by_keyboard(small: Dependencies, opened: Opened) -> None:
    page = opened(Report(small))
    graph = page.locator(GRAPH)
    graph.focus()
    live = page.locator("body > [aria-live]")
    announced = []
    for key in ["ArrowRight"] * 2 + ["ArrowLeft"]:
        graph.press(key)
        announced.append(live.text_content())
    assert announced[0] == announced[2] != announced[1]
    graph.press("Enter")
    heading = page.get_by_role("complementary").get_by_role("heading", level=2)
    expect(heading).to_be_focused()
    assert f"{(heading.text_content() or '').rpartition('::')[2]}," in (announced[2] or "")
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(page.locator(".drawer")).to_be_hidden()
    expect(graph).to_be_focused()


def test_the_links_of_the_selected_test_are_highlighted(
    small: Dependencies, opened: Opened, picture_of: Picture
) -> None:
    page = opened(Report(small), fragment="#test-3")
    seen = {picture_of(page, GRAPH)}
    for mode in ("all prerequisites", "all dependents"):
        page.get_by_label("Highlight").select_option(mode)
        seen.add(picture_of(page, GRAPH))
    assert len(seen) == 3


def test_tests_that_others_are_joined_to_are_links(small: Dependencies, opened: Opened) -> None:
    page = opened(Report(small), fragment="#test-1")
    page.locator(".drawer").get_by_role("button", name="t.py::test_add").click()
    heading = page.get_by_role("complementary").get_by_role("heading", level=2)
    expect(heading).to_have_text("t.py::test_add")
    expect(page.locator(".drawer")).to_contain_text("Needed by 1 test")
    assert page.url.endswith("#test-0")


def test_without_any_claim_only_flaky_tests_are_drawn(small: Dependencies, opened: Opened, point_where: Where) -> None:
    page = opened(Report(replace(small, needs=(), conflicts=())))
    point_where(page, "t.py::test_flaky (flaky)")


def in_files(report: Dependencies) -> Dependencies:
    """The same tests in three files, in suite order."""
    names = {test: TestId(f"tests/t{number // 4}.py::{test}") for number, test in enumerate(report.suite.tests)}

    def order(tests: Order) -> Order:
        return tuple(names[test] for test in tests)

    def proof(known: Proof) -> Proof:
        return Proof(order(known.passes), order(known.fails))

    return replace(
        report,
        suite=Suite(order(report.suite.tests)),
        outcomes={names[test]: outcome for test, outcome in report.outcomes.items()},
        needs=tuple(
            replace(one, dependent=names[one.dependent], any_of=order(one.any_of), proof=proof(one.proof), why=())
            for one in report.needs
        ),
        conflicts=tuple(
            replace(
                one,
                victim=names[one.victim],
                polluters=order(one.polluters),
                cleaners=order(one.cleaners),
                proof=proof(one.proof),
            )
            for one in report.conflicts
        ),
        flaky=order(report.flaky),
    )


def test_a_file_is_opened_and_left_again(small: Dependencies, opened: Opened, point_where: Where) -> None:
    page = opened(Report(in_files(small)))
    show = page.locator("#graph").get_by_role("combobox", name="Show")
    expect(show.locator("option")).to_have_text(["All tests", "Files"])
    show.select_option("Files")
    page.mouse.click(*point_where(page, "t0.py: 4 tests (2 brittle, 1 victim, 3 setters, 1 polluter)"))
    path = page.get_by_role("navigation", name="Where in the graph")
    expect(path).to_have_text("Files › t0.py")
    point_where(page, "tests/t0.py::t.py::test_add (setter)")
    path.get_by_role("button", name="Files").click()
    expect(path).to_be_hidden()


def test_a_test_chosen_elsewhere_is_shown_in_its_file(small: Dependencies, opened: Opened) -> None:
    page = opened(Report(in_files(small)))
    page.locator("#graph").get_by_role("combobox", name="Show").select_option("Files")
    page.locator("#tests").get_by_role("button", name="test_refund").press("Enter")
    expect(page.get_by_role("navigation", name="Where in the graph")).to_have_text("Files › t0.py")


def test_the_arrow_keys_and_enter_open_a_file(small: Dependencies, opened: Opened) -> None:
    page = opened(Report(in_files(small)))
    page.locator("#graph").get_by_role("combobox", name="Show").select_option("Files")
    page.locator(GRAPH).focus()
    page.locator(GRAPH).press("ArrowRight")
    page.locator(GRAPH).press("Enter")
    expect(page.get_by_role("navigation", name="Where in the graph")).to_contain_text("Files › t")


def test_a_cause_is_shown_in_the_graph(small: Dependencies, opened: Opened) -> None:
    """With its tests only."""
    first, second, *_ = small.needs
    why = (Reason(ReasonKind.FLOW, second.any_of[0], second.dependent, Location("memory", "shop.till")),)
    cart = (Reason(ReasonKind.FLOW, first.any_of[0], first.dependent, Location("memory", "shop.cart")),)
    needs = (replace(first, why=cart), replace(second, why=why), *small.needs[2:])
    page = opened(Report(replace(small, needs=needs)))
    row = page.locator("#causes li").filter(has_text="shop.till")
    row.locator("summary").click()
    row.get_by_role("button", name="Show in the graph").click()
    expect(page.get_by_role("navigation", name="Where in the graph")).to_have_text("Causes › shop.till")
