"""What blame finds out about one test of a simulated suite."""

import pytest

from unknot.detect.blame.blame import blame
from unknot.model.blame import Blame, BlameVerdict, NamedOrder
from unknot.model.suite import Suite, TestId
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.oracle.simulated import HiddenConflict, HiddenTruth, SimulatedOracle

TESTS = tuple(TestId(f"tests/test_{number // 10}.py::test_{number}") for number in range(30))
VICTIM = TESTS[12]


def _blame(truth: HiddenTruth, test: TestId = VICTIM, clean_state: float = 0.01, *orders: NamedOrder) -> Blame:
    return blame(Suite(TESTS), SimulatedOracle(truth, clean_state=clean_state), test, orders)


def _polluters(found: Blame) -> set[frozenset[TestId]]:
    return {frozenset(conflict.polluters) for conflict in found.dependencies.conflicts_of.get(found.test, ())}


def _needs(found: Blame) -> set[frozenset[TestId]]:
    return {frozenset(need.any_of) for need in found.dependencies.needs_of.get(found.test, ())}


def _set(*numbers: int) -> frozenset[TestId]:
    return frozenset(TESTS[number] for number in numbers)


@pytest.mark.parametrize("clean_state", [0.01, 3.0], ids=["each neighbour", "whole orders"])
def test_later_polluters_and_pairs_of_them_are_named(clean_state: float) -> None:
    truth = HiddenTruth(conflicts=(HiddenConflict(VICTIM, _set(20)), HiddenConflict(VICTIM, _set(3, 25))))

    found = _blame(truth, VICTIM, clean_state)

    assert found.verdict is BlameVerdict.DEPENDENT
    assert _set(20) in _polluters(found)
    assert _polluters(found) <= {_set(20), _set(3, 25)}


def test_a_polluter_behind_a_cleaner_is_named_with_it() -> None:
    truth = HiddenTruth(conflicts=(HiddenConflict(VICTIM, _set(3), _set(5)),))

    found = _blame(truth)

    assert _polluters(found) == {_set(3)}
    assert found.dependencies.conflicts[0].cleaners == (TESTS[5],)


def test_what_a_brittle_polluter_needs_is_not_blamed() -> None:
    truth = HiddenTruth(needs={TESTS[4]: (_set(2),)}, conflicts=(HiddenConflict(VICTIM, _set(4)),))

    assert _polluters(_blame(truth)) == {_set(4)}


def test_a_chain_of_needs_names_the_direct_setter_only() -> None:
    truth = HiddenTruth(needs={VICTIM: (_set(7),), TESTS[7]: (_set(2, 5),)})

    found = _blame(truth)

    assert found.verdict is BlameVerdict.DEPENDENT
    assert _needs(found) == {_set(7)}
    assert {need.dependent for need in found.dependencies.needs} == {VICTIM, TESTS[7]}


def test_a_setter_that_comes_later_in_the_suite_is_found() -> None:
    found = _blame(HiddenTruth(needs={VICTIM: (_set(22),)}))

    assert _needs(found) == {_set(22)}


def test_a_brittle_test_with_a_polluter_gets_both() -> None:
    truth = HiddenTruth(needs={VICTIM: (_set(7),)}, conflicts=(HiddenConflict(VICTIM, _set(20)),))

    found = _blame(truth)

    assert (_needs(found), _polluters(found)) == ({_set(7)}, {_set(20)})


def test_the_given_order_is_where_the_search_starts() -> None:
    truth = HiddenTruth(conflicts=(HiddenConflict(VICTIM, _set(20)),))
    given = NamedOrder("seed 1", (TESTS[21], TESTS[20], TESTS[3], VICTIM))

    found = _blame(truth, VICTIM, 0.01, given)

    assert _polluters(found) == {_set(20)}
    assert [each.what for each in found.tried] == ["alone", "seed 1", "in suite order"]


@pytest.mark.parametrize("chance", [0.5, 0.2])
def test_a_flaky_test_is_not_called_dependent(chance: float) -> None:
    found = _blame(HiddenTruth(flaky={VICTIM: chance}))

    assert found.verdict is BlameVerdict.FLAKY


def test_a_test_that_fails_everywhere_and_one_that_never_does_are_told_apart() -> None:
    never = HiddenTruth(needs={VICTIM: (frozenset(),)})

    assert _blame(never).verdict is BlameVerdict.FAILING
    assert _blame(HiddenTruth()).verdict is BlameVerdict.PASSING


@pytest.mark.parametrize("orders", [0, 1, 5, 20])
def test_stopped_anywhere_it_claims_only_what_is_true(orders: int) -> None:
    truth = HiddenTruth(needs={VICTIM: (_set(7),)}, conflicts=(HiddenConflict(VICTIM, _set(20)),))
    limited = BudgetOracle(SimulatedOracle(truth), Budget(orders=orders), lambda: 0.0)

    found = blame(Suite(TESTS), limited, VICTIM)

    assert not found.finished
    assert _needs(found) <= {_set(7)}
    assert _polluters(found) <= {_set(20)}
