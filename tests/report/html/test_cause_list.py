"""The list of causes: the largest first, each with a tried change or the command that finds one."""

from dataclasses import replace

from html_page import Page

from unknot.model.dependencies import Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.reason import Reason, ReasonKind
from unknot.model.recording import Location
from unknot.model.sanitise import shown
from unknot.model.suite import Suite, TestId
from unknot.report.html.page import to_html
from unknot.report.report import Report
from unknot.store.tried_fixes import TriedFix

SETTER = TestId("t.py::test_sets")
READERS = tuple(TestId(f"t.py::test_reads_{number}") for number in range(9))
BAD = "</script><script>alert(1)</script>"


def need(test: TestId, location: str) -> Need:
    why = (Reason(ReasonKind.FLOW, SETTER, test, Location("memory", location)),)
    return Need(test, (SETTER,), Proof((SETTER, test), (test,)), why=why)


def shared(*locations: str) -> Dependencies:
    """Each reader depends on what the setter does to a location."""
    tests = (SETTER, *READERS)
    needs = tuple(need(test, location) for test, location in zip(READERS, locations, strict=False))
    return Dependencies(Suite(tests), dict.fromkeys(tests, Outcome.PASSED), {}, needs)


def fix(test: TestId, diff: str = "--- a/t.py\n+++ b/t.py\n@@ -1 +1,2 @@\n-old = 1\n+new = 1\n same\n") -> TriedFix:
    return TriedFix(test, (SETTER,), "restore `shop.cart` after the test", "t.py", "0", diff)


def causes_in(page: Page) -> list[str]:
    return [attributes["data-cause"] for _, attributes in page.elements if "data-cause" in attributes]


def test_the_cause_of_most_dependencies_comes_first() -> None:
    page = Page(to_html(Report(shared("shop.till", "shop.cart", "shop.cart"))))
    assert causes_in(page) == ["shop.cart", "shop.till"]
    assert page.texts.index("Causes") < page.texts.index("Graph")
    assert "2 dependencies" in page.texts


def test_a_cause_has_the_command_that_finds_a_change() -> None:
    assert "unknot fix t.py::test_reads_0" in Page(to_html(Report(shared("shop.cart")))).texts


def test_tests_of_other_runners_cannot_be_changed() -> None:
    assert "unknot fix" not in to_html(Report(shared("shop.cart"), invocation=("bats",)))


def test_a_change_that_was_tried_is_shown_as_a_diff_instead() -> None:
    text = to_html(Report(shared("shop.cart"), fixes=(fix(READERS[0]),)))
    assert '<span class="old">-old = 1</span>\n<span class="new">+new = 1</span>\n same' in text
    assert ", and it works: restore `shop.cart` after the test." in Page(text).texts
    assert "unknot fix" not in text


def test_a_change_is_shown_without_a_recorded_cause_too() -> None:
    known = shared("shop.cart")
    without = replace(known, needs=(replace(known.needs[0], why=()),))
    assert '<span class="new">+new = 1</span>' in to_html(Report(without, fixes=(fix(READERS[0]),)))


def test_a_change_of_another_dependency_is_not_shown() -> None:
    text = to_html(Report(shared("shop.cart"), fixes=(fix(READERS[5]),)))
    assert "+new = 1" not in text


def test_hostile_diffs_and_locations_are_text() -> None:
    page = Page(to_html(Report(shared(BAD), fixes=(replace(fix(READERS[0], f"+{BAD}\n+\tb\x1b[31m"), summary=BAD),))))
    assert page.tags.count("script") == 2
    assert causes_in(page) == [shown(BAD)]
    assert f"+{BAD}" in page.texts
    assert f"+\t{shown('b' + chr(27) + '[31m')}" in page.texts


def test_further_causes_are_folded_away() -> None:
    text = to_html(Report(shared(*(f"shop.state_{number}" for number in range(9)))))
    assert len(causes_in(Page(text))) == 9
    assert '<details class="rest"><summary>4 more causes</summary>' in text


def test_dependencies_without_a_cause_are_counted(small: Dependencies) -> None:
    first, *_ = small.needs
    why = (Reason(ReasonKind.FLOW, first.any_of[0], first.dependent, Location("memory", "shop.cart")),)
    known = replace(small, needs=(replace(first, why=why),))
    assert "No shared state was recorded for 3 dependencies." in Page(to_html(Report(known))).texts
    assert "Causes" not in Page(to_html(Report(small))).texts
