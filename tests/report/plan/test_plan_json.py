"""The plan as JSON: every member has the right value."""

import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plan.plan_cases import conflict, dependencies_of, ids, need, passing_dependencies, plan_of

from unknot.app.plan import plan_report
from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.plan import TimelineItem
from unknot.model.suite import TestId
from unknot.plan.makers.greedy import make_plan
from unknot.report.plan.plan_json import dumps_plan, plan_to_json


def test_a_plan_by_hand() -> None:
    dependencies = dependencies_of("a b c d", needs=[need("b", "a"), need("c", "a")], conflicts=[conflict("d", "c")])
    report = plan_report(dependencies, replace(plan_of(["a b"], ["a c", "d"]), maker="greedy"), 2, 0.25)
    assert plan_to_json(report) == {
        "makespan": 3.5,
        "lower_bound": 2.0,
        "lanes": [["a", "b"], ["a", "c", "d"]],
        "proven_bound": pytest.approx(report.at_best.proven),
        "critical_path": {"seconds": 2.0, "tests": ["a", "b"]},
        "work": 4.0,
        "workers": 2,
        "clean_state": 0.25,
        "speed_up": pytest.approx(4 / 3.5),
        "orders": [[["a", "b"]], [["a", "c"], ["d"]]],
        "shares": False,
        "repeated": {"tests": {"a": 2}, "seconds": 1.0},
        "maker": "greedy",
        "complete": True,
        "held_back_by": plan_to_json(report)["held_back_by"],
    }
    assert plan_to_json(report)["held_back_by"]


def test_where_beginnings_are_shared_a_lane_runs_them_once() -> None:
    dependencies = dependencies_of("a b c", needs=[need("b", "a"), need("c", "a")])
    document = plan_to_json(plan_report(dependencies, replace(plan_of(["a b", "a c"]), shares=True), 1, 0.0))
    assert document["lanes"] == [["a", "b", "c"]]
    assert document["orders"] == [[["a", "b"], ["a", "c"]]]
    assert document["makespan"] == 3.0
    assert document["repeated"]["tests"] == {}


def test_the_last_run_is_there_if_it_is_known() -> None:
    real = ((TimelineItem(TestId("a"), 0, 0.0, 1.5, Outcome.FAILED), TimelineItem(TestId("b"), 0, 1.5, 2.0)),)
    document = plan_to_json(plan_report(dependencies_of("a b"), plan_of(["a b"]), 1, 0.0, real=real))
    assert document["last_run"] == [
        [
            {"test": "a", "start": 0.0, "end": 1.5, "outcome": "failed"},
            {"test": "b", "start": 1.5, "end": 2.0, "outcome": None},
        ]
    ]


@settings(deadline=None, max_examples=40)
@given(dependencies=passing_dependencies(), workers=st.integers(1, 5))
def test_the_makespan_is_the_longest_lane(dependencies: Dependencies, workers: int) -> None:
    document = json.loads(
        dumps_plan(plan_report(dependencies, make_plan(dependencies, workers, clean_state=0.0), workers, 0.0))
    )
    lanes = [sum(dependencies.seconds[test] for test in lane) for lane in document["lanes"]]
    assert document["makespan"] == pytest.approx(max(lanes))
    assert {test for lane in document["lanes"] for test in lane} == set(dependencies.suite.tests)
    assert len(lanes) <= workers
    assert document["lower_bound"] <= document["proven_bound"] + 1e-6
    assert document["proven_bound"] <= document["makespan"] + 1e-6


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_id_survives(data: st.DataObject, any_dependencies: st.SearchStrategy[Dependencies]) -> None:
    dependencies = data.draw(any_dependencies)
    text = dumps_plan(plan_report(dependencies, make_plan(dependencies, 2), 2, 0.02))
    assert text.isascii()
    document = json.loads(text)
    assert {test for lane in document["lanes"] for test in lane} == set(dependencies.suite.tests)


def test_lanes_hold_ids_in_order() -> None:
    dependencies = dependencies_of(ids("x y z"))
    document = plan_to_json(plan_report(dependencies, plan_of(["x y z"]), 1, 0.0))
    assert document["lanes"] == [["x", "y", "z"]]
