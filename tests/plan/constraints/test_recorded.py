"""A plan from a recording: whatever a test reads is what it read in the recorded run."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import laws, names
from told_recording import Did, read, told, wrote

from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.recording import Recording
from unknot.model.suite import Order, Suite, TestId
from unknot.plan.check import check_plan
from unknot.plan.constraints.recorded import assumed_dependencies
from unknot.plan.makers.registry import best_plan

VALUE, CONTAINER = "shop.mode", "shop.cart"
Doing = tuple[str, str]
"""What a test does, and to which location. It reads before it writes."""

DOINGS: tuple[Doing, ...] = (
    ("read", VALUE),
    ("assign", VALUE),
    ("restore", VALUE),
    ("read", CONTAINER),
    ("add", CONTAINER),
    ("restore", CONTAINER),
)
State = dict[str, tuple[int, ...]]


def run(order: Sequence[int], suite: Sequence[Sequence[Doing]]) -> dict[int, list[tuple[int, ...]]]:
    """What each test reads when these tests run one after another from a clean state."""
    state: State = {VALUE: (), CONTAINER: ()}
    found: dict[int, list[tuple[int, ...]]] = {}
    for test in order:
        found[test] = [state[location] for doing, location in suite[test] if doing == "read"]
        _write(test, suite[test], state)
    return found


def _write(test: int, doings: Sequence[Doing], state: State) -> None:
    for doing, location in doings:
        if doing == "assign":
            state[location] = (test,)
        elif doing == "add":
            state[location] = (*state[location], test)
        elif doing == "restore":
            state[location] = ()


def recorded(suite: Sequence[Sequence[Doing]]) -> Recording:
    """What the recorder shows of the suite's own order: a write only where it made a difference."""
    events: list[Did] = []
    state: State = {VALUE: (), CONTAINER: ()}
    for test, doings in enumerate(suite):
        name = names(len(suite))[test]
        events += [read(name, "memory", location) for doing, location in doings if doing == "read"]
        before = dict(state)
        _write(test, doings, state)
        for location in (VALUE, CONTAINER):
            if state[location] != before[location]:
                shown = f"'{state[location]}'" if location == VALUE else f"[{state[location]}]"
                events.append(wrote(name, "memory", location, shown, restored=not state[location]))
    return told(names(len(suite)), events)


suites = st.lists(st.lists(st.sampled_from(DOINGS), max_size=3, unique=True), min_size=1, max_size=10)


@given(suites, st.integers(1, 4))
@laws(300)
def test_every_test_of_a_plan_reads_what_it_read_in_the_recorded_run(suite: list[list[Doing]], workers: int) -> None:
    suite = [sorted(doings, key=lambda doing: doing[0] != "read") for doings in suite]
    assumed = assumed_dependencies(recorded(suite))
    plan = best_plan(assumed, workers, clean_state=0.0, can_share=False)
    assert not check_plan(plan, assumed)
    place = assumed.suite.index
    expected = run(range(len(suite)), suite)
    for lane in plan.lanes:
        for order in lane.orders:
            for test, found in run([place[test] for test in order], suite).items():
                assert found == expected[test]


def _pairs(dependencies: Dependencies) -> set[tuple[TestId, Order]]:
    return {(need.dependent, need.any_of) for need in dependencies.needs}


def test_of_a_value_only_the_last_write_counts_and_of_a_container_every_one() -> None:
    tests = ("a", "b", "c")
    value = told(tests, [wrote("a", "memory", "x", "1"), wrote("b", "memory", "x", "2"), read("c", "memory", "x")])
    added = told(
        tests, [wrote("a", "memory", "x", "[1]"), wrote("b", "memory", "x", "[1, 2]"), read("c", "memory", "x")]
    )
    assert _pairs(assumed_dependencies(value)) == {("c", ("b",))}
    assert _pairs(assumed_dependencies(added)) == {("c", ("a",)), ("c", ("b",))}


def test_a_cache_is_no_constraint() -> None:
    cached = told(("a", "b"), [wrote("a", "memory", "x", "1"), read("b", "memory", "x")], harmless=True)
    assert not assumed_dependencies(cached).needs


def test_a_test_that_failed_while_it_was_recorded_is_expected_to_pass() -> None:
    failed = replace(told(("a", "b"), []), outcomes={TestId("a"): Outcome.FAILED, TestId("b"): Outcome.CRASHED})
    assert assumed_dependencies(failed).outcomes == {"a": Outcome.PASSED, "b": Outcome.CRASHED}


@pytest.mark.parametrize("complete", [True, False])
def test_what_was_proved_counts_beside_what_was_recorded(complete: bool) -> None:
    tests = tuple(map(TestId, ("a", "b", "c")))
    a, b, c = tests
    need = Need(b, (a,), Proof((a, b), (b,)))
    conflict = Conflict(c, (a,), (), Proof((c,), (a, c)))
    suite = Suite((*tests, TestId("gone")))
    known = Dependencies(
        suite, dict.fromkeys(suite.tests, Outcome.PASSED), {}, (need,), (conflict,), untried=3, complete=complete
    )
    recording = told(tests, [wrote("a", "memory", "x", "1"), read("b", "memory", "x"), read("c", "memory", "x")])
    found = assumed_dependencies(recording, known)
    assert found.needs == (need, *(other for other in found.needs if other.dependent == c))
    assert found.conflicts == (conflict,)
    assert found.suite.tests == tests
    assert found.complete
    assert not found.untried
