"""Suites that fail in their own order, and tests that take the process down."""

from collections.abc import Iterable, Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Case, case, laws, mixed_suites

from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Result, Run
from unknot.oracle.protocol import Oracle, Price

from ..judge import (
    MakeOracle,
    as_readable,
    assert_nothing_false,
    cheap,
    conflicts_in,
    dependencies_in,
    expensive,
    needs_in,
)


class Crashing:
    """Some tests crash the process: always, or only where they would fail. No test after them is run."""

    def __init__(
        self, told: Case, inner: Oracle, *, always: Iterable[int] = (), instead: Iterable[int] = (), by: Outcome
    ) -> None:
        self._inner = inner
        self._always = set(told.suite.order(always))
        self._instead = set(told.suite.order(instead))
        self._by = by

    @property
    def price(self) -> Price:
        return self._inner.price

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        for run in self._inner.run_orders(requests):
            yield Run(run.request, tuple(self._broken_off(run)), run.executed, run.seconds)

    def _broken_off(self, run: Run) -> Iterator[Result]:
        over = False
        for test, result in zip(run.order, run.results, strict=True):
            if over:
                yield Result(Outcome.NOT_RUN)
            elif test in self._always or (test in self._instead and result.outcome is Outcome.FAILED):
                yield Result(self._by, story="it broke off")
                over = True
            else:
                yield result


@pytest.mark.parametrize("oracle", [cheap, expensive])
def test_a_victim_of_the_reference_order_is_reported_as_conflict(oracle: MakeOracle) -> None:
    told = case(14, conflicts=[(9, [4], [])])

    dependencies = dependencies_in(told, oracle(told))

    assert dependencies.failing == told.suite.order([9])
    assert conflicts_in(dependencies) == [(9, [4])], as_readable(dependencies)
    assert not dependencies.needs
    assert_nothing_false(told, dependencies)


@pytest.mark.parametrize("oracle", [cheap, expensive])
def test_a_test_that_always_fails_is_listed_and_nothing_is_claimed_about_it(oracle: MakeOracle) -> None:
    told = case(14, {5: [[]], 9: [[2]]})

    dependencies = dependencies_in(told, oracle(told))

    assert dependencies.failing == told.suite.order([5])
    assert needs_in(dependencies) == [(9, [2])]
    assert (dependencies.conflicts, dependencies.complete) == ((), True)


@pytest.mark.parametrize("oracle", [cheap, expensive])
def test_needs_of_the_others_are_found_beside_victims_of_the_reference_order(oracle: MakeOracle) -> None:
    told = case(14, {8: [[3]], 11: [[8]]}, [(6, [1], []), (12, [0], [])])

    dependencies = dependencies_in(told, oracle(told))

    assert needs_in(dependencies) == [(8, [3]), (11, [8])], as_readable(dependencies)
    assert conflicts_in(dependencies) == [(6, [1]), (12, [0])]


@pytest.mark.parametrize("oracle", [cheap, expensive])
@pytest.mark.parametrize("by", [Outcome.CRASHED, Outcome.TIMED_OUT])
def test_a_test_that_takes_the_process_down_is_set_aside_and_the_others_are_judged(
    by: Outcome, oracle: MakeOracle
) -> None:
    told = case(14, {9: [[2]]}, [(3, [11], [])])

    dependencies = dependencies_in(told, Crashing(told, oracle(told), always=[5, 7], by=by))

    tests = told.suite.tests
    assert (dependencies.outcomes[tests[5]], dependencies.outcomes[tests[7]]) == (by, by)
    assert {dependencies.outcomes[test] for number, test in enumerate(tests) if number not in (5, 7)} == {
        Outcome.PASSED
    }
    assert needs_in(dependencies) == [(9, [2])]
    if oracle is cheap:
        assert conflicts_in(dependencies) == [(3, [11])]


def test_every_test_but_one_takes_the_process_down() -> None:
    told = case(6)

    dependencies = dependencies_in(told, Crashing(told, cheap(told), always=range(5), by=Outcome.CRASHED))

    assert list(dependencies.outcomes.values()) == [Outcome.CRASHED] * 5 + [Outcome.PASSED]
    assert not dependencies.has_any


def test_more_crashes_than_are_worth_the_runs_give_an_incomplete_result() -> None:
    told = case(60)

    dependencies = dependencies_in(told, Crashing(told, cheap(told), always=range(50), by=Outcome.CRASHED))

    assert not dependencies.complete
    assert not dependencies.has_any


@pytest.mark.parametrize("oracle", [cheap, expensive])
@laws(60)
@given(told=mixed_suites(9), chosen=st.sets(st.integers(0, 8), min_size=1, max_size=3))
def test_a_test_not_run_because_another_crashed_is_never_reported_as_failed(
    oracle: MakeOracle, told: Case, chosen: set[int]
) -> None:
    fatal = [number for number in chosen if number < told.size]
    crashing = Crashing(told, oracle(told), instead=fatal, by=Outcome.CRASHED)

    dependencies = dependencies_in(told, crashing)

    proofs = [need.proof for need in dependencies.needs] + [conflict.proof for conflict in dependencies.conflicts]
    shown = crashing.run_orders([OrderRequest(proof.fails) for proof in proofs])
    assert all(run.last is not Outcome.NOT_RUN for run in shown), as_readable(dependencies)


def test_a_dependent_that_crashes_without_its_prerequisite_is_a_dependent_all_the_same() -> None:
    told = case(8, {5: [[2]]})

    dependencies = dependencies_in(told, Crashing(told, cheap(told), instead=[5], by=Outcome.CRASHED))

    assert needs_in(dependencies) == [(5, [2])]
    assert not dependencies.conflicts


@pytest.mark.parametrize("size", [0, 1, 2])
def test_a_suite_of_hardly_any_tests_has_no_dependencies(size: int) -> None:
    told = case(size)

    dependencies = dependencies_in(told)

    assert (dependencies.has_any, dependencies.complete, dependencies.untried) == (False, True, 0)
