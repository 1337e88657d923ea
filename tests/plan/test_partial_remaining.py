"""Plans for what a run has lost."""

from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.plan.check import ViolationKind, check_plan
from unknot.plan.partial import plan_remaining

from .plan_cases import dependencies_of, ids, need, orders_of, passes, passing_dependencies, truth_of


def test_what_was_lost_runs_again_after_what_it_needs_and_nothing_else_does() -> None:
    dependencies = dependencies_of("a b c d e", needs=[need("d", "b")])
    plan = plan_remaining(dependencies, ids("d e"), (), 2)
    assert {test for order in orders_of(plan) for test in order} == set(ids("b d e"))


def test_a_suspected_test_runs_last_in_an_order_of_its_own() -> None:
    dependencies = dependencies_of("a b c d e", needs=[need("c", "a")])
    plan = plan_remaining(dependencies, ids("d e"), ids("c"), 2)
    assert ids("a c") in orders_of(plan)
    assert all(order == ids("a c") or not set(ids("a c")) & set(order) for order in orders_of(plan))
    assert any(lane.orders[-1] == ids("a c") for lane in plan.lanes)


def test_only_suspected_tests_or_no_tests_at_all() -> None:
    dependencies = dependencies_of("a b c")
    assert [lane.orders for lane in plan_remaining(dependencies, (), ids("c a"), 2).lanes] == [(ids("a"),), (ids("c"),)]
    assert len(plan_remaining(dependencies, (), ids("a b c"), 2).lanes) == 2
    assert plan_remaining(dependencies, (), (), 2).lanes == ()


def test_while_pairs_are_untried_every_order_is_a_beginning_of_the_reference_order() -> None:
    dependencies = dependencies_of("a b c d e", complete=False)
    assert orders_of(plan_remaining(dependencies, ids("c"), ids("d"), 4)) == [ids("a b c"), ids("a b c d")]


def test_while_pairs_are_untried_an_order_leaves_out_what_would_end_it_early() -> None:
    dependencies = dependencies_of("a b c d e", complete=False, outcomes={"b": Outcome.CRASHED})
    assert orders_of(plan_remaining(dependencies, ids("c"), ids("d"), 4)) == [ids("a c"), ids("a c d")]


@given(passing_dependencies(), st.data(), st.integers(1, 4))
@laws(150)
def test_all_that_was_lost_runs_and_does_well(dependencies: Dependencies, data: st.DataObject, workers: int) -> None:
    some = st.sets(st.sampled_from(dependencies.suite.tests))
    lost, suspects = data.draw(some), data.draw(some)
    plan = plan_remaining(dependencies, lost, suspects, workers)
    ran = {test for order in orders_of(plan) for test in order}
    assert lost | suspects <= ran
    assert len(plan.lanes) <= workers
    assert {violation.kind for violation in check_plan(plan, dependencies)} <= {ViolationKind.MISSING_TEST}
    if all(outcome is Outcome.PASSED for outcome in dependencies.outcomes.values()):
        assert all(passes(truth_of(dependencies), order) for order in orders_of(plan))
