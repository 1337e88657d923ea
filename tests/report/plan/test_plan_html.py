"""The page of a plan, and the plan in the report: balanced, alone in the world, deaf to what ids say."""

from dataclasses import replace

from html_page import Page
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plan.plan_cases import dependencies_of, need, plan_of

from unknot.app.plan import plan_report
from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.plan import TimelineItem
from unknot.model.sanitise import shown
from unknot.model.suite import TestId
from unknot.plan.makers.greedy import make_plan
from unknot.report.html.page import to_html
from unknot.report.plan.plan_html import plan_to_html
from unknot.report.plan.plan_report import PlanReport
from unknot.report.report import Report


def some_plan() -> PlanReport:
    dependencies = dependencies_of("a b c", needs=[need("b", "a"), need("c", "a")], seconds={"b": 4.0, "c": 3.0})
    return plan_report(dependencies, replace(plan_of(["a b"], ["a c"]), maker="greedy"), 2, 0.0)


def test_the_page_is_complete() -> None:
    page = Page(plan_to_html(some_plan()))
    for expected in [
        "3 tests on 2 workers: 5.00 s",
        "5.00 s, 1.6x faster than serial",
        "8.00 s",
        "5.00 s (longest closure 5.00 s, work / workers 4.00 s); this plan: matches the lower bound",
        "1 test, 1.00 s",
        "b and its prerequisites take 5.00 s: no number of workers makes this faster",
        "greedy",
        "lane 1: 2 tests, 5.00 s",
        "1.00 s (repeated run)",
    ]:
        assert expected in page.texts
    assert page.tags.count("svg") == 2


def test_the_real_times_are_drawn_on_the_scale_of_the_predicted() -> None:
    real = (
        (
            TimelineItem(TestId("a"), 0, 0.0, 1.0, Outcome.PASSED),
            TimelineItem(TestId("b"), 0, 1.0, 10.0, Outcome.FAILED),
        ),
    )
    page = Page(plan_to_html(replace(some_plan(), real=real)))
    assert "Last run: 10.0 s" in page.texts
    assert "Predicted: 5.00 s" in page.texts
    widths = [float(found["width"]) for tag, found in page.elements if tag == "rect" and found.get("y") == "30"]
    # Each first lane's track, then its two boxes: a, b as predicted, and a, b as they ran.
    assert widths == [1080, 107, 431, 1080, 107, 971]


def test_the_page_loads_nothing_and_has_no_script() -> None:
    page = Page(plan_to_html(some_plan()))
    (policy,) = [found["content"] for _, found in page.elements if "http-equiv" in found]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "script-src" not in policy
    assert not {"link", "img", "iframe", "object", "script", "a"} & set(page.tags)


def test_every_drawing_can_be_reached_by_keyboard_and_has_a_name() -> None:
    page = Page(plan_to_html(replace(some_plan(), real=some_plan().predicted)))
    scrolls = [found for tag, found in page.elements if tag == "div" and found.get("class") == "scroll"]
    assert [found["aria-label"] for found in scrolls] == ["Predicted", "Last run"]
    assert all(found["tabindex"] == "0" for found in scrolls)
    drawings = [found for tag, found in page.elements if tag == "svg" and found.get("role") == "img"]
    assert [found["aria-label"] for found in drawings] == [
        "Predicted: 2 lanes, 5.00 s",
        "Last run: 2 lanes, 5.00 s",
    ]


def test_hostile_ids_are_shown_as_text_and_do_nothing(hostile: Dependencies) -> None:
    text = plan_to_html(plan_report(hostile, make_plan(hostile, 3), 3, 0.02))
    page = Page(text)
    assert "script" not in page.tags
    assert set(page.tags) <= set(Page(plan_to_html(some_plan())).tags)
    for test in hostile.suite.tests:
        assert shown(test) in page.texts


def test_a_suite_without_tests_has_a_page_without_a_drawing() -> None:
    assert "svg" not in Page(plan_to_html(plan_report(dependencies_of(""), plan_of(), 2, 0.02))).tags


def test_the_report_has_the_plan_as_a_section(small: Dependencies) -> None:
    plan = plan_report(small, make_plan(small, 4), 4, 0.02)
    page = Page(to_html(Report(small), plan))
    assert "Plan for 4 workers" in page.texts
    assert [found for tag, found in page.elements if tag == "svg" and found.get("class") == "gantt"]
    assert 'href="#plan"' in to_html(Report(small), plan)
    assert 'href="#plan"' not in to_html(Report(small))


def test_thousands_of_tests_make_a_page_that_a_browser_can_show() -> None:
    tests = tuple(TestId(f"tests/test_{n % 50}.py::test_{n}") for n in range(5000))
    dependencies = dependencies_of(tests, seconds={test: 0.001 + n % 7 / 100 for n, test in enumerate(tests)})
    page = Page(plan_to_html(plan_report(dependencies, make_plan(dependencies, 2), 2, 0.02)))
    assert page.tags.count("rect") < 2500
    assert page.tags.count("li") == 5000


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_plan_gives_a_balanced_page(data: st.DataObject, any_dependencies: st.SearchStrategy[Dependencies]) -> None:
    dependencies = data.draw(any_dependencies)
    plan = plan_report(dependencies, make_plan(dependencies, 2), 2, 0.02)
    text = plan_to_html(replace(plan, real=plan.predicted))
    assert "script" not in Page(text).tags
    assert text.replace("\n", "").isprintable()
