"""What a report on a plan counts, against counting by hand and by brute force."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plan.plan_cases import dependencies_of, ids, need, passing_dependencies, plan_of

from unknot.app.plan import plan_report
from unknot.model.dependencies import Dependencies
from unknot.model.errors import UnknotError
from unknot.model.plan import TimelineItem
from unknot.model.suite import TestId
from unknot.plan.makers.greedy import make_plan
from unknot.report.plan.plan_report import repetitions


def test_a_plan_by_hand() -> None:
    dependencies = dependencies_of(
        "a b c d", needs=[need("b", "a"), need("c", "a")], seconds={"a": 1.0, "b": 4.0, "c": 3.0, "d": 0.5}
    )
    report = plan_report(dependencies, plan_of(["a b"], ["a c", "d"]), 2, 0.25)
    assert report.ends == (5.25, 5.0)
    assert report.makespan == 5.25
    assert report.work == 8.5
    assert report.speed_up == pytest.approx(8.5 / 5.25)
    assert report.runs_of == {"a": 2}
    assert report.repeated_seconds == 1.0
    assert report.clean_states == 3
    assert report.at_best.critical == 5.0
    assert report.at_best.critical_order == ids("a b")
    assert report.at_best.share == 4.25
    assert report.at_best.seconds == 5.0
    assert report.above_bound == pytest.approx(0.05)


def test_what_costs_most_to_repeat_comes_first() -> None:
    dependencies = dependencies_of("a b c", seconds={"a": 1.0, "b": 4.0, "c": 3.0})
    report = plan_report(dependencies, plan_of(["a b c"], ["a b"], ["a c"]), 3, 0.0)
    assert list(report.runs_of.items()) == [("b", 2), ("c", 2), ("a", 3)]


def test_a_solver_s_bound_counts_only_where_it_is_better() -> None:
    dependencies = dependencies_of("a b")
    assert plan_report(dependencies, replace(plan_of(["a"], ["b"]), bound=0.5), 2, 0.0).at_best.proven == 1.0
    assert plan_report(dependencies, replace(plan_of(["a b"]), bound=1.5), 2, 0.0).at_best.proven == 1.5


def test_an_unsafe_plan_stops_here() -> None:
    with pytest.raises(UnknotError, match="the plan is not safe: b needs a before it"):
        plan_report(dependencies_of("a b", needs=[need("b", "a")]), plan_of(["a"], ["b"]), 2, 0.0)


def test_a_suite_without_tests() -> None:
    report = plan_report(dependencies_of(""), plan_of(), 3, 0.02)
    assert (report.makespan, report.work, report.speed_up, report.above_bound) == (0.0, 0.0, 1.0, 0.0)
    assert report.at_best.critical_order == ()


def test_the_run_that_begins_first_is_no_repetition() -> None:
    a, b = TestId("a"), TestId("b")
    lanes = (
        (TimelineItem(b, 0, 0.0, 1.0), TimelineItem(a, 0, 1.0, 2.0)),
        (TimelineItem(a, 0, 0.0, 1.0), TimelineItem(b, 0, 1.0, 2.0)),
    )
    assert repetitions(lanes) == {(0, 1), (1, 1)}


def test_of_two_that_begin_together_the_one_in_the_earlier_lane_is_first() -> None:
    a = TestId("a")
    assert repetitions(((TimelineItem(a, 0, 0.0, 1.0),), (TimelineItem(a, 0, 0.0, 1.0),))) == {(1, 0)}


@settings(deadline=None, max_examples=60)
@given(dependencies=passing_dependencies(), workers=st.integers(1, 4), clean_state=st.sampled_from((0.0, 0.5)))
def test_time_is_accounted_for(dependencies: Dependencies, workers: int, clean_state: float) -> None:
    report = plan_report(dependencies, make_plan(dependencies, workers, clean_state=clean_state), workers, clean_state)
    runs = [test for lane in report.plan.lanes for order in lane.orders for test in order]
    assert report.runs_of == {test: count for test, count in Counter(runs).items() if count > 1}
    assert len(repetitions(report.predicted)) == len(runs) - len(dependencies.suite)
    assert sum(report.ends) == pytest.approx(report.work + report.repeated_seconds + report.clean_states * clean_state)
    assert report.makespan == pytest.approx(report.plan.predicted_seconds)
    assert report.makespan >= report.at_best.proven * (1 - 1e-9) >= report.at_best.seconds * (1 - 1e-8)
