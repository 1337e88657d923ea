"""What a run disproved: judged by the hidden truth, which the search never sees."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import Case, case, laws, mixed_suites

from unknot.detect.plan_failures.failures import Explanation, FailureKind, PlanFailure, explain_failures
from unknot.detect.plan_failures.lock_updates import apply_updates, names_known_tests
from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import Order, Suite, TestId
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.oracle.protocol import Price
from unknot.oracle.simulated import SimulatedOracle
from unknot.plan.makers.greedy import make_plan

pytestmark = pytest.mark.slow

_NO_PROOF = Proof((), ())


def known(told: Case, needs: Sequence[int] = (), conflicts: Sequence[int] = ()) -> Dependencies:
    """Dependencies that know some of the truth: these of its clauses, these of its conflicts."""
    tests = told.suite.tests
    clauses = [(dependent, clause) for dependent, found in sorted(told.needs.items()) for clause in found]
    return Dependencies(
        told.suite,
        dict.fromkeys(tests, Outcome.PASSED),
        dict.fromkeys(tests, 1.0),
        tuple(
            Need(tests[d], told.suite.order(clause), _NO_PROOF) for n, (d, clause) in enumerate(clauses) if n in needs
        ),
        tuple(
            Conflict(tests[victim], told.suite.order(polluters), told.suite.order(cleaners), _NO_PROOF)
            for n, (victim, polluters, cleaners) in enumerate(told.conflicts)
            if n in conflicts
        ),
    )


def surprises_in(told: Case, orders: Sequence[Order]) -> list[PlanFailure]:
    """What a run of these orders would show: of a test that runs several times, the first failure."""
    found: dict[TestId, PlanFailure] = {}
    for order in orders:
        for place, (test, outcome) in enumerate(zip(order, told.outcomes(order), strict=True)):
            if outcome.is_bad:
                found.setdefault(test, PlanFailure(test, order[:place], Result(outcome)))
    return list(found.values())


def explained(
    told: Case, dependencies: Dependencies, orders: Sequence[Order], *, most: int = 20, budget: Budget | None = None
) -> dict[TestId, Explanation]:
    oracle = SimulatedOracle(told.truth)
    limited = BudgetOracle(oracle, budget or Budget(), lambda: 0.0)
    return explain_failures(dependencies, told.suite, surprises_in(told, orders), limited, oracle, most=most)


def order(told: Case, *positions: int) -> Order:
    return told.suite.order(positions)


def test_an_unknown_need_is_found_and_shown() -> None:
    told = case(6, {4: [[1]]})
    found = explained(told, known(told), [order(told, 0, 2, 4)])
    (explanation,) = found.values()
    assert explanation.kind is FailureKind.LACKING
    assert explanation.result.outcome is Outcome.PASSED
    assert explanation.updates == (
        Need(told.suite.tests[4], order(told, 1), Proof(order(told, 1, 4), order(told, 4)), complete=False),
    )


def test_two_needs_at_once_are_both_found() -> None:
    told = case(8, {6: [[1], [4]]})
    (explanation,) = explained(told, known(told), [order(told, 3, 6)]).values()
    assert [update.any_of for update in explanation.updates if isinstance(update, Need)] == [
        order(told, 1),
        order(told, 4),
    ]


def test_one_or_two_polluters_are_found_with_their_cleaner() -> None:
    told = case(9, {}, [(5, [1], [3]), (8, [0, 4], [6])])
    found = explained(told, known(told), [order(told, 0, 1, 2, 5), order(told, 0, 2, 4, 7, 8)])
    assert [explanation.kind for explanation in found.values()] == [FailureKind.DISTURBED, FailureKind.DISTURBED]
    updates = [explanation.updates[0] for explanation in found.values()]
    assert updates == [
        Conflict(
            told.suite.tests[5],
            order(told, 1),
            order(told, 3),
            Proof(order(told, 5), order(told, 1, 5)),
            complete=False,
        ),
        Conflict(
            told.suite.tests[8],
            order(told, 0, 4),
            order(told, 6),
            Proof(order(told, 8), order(told, 0, 4, 8)),
            complete=False,
        ),
    ]


def test_a_test_that_breaks_many_is_tried_first() -> None:
    told = case(24, {}, [(victim, [1], [2]) for victim in range(12, 24)])
    oracle = CountingWith(SimulatedOracle(told.truth))
    orders = [order(told, *(place for place in range(24) if place != 2))]
    found = explain_failures(known(told), told.suite, surprises_in(told, orders), oracle, oracle)
    assert {explanation.kind for explanation in found.values()} == {FailureKind.DISTURBED}
    firsts, others = oracle.asked_about[told.suite.tests[12]], oracle.asked_about[told.suite.tests[20]]
    assert others < firsts, "the polluter of the first victim is tried first for the others"


def test_an_alternative_that_no_longer_does_is_given_up() -> None:
    told = case(5, {4: [[1]]})
    believed = replace(known(told), needs=(Need(told.suite.tests[4], order(told, 1, 3), _NO_PROOF),))
    (explanation,) = explained(told, believed, [order(told, 3, 4)]).values()
    assert explanation.kind is FailureKind.LACKING
    repaired = apply_updates(believed, explanation.updates)
    assert [need.any_of for need in repaired.needs] == [order(told, 1)], "the wider clause is replaced"


def test_what_fails_in_suite_order_has_really_failed_and_explains_its_dependents() -> None:
    told = always_failing(case(6, {3: [[1]], 5: [[3]]}), 1)
    found = explained(told, known(told, needs=[0, 1, 2]), [order(told, 0, 1, 3, 5), order(told, 2, 4)])
    tests = told.suite.tests
    assert {test: found[test].kind for test in found} == {
        tests[1]: FailureKind.REAL,
        tests[3]: FailureKind.PREREQUISITE,
        tests[5]: FailureKind.PREREQUISITE,
    }
    assert {found[tests[3]].cause, found[tests[5]].cause} == {tests[1]}
    assert all(explanation.result.outcome is Outcome.FAILED for explanation in found.values())


def test_a_test_that_needs_a_broken_one_is_judged_with_it() -> None:
    told = case(6, {5: [[3]]}, [(3, [0], [1])])
    found = explained(told, known(told, needs=[0]), [order(told, 0, 3, 5)])
    tests = told.suite.tests
    assert (found[tests[3]].kind, found[tests[5]].kind) == (FailureKind.DISTURBED, FailureKind.AFTERMATH)
    assert found[tests[5]].result.outcome is Outcome.PASSED


def test_a_pollution_that_strikes_in_the_suites_own_order_too_is_a_failure() -> None:
    told = case(4, {}, [(3, [0], [])])
    (explanation,) = explained(told, known(told), [order(told, 0, 3)]).values()
    assert explanation.kind is FailureKind.REAL
    assert not explanation.updates


def test_a_test_that_does_well_the_second_time_is_flaky() -> None:
    told = case(4)
    seen = PlanFailure(told.suite.tests[2], order(told, 0), Result(Outcome.FAILED))
    oracle = SimulatedOracle(told.truth)
    (explanation,) = explain_failures(known(told), told.suite, [seen], oracle, oracle).values()
    assert (explanation.kind, explanation.result.outcome) == (FailureKind.FLAKY, Outcome.PASSED)


@pytest.mark.parametrize("seed", range(8))
def test_of_a_flaky_test_nothing_is_claimed_that_two_runs_did_not_show(seed: int) -> None:
    told = case(8, {}, flaky={6: 0.5})
    seen = PlanFailure(told.suite.tests[6], order(told, 0, 3), Result(Outcome.FAILED))
    oracle = SimulatedOracle(told.truth, seed=seed)
    (explanation,) = explain_failures(known(told), told.suite, [seen], oracle, oracle).values()
    # Chance can show the same four times in a row, with a probability of 1/16.
    assert explanation.kind in (FailureKind.FLAKY, FailureKind.REAL) or len(explanation.updates) == 1


def test_a_test_that_is_new_is_judged_by_the_suites_own_order() -> None:
    told = case(4, {3: [[0]]})
    old = Suite(told.suite.tests[:3])
    dependencies = Dependencies(old, dict.fromkeys(old.tests, Outcome.PASSED), dict.fromkeys(old.tests, 1.0))
    (explanation,) = explained(told, dependencies, [order(told, 3)]).values()
    assert (explanation.kind, explanation.result.outcome) == (FailureKind.UNEXPLAINED, Outcome.PASSED)


def test_too_many_at_once_or_no_time_left_is_decided_by_one_run_of_the_suites_own_order() -> None:
    told = case(12, {test: [[0]] for test in range(6, 12)})
    for limits in ({"most": 5}, {"budget": Budget(orders=3)}):
        found = explained(told, known(told), [told.suite.tests[5:]], **limits)
        assert {explanation.kind for explanation in found.values()} == {FailureKind.UNEXPLAINED}
        assert {explanation.result.outcome for explanation in found.values()} == {Outcome.PASSED}


def test_a_test_that_crashes_in_the_suites_own_order_does_not_hide_those_behind_it() -> None:
    told = case(6, {5: [[0]]})
    tests = told.suite.tests
    oracle = Crashing(SimulatedOracle(told.truth), tests[3])
    seen = [
        PlanFailure(tests[3], order(told, 1), Result(Outcome.CRASHED)),
        PlanFailure(tests[5], order(told, 2), Result(Outcome.FAILED)),
    ]
    found = explain_failures(known(told), told.suite, seen, oracle, oracle)
    assert (found[tests[3]].kind, found[tests[3]].result.outcome) == (FailureKind.REAL, Outcome.CRASHED)
    assert (found[tests[5]].kind, found[tests[5]].result.outcome) == (FailureKind.LACKING, Outcome.PASSED)


@st.composite
def cleaned_suites(draw: st.DrawFn) -> Case:
    """A test that is polluted in suite order is cleaned there: a plan may separate these tests."""
    size = draw(st.integers(6, 12))
    conflicts = []
    for _ in range(draw(st.integers(1, 4))):
        places = sorted(draw(st.sets(st.integers(0, size - 1), min_size=3, max_size=4)))
        conflicts.append((places[-1], places[:-2], places[-2:-1]))
    told = case(size, {}, conflicts)
    assume(told.is_green)
    return told


@st.composite
def half_known(draw: st.DrawFn) -> tuple[Case, Dependencies]:
    """A green suite, and dependencies that know a part of its truth; plans differ by the seconds of the tests."""
    told = draw(st.one_of(mixed_suites(10), cleaned_suites(), cleaned_suites()))
    clauses = sum(len(found) for found in told.needs.values())
    needs = draw(st.sets(st.integers(0, clauses)))
    conflicts = draw(st.sets(st.integers(0, len(told.conflicts))))
    seconds = {test: draw(st.sampled_from([0.1, 1.0, 5.0])) for test in told.suite.tests}
    return told, replace(known(told, sorted(needs), sorted(conflicts)), seconds=seconds)


def orders_of(dependencies: Dependencies) -> list[Order]:
    return [order for lane in make_plan(dependencies, 2).lanes for order in lane.orders]


@given(half_known())
@laws(150)
def test_verdicts_are_those_of_suite_order_and_updates_are_true(drawn: tuple[Case, Dependencies]) -> None:
    told, dependencies = drawn
    for explanation in explained(told, dependencies, orders_of(dependencies)).values():
        assert explanation.result.outcome is Outcome.PASSED, "as in the suite's own order, which is green"
        for update in explanation.updates:
            assert told.passes(update.proof.passes)
            assert not told.passes(update.proof.fails)
            assert update.proof.passes[-1] == update.proof.fails[-1] == explanation.test


@given(half_known(), st.integers(0, 40))
@laws(100)
def test_verdicts_are_right_whenever_the_budget_ends(drawn: tuple[Case, Dependencies], orders: int) -> None:
    told, dependencies = drawn
    for explanation in explained(told, dependencies, orders_of(dependencies), budget=Budget(orders=orders)).values():
        assert explanation.result.outcome is Outcome.PASSED


@given(half_known(), st.sets(st.integers(0, 9), min_size=1, max_size=3))
@laws(150)
def test_what_really_fails_is_never_explained_away(drawn: tuple[Case, Dependencies], broken: set[int]) -> None:
    told, dependencies = drawn
    told = always_failing(told, *(test for test in broken if test < told.size))
    in_own_order = dict(zip(told.suite.tests, told.outcomes(told.suite.tests), strict=True))
    found = explained(told, dependencies, orders_of(dependencies))
    for test, explanation in found.items():
        if explanation.kind is not FailureKind.PREREQUISITE:
            assert explanation.result.outcome is in_own_order[test], explanation
    assert found.keys() >= {told.suite.tests[test] for test in broken if test < told.size}


@given(half_known())
@laws(100)
def test_repeated_runs_with_updates_end_in_a_plan_without_failures(drawn: tuple[Case, Dependencies]) -> None:
    told, dependencies = drawn
    for _ in range(30):
        found = explained(told, dependencies, orders_of(dependencies))
        if not found:
            return
        updates = [update for explanation in found.values() for update in explanation.updates]
        assert all(names_known_tests(update, dependencies) for update in updates)
        assert updates, "every plan failure teaches something"
        dependencies = apply_updates(dependencies, updates)
    raise AssertionError(f"still surprised: {found}")


def always_failing(told: Case, *broken: int) -> Case:
    """A clause that no test can meet."""
    return replace(told, needs={**told.needs, **dict.fromkeys(broken, ((),))})


class CountingWith:
    """Counts the orders by the test that they end in."""

    def __init__(self, inner: SimulatedOracle) -> None:
        self._inner = inner
        self.asked_about: dict[TestId, int] = {}

    @property
    def price(self) -> Price:
        return self._inner.price

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        for request in requests:
            last = request.order[-1]
            self.asked_about[last] = self.asked_about.get(last, 0) + 1
        return self._inner.run_orders(requests)


class Crashing:
    """One test takes its process down."""

    def __init__(self, inner: SimulatedOracle, test: TestId) -> None:
        self._inner = inner
        self._test = test

    @property
    def price(self) -> Price:
        return self._inner.price

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        for run in self._inner.run_orders(requests):
            if self._test not in run.order:
                yield run
                continue
            place = run.order.index(self._test)
            rest = (Result(Outcome.NOT_RUN),) * (len(run.order) - place - 1)
            yield replace(run, results=(*run.results[:place], Result(Outcome.CRASHED), *rest))
