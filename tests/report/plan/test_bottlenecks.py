"""Each thing that can hold a plan back is named, and only where it does."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plan.plan_cases import any_dependencies, conflict, dependencies_of, need, plan_of

from unknot.app.plan import plan_report
from unknot.model.dependencies import Dependencies
from unknot.plan.makers.greedy import make_plan
from unknot.report.plan.bottlenecks import bottlenecks


def bottleneck_text(
    dependencies: Dependencies, workers: int, *lanes: Sequence[str], clean_state: float = 0.0, proven: float = 0.0
) -> str:
    return " | ".join(
        bottlenecks(plan_report(dependencies, replace(plan_of(*lanes), bound=proven), workers, clean_state))
    )


def test_the_longest_closure() -> None:
    dependencies = dependencies_of("a b c", needs=[need("b", "a")], seconds={"a": 10.0, "b": 31.0, "c": 5.0})
    expected = "b and its prerequisites take 41.0 s: no number of workers makes this faster"
    assert bottleneck_text(dependencies, 2, ["a b"], ["c"]) == expected


def test_one_long_test() -> None:
    dependencies = dependencies_of("a b", seconds={"a": 10.0})
    assert (
        bottleneck_text(dependencies, 2, ["a"], ["b"]) == "a alone takes 10.0 s: no number of workers makes this faster"
    )


def test_a_closure_with_alternatives_takes_at_least_what_all_have_in_common() -> None:
    dependencies = dependencies_of("a b c", needs=[need("c", "a b")], seconds={"c": 10.0, "a": 0.2, "b": 0.2})
    assert bottleneck_text(dependencies, 2, ["a c"], ["b"]).startswith(
        "c and its prerequisites take at least 10.0 s: no number of workers makes this faster"
    )


def test_full_lanes() -> None:
    dependencies = dependencies_of("a b c d")
    assert (
        bottleneck_text(dependencies, 2, ["a b"], ["c d"]) == "all 2 lanes are full: more workers help, up to about 4"
    )


def test_a_bound_that_was_proven() -> None:
    dependencies = dependencies_of(
        "a b c", needs=[need("b", "a"), need("c", "a")], seconds={"b": 3.0, "c": 3.0, "a": 2.0}
    )
    text = bottleneck_text(dependencies, 3, ["a b c"], clean_state=0.0, proven=8.0)
    assert text == "dependent groups do not split better over 3 lanes: no plan for that many takes less than 8.00 s"


def test_repetitions_that_could_be_done_without() -> None:
    dependencies = dependencies_of("a b c d", seconds={"a": 2.0, "b": 2.0, "c": 2.0, "d": 2.0})
    text = bottleneck_text(dependencies, 2, ["a b c"], ["a b d"])
    assert text == "tests that several lanes need are run again, which takes 4.00 s; most expensive: a (2 runs)"


def test_clean_states() -> None:
    assert (
        bottleneck_text(dependencies_of("a b c d"), 2, ["a", "b"], ["c", "d"], clean_state=2.0)
        == "4 clean states take 8.00 s to set up"
    )


def test_lanes_that_wait() -> None:
    dependencies = dependencies_of("a b c d e f", seconds={})
    text = bottleneck_text(dependencies, 2, ["a b c d"], ["e f"])
    assert text.startswith("lane 1 ends last; lanes are idle 25 % of the time")


def test_workers_with_nothing_to_do() -> None:
    dependencies = dependencies_of("a b c d", conflicts=[conflict("d", "a")])
    assert bottleneck_text(dependencies, 3, ["a b c", "d"]).startswith("2 of 3 workers are idle")


def test_an_unfinished_detection_is_the_only_reason_given() -> None:
    text = bottleneck_text(dependencies_of("a b", untried=1, complete=False), 2, ["a b"])
    assert text.startswith("the detection is not finished (1 untried pair of tests): only the suite order")


def test_one_worker() -> None:
    assert bottleneck_text(dependencies_of("a b"), 1, ["a b"]) == "one worker: nothing runs in parallel"


@pytest.mark.parametrize("tests", ["", "a b"])
def test_a_suite_that_takes_no_time_is_not_held_back(tests: str) -> None:
    assert bottleneck_text(dependencies_of(tests, seconds=0.0), 2, *([[tests]] if tests else [])) == ""


@settings(deadline=None, max_examples=60)
@given(dependencies=any_dependencies(), workers=st.integers(1, 5), clean_state=st.sampled_from((0.0, 0.02, 5.0)))
def test_there_is_always_a_reason(dependencies: Dependencies, workers: int, clean_state: float) -> None:
    assume(all(need.any_of for need in dependencies.needs))
    report = plan_report(dependencies, make_plan(dependencies, workers, clean_state=clean_state), workers, clean_state)
    reasons = bottlenecks(report)
    assert bool(reasons) == bool(report.work)
    if any("with any number of workers" in reason for reason in reasons):
        assert report.makespan - clean_state <= report.at_best.critical * 1.03
