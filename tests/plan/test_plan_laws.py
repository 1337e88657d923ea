"""What holds of every plan that is made, and of every check, whatever the dependencies."""

from collections import Counter
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.plan import Lane, Plan
from unknot.model.suite import Order
from unknot.plan.bound import lower_bound
from unknot.plan.check import ViolationKind, check_plan
from unknot.plan.makers.greedy import make_plan

from .plan_cases import any_dependencies, orders_of, passes, passing_dependencies, truth_of

CLEAN_STATE = 0.02
ENDING = (Outcome.CRASHED, Outcome.TIMED_OUT)
workers = st.integers(1, 5)


@settings(deadline=None)
@given(passing_dependencies(), workers)
def test_every_order_of_a_plan_passes_in_a_suite_that_is_as_the_dependencies_say(
    dependencies: Dependencies, count: int
) -> None:
    """The prediction is the longest lane, between the lower bound and the reference order. One worker runs the
    reference order and nothing twice."""
    plan = make_plan(dependencies, count, clean_state=CLEAN_STATE)
    truth = truth_of(dependencies)
    assert all(passes(truth, order) for order in orders_of(plan))
    assert {test for order in orders_of(plan) for test in order} == set(dependencies.suite.tests)
    assert check_plan(plan, dependencies) == ()
    lanes = [
        sum(CLEAN_STATE + sum(dependencies.seconds[t] for t in order) for order in lane.orders) for lane in plan.lanes
    ]
    assert abs(plan.predicted_seconds - max(lanes)) < 1e-9
    assert plan.predicted_seconds >= lower_bound(dependencies, count) - 1e-9
    assert plan.predicted_seconds <= sum(dependencies.seconds.values()) + CLEAN_STATE + 1e-9
    assert make_plan(dependencies, 1).lanes == (Lane((dependencies.suite.tests,)),)


@settings(deadline=None)
@given(any_dependencies(), workers, st.sampled_from((0, 7)))
def test_even_contradictory_dependencies_get_a_plan_that_passes_the_check(
    dependencies: Dependencies, count: int, untried: int
) -> None:
    """Orders follow the reference order, none is empty, and there are no more lanes than workers. A test that ends its
    process is the last of its order, and such orders end their lane. The same dependencies give the same plan."""
    dependencies = replace(dependencies, untried=untried)
    plan = make_plan(dependencies, count)
    assert check_plan(plan, dependencies) == ()
    assert len(plan.lanes) <= count
    for order in orders_of(plan):
        places = [dependencies.suite.index[test] for test in order]
        assert places
        assert places == sorted(set(places))
    for lane in plan.lanes:
        ends = [[dependencies.outcomes[test] in ENDING for test in order] for order in lane.orders]
        assert all(not any(order[:-1]) for order in ends)
        last = [order[-1] for order in ends]
        assert last == sorted(last)
    assert make_plan(dependencies, count) == plan


@settings(deadline=None)
@given(passing_dependencies(), st.data())
def test_the_check_finds_an_order_safe_exactly_when_it_passes(dependencies: Dependencies, data: st.DataObject) -> None:
    tests = st.lists(st.sampled_from(dependencies.suite.tests), unique=True, min_size=1).map(tuple)
    order: Order = data.draw(tests)
    _assert_same_verdict(Plan((Lane((order, dependencies.suite.tests)),), 0.0), dependencies)


@settings(deadline=None)
@given(passing_dependencies(), workers, st.data())
def test_the_check_catches_every_harmful_change_to_a_safe_plan(
    dependencies: Dependencies, count: int, data: st.DataObject
) -> None:
    plan = make_plan(dependencies, count)
    for _ in range(data.draw(st.integers(1, 3))):
        plan = _changed(plan, data)
    _assert_same_verdict(plan, dependencies)


@settings(deadline=None)
@given(passing_dependencies(), st.data())
def test_while_pairs_are_untried_only_beginnings_of_the_reference_order_are_safe(
    dependencies: Dependencies, data: st.DataObject
) -> None:
    unfinished = replace(dependencies, complete=False)
    tests = dependencies.suite.tests
    order: Order = tuple(data.draw(st.lists(st.sampled_from(tests), unique=True, min_size=1)))
    kinds = [found.kind for found in check_plan(Plan((Lane((tests, order)),), 0.0), unfinished)]
    assert (ViolationKind.UNTRIED_ORDER in kinds) == (order != tests[: len(order)])


def _changed(plan: Plan, data: st.DataObject) -> Plan:
    """One test dropped, two swapped, or one moved, in one order or from one order to another."""
    orders = [[list(order) for order in lane.orders] for lane in plan.lanes]
    flat = [order for lane in orders for order in lane if order]
    if flat:
        source = data.draw(st.sampled_from(flat))
        place = data.draw(st.integers(0, len(source) - 1))
        match data.draw(st.sampled_from(("drop", "swap", "move"))):
            case "drop":
                del source[place]
            case "swap":
                other = data.draw(st.integers(0, len(source) - 1))
                source[place], source[other] = source[other], source[place]
            case "move":
                test = source.pop(place)
                target = data.draw(st.sampled_from(flat))
                target.insert(data.draw(st.integers(0, len(target))), test)
    return Plan(tuple(Lane(tuple(tuple(order) for order in lane)) for lane in orders), 0.0)


def _assert_same_verdict(plan: Plan, dependencies: Dependencies) -> None:
    """The simulated suite decides whether the check is right. It does not cover a test that runs twice in one order."""
    truth = truth_of(dependencies)
    found = check_plan(plan, dependencies)
    orders = orders_of(plan)
    missing = set(dependencies.suite.tests) - {test for order in orders for test in order}
    assert {one.test for one in found if one.kind is ViolationKind.MISSING_TEST} == missing
    repeated = any(times > 1 for order in orders for times in Counter(order).values())
    assert any(one.kind is ViolationKind.REPEATED_TEST for one in found) == repeated
    if not repeated:
        unsafe = (ViolationKind.UNMET_NEED, ViolationKind.CONFLICT)
        is_safe = not any(one.kind in unsafe for one in found)
        assert is_safe == all(passes(truth, order) for order in orders)
