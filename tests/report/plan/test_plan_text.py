"""The plan on a terminal: reads the same without colour, fits the width, and shows ids as they are."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plan.plan_cases import conflict, dependencies_of, need, plan_of

from unknot.app.plan import plan_report
from unknot.model.dependencies import Dependencies
from unknot.model.plan import Plan, TimelineItem
from unknot.model.sanitise import shown
from unknot.model.suite import TestId
from unknot.plan.makers.greedy import make_plan
from unknot.report.plan.plan_report import PlanReport
from unknot.report.plan.plan_text import plan_text


@pytest.fixture(scope="module")
def report() -> PlanReport:
    dependencies = dependencies_of(
        "login cart pay refund search about",
        needs=[need("cart", "login"), need("pay", "cart"), need("refund", "cart")],
        conflicts=[conflict("about", "search")],
        seconds={"login": 2.0, "cart": 1.0, "pay": 9.0, "refund": 4.0, "search": 1.0, "about": 1.0},
    )
    plan = replace(plan_of(["login cart pay"], ["login cart refund search", "about"]), maker="greedy")
    return plan_report(dependencies, plan, 2, 0.1)


def test_the_summary_is_complete(report: PlanReport) -> None:
    text = plan_text(report).plain
    assert text.splitlines()[:16] == [
        "6 tests on 2 workers: 12.1 s, 1.5x faster than serial",
        "  serial             18.0 s",
        "  lower bound        12.0 s (this plan: 0.8 % over the lower bound)",
        "                     longest closure 12.0 s, work / workers 9.00 s",
        "  run repeatedly     2 tests, 3.00 s: login (2 times), cart (2 times)",
        "  planner            greedy",
        "  bottleneck         pay and its prerequisites take 12.0 s: no number of workers makes this faster",
        "                          2.00 s  login",
        "                          1.00 s  cart",
        "                          9.00 s  pay",
        "",
        text.splitlines()[11],
        "         2.00 s  login",
        "         1.00 s  cart",
        "         9.00 s  pay",
        text.splitlines()[15],
    ]
    assert "         2.00 s  login  (again)\n" in text
    assert "                 from a clean state\n         1.00 s  about\n" in text
    assert "5 tests in 2 orders" in text


def test_bars_are_as_long_as_the_lanes_are(report: PlanReport) -> None:
    first, second = (line for line in plan_text(report, width=200).plain.splitlines() if line.startswith("lane"))
    assert first.count("█") == 60
    assert (second.count("█"), second.count("▒"), second.count("·")) == (31, 15, 14)


@pytest.mark.parametrize("width", [60, 80, 132])
def test_lanes_fit_into_the_width(report: PlanReport, width: int) -> None:
    lanes = [line for line in plan_text(report, width=width).plain.splitlines() if line.startswith("lane")]
    assert len(lanes) == 2
    assert all(len(line) < width for line in lanes)


def test_without_blocks_bars_are_made_of_what_there_is(report: PlanReport) -> None:
    text = plan_text(report, encoding="ascii").plain
    assert text.isascii()
    assert "# first run   + repeated run" in text


def test_verbose_lists_the_tests_of_a_large_plan() -> None:
    tests = tuple(TestId(f"t{number}") for number in range(40))
    report = plan_report(dependencies_of(tests), Plan(make_plan(dependencies_of(tests), 4).lanes, 0.0), 4, 0.0)
    assert "  t17\n" not in plan_text(report).plain
    assert all(f"  {test}\n" in plan_text(report, verbose=True).plain for test in tests)


def test_many_lanes_are_shortened_unless_verbose() -> None:
    tests = tuple(TestId(f"t{number}") for number in range(100))
    report = plan_report(dependencies_of(tests), make_plan(dependencies_of(tests), 100), 100, 0.0)
    assert "and 36 more lanes: use -v to see all" in plan_text(report).plain
    assert plan_text(report, verbose=True).plain.count("lane ") == 100


def test_a_long_chain_is_shortened_to_what_takes_most() -> None:
    tests = " ".join(f"t{number:02}" for number in range(20))
    names = tests.split()
    chain = [need(late, early) for early, late in pairwise(names)]
    dependencies = dependencies_of(tests, needs=chain, seconds={"t05": 50.0})
    text = plan_text(plan_report(dependencies, plan_of([tests]), 2, 0.0)).plain
    assert "    50.0 s  t05\n" in text
    assert "    11.0 s  in 11 other tests\n" in text


def test_the_last_run_is_shown(report: PlanReport) -> None:
    ran = replace(report, real=((TimelineItem(TestId("login"), 0, 0.0, 13.5),),))
    assert "  last run           the lanes took 13.5 s\n" in plan_text(ran).plain


def test_a_suite_without_tests_has_no_lanes() -> None:
    text = plan_text(plan_report(dependencies_of(""), plan_of(), 2, 0.0)).plain
    assert text.startswith("0 tests on 2 workers: 0 s")
    assert "lane" not in text


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), workers=st.integers(1, 4), verbose=st.booleans())
def test_any_plan_is_shown_line_by_line(
    data: st.DataObject, any_dependencies: st.SearchStrategy[Dependencies], workers: int, verbose: bool
) -> None:
    dependencies = data.draw(any_dependencies)
    text = plan_text(plan_report(dependencies, make_plan(dependencies, workers), workers, 0.02), verbose=verbose).plain
    assert text.replace("\n", "").isprintable()
    assert all(shown(test) in text for test in dependencies.suite.tests)
