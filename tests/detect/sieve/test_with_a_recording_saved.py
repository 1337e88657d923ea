"""What a recording saves, what trusting it means, and what a recording says to detectors."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Case, barabasi_albert, case, either_or_suites, hidden_graphs, laws, polluted_suites

from unknot.detect.algorithms import ALGORITHMS
from unknot.detect.engine.options import Options
from unknot.detect.incremental.detector import detect_incrementally
from unknot.hints.recording import RecordedFlows
from unknot.model.graph import DependencyGraph
from unknot.model.outcome import Outcome
from unknot.model.recording import Access, Account, Flow, FlowKind, Location, Recording
from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import Suite, TestId
from unknot.oracle.count import CountingOracle
from unknot.oracle.protocol import Oracle

from ..judge import (
    MakeOracle,
    Transcript,
    assert_nothing_false,
    cheap,
    edges,
    expensive,
    failing_closures,
    true_reduction,
)
from ..recordings import RECORDINGS, Make, right, with_half_of_it_missing

PLAIN = st.one_of(hidden_graphs("chain", 9), hidden_graphs("layered", 9), hidden_graphs("random", 16))
prices = pytest.mark.parametrize("oracle", [cheap, expensive])
order = pytest.mark.parametrize("reorders", [False, True], ids=["kept", "any"])


def recorded_of(told: Case, make: Make = right) -> RecordedFlows:
    return make(told, random.Random(1))


def total(told: Case, oracle: MakeOracle, options: Options) -> CountingOracle:
    """All that is run, proofs included."""
    counted = CountingOracle(oracle(told))
    ALGORITHMS["sieve"](told.suite, counted, options)
    return counted


# --- orders saved


@prices
@order
@laws(40)
@given(told=PLAIN)
def test_a_right_recording_of_single_needs_hardly_ever_costs_an_order(
    oracle: MakeOracle, reorders: bool, told: Case
) -> None:
    """Whole orders are drawn, and what was recorded is tried directly: by chance a small suite may take a few less
    without a recording. With fewer runs of a test, its proofs have to be repeated once more."""
    without = total(told, oracle, Options(reorders=reorders)).orders
    by_chance = max(3, without // 2) if oracle is expensive else 4

    assert total(told, oracle, Options(reorders=reorders, recorded=recorded_of(told))).orders <= without + by_chance


@pytest.mark.parametrize("make", RECORDINGS.values(), ids=RECORDINGS.keys())
@prices
@order
@laws(25)
@given(told=st.one_of(PLAIN, either_or_suites(8), polluted_suites(8, together=1)))
def test_a_wrong_recording_costs_a_few_orders_at_most(
    make: Make, oracle: MakeOracle, reorders: bool, told: Case
) -> None:
    """With whole orders, what is not in the model may show with a recording and not without: then it is searched. So
    does, if the reference order is kept, what a cleaner hides; each recorded pair is tried for that."""
    without = total(told, oracle, Options(reorders=reorders)).orders
    if oracle is expensive or (told.conflicts and not reorders):
        more = 2 * without + 24
    else:
        more = without // 2 + 8 + (0 if reorders else told.size**2 // 4)

    assert total(told, oracle, Options(reorders=reorders, recorded=recorded_of(told, make))).orders <= without + more


def test_what_a_recording_saves_where_each_brittle_test_is_searched_by_itself() -> None:
    told = case(64, {20: [[3]], 40: [[7]], 63: [[31]]})

    without = total(told, cheap, Options(reorders=False))
    orders = total(told, cheap, Options(reorders=False, recorded=recorded_of(told))).orders

    # Three searches of more than five halvings each are replaced by one order each.
    assert orders <= without.orders - 3 * 5


def test_what_a_recording_saves_with_whole_orders() -> None:
    cases = [barabasi_albert(100, seed) for seed in range(4)]

    without = sum(total(told, expensive, Options(reorders=False)).orders for told in cases)
    orders = sum(total(told, expensive, Options(reorders=False, recorded=recorded_of(told))).orders for told in cases)

    assert orders < 0.92 * without


# --- trusted


@prices
@order
@laws(30)
@given(told=PLAIN)
def test_trusting_a_right_recording_finds_all_and_does_not_call_it_complete(
    oracle: MakeOracle, reorders: bool, told: Case
) -> None:
    dependencies = ALGORITHMS["sieve"](
        told.suite, oracle(told), Options(reorders=reorders, recorded=recorded_of(told), trusts_recording=True)
    )

    assert edges(dependencies) == true_reduction(told)
    assert not failing_closures(told, dependencies)
    assert not dependencies.complete
    assert not any(need.complete for need in dependencies.needs)
    assert dependencies.cost.choice.startswith("trusting the recording")
    assert_nothing_false(told, dependencies)


@order
@laws(40)
@given(told=st.one_of(PLAIN, polluted_suites(8, together=1), either_or_suites(8)), seed=st.integers(0, 9))
def test_trusting_a_recording_that_lacks_half_invents_nothing(reorders: bool, told: Case, seed: int) -> None:
    recorded = with_half_of_it_missing(told, random.Random(seed))

    dependencies = ALGORITHMS["sieve"](
        told.suite, cheap(told), Options(reorders=reorders, recorded=recorded, trusts_recording=True)
    )

    assert_nothing_false(told, dependencies)
    assert not dependencies.complete


def test_a_test_that_shares_no_state_is_not_tried_if_the_recording_is_trusted() -> None:
    told = case(50, {30: [[10]]}, [(31, [40], [])])
    options = Options(recorded=recorded_of(told), trusts_recording=True)
    transcript = Transcript(cheap(told))

    dependencies = ALGORITHMS["sieve"](told.suite, transcript, options)

    tried = {request.order[-1] for request in transcript.requests if request.order != told.suite.tests}
    assert tried == set(told.suite.order([10, 30, 31, 40]))
    assert len(transcript.requests) < 25
    assert [(need.dependent, need.any_of) for need in dependencies.needs] == [
        (told.suite.tests[30], (told.suite.tests[10],))
    ]
    assert [conflict.polluters for conflict in dependencies.conflicts] == [(told.suite.tests[40],)]
    assert dependencies.untried > 40 * 49
    assert "trusting the recording: 4 of 50 tests" in dependencies.cost.choice


def test_trust_without_a_recording_changes_nothing() -> None:
    told = case(6, {3: [[1]]})

    assert ALGORITHMS["sieve"](told.suite, cheap(told), Options(trusts_recording=True)) == ALGORITHMS["sieve"](
        told.suite, cheap(told), Options()
    )


# --- tests that are set aside


class CrashesAt:
    """One test takes the process down."""

    def __init__(self, inner: Oracle, crashing: TestId) -> None:
        self._inner = inner
        self._crashing = crashing
        self.price = inner.price

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        for run in self._inner.run_orders(requests):
            if self._crashing in run.order:
                place = run.order.index(self._crashing)
                rest = len(run.order) - place - 1
                results = (*run.results[:place], Result(Outcome.CRASHED), *[Result(Outcome.NOT_RUN)] * rest)
                run = replace(run, results=results)
            yield run


@pytest.mark.parametrize("trusts", [False, True])
def test_positions_of_a_recording_are_right_when_a_test_is_set_aside(trusts: bool) -> None:
    told = case(20, {12: [[5]], 19: [[12], [7]]})
    tests = told.suite.tests
    options = Options(recorded=recorded_of(told), trusts_recording=trusts)

    dependencies = ALGORITHMS["sieve"](told.suite, CrashesAt(cheap(told), tests[2]), options)

    assert {(need.dependent, need.any_of) for need in dependencies.needs} == {
        (tests[12], (tests[5],)),
        (tests[19], (tests[7],)),
        (tests[19], (tests[12],)),
    }


# --- refining detectors, growing suites


@pytest.mark.parametrize("algorithm", ["pradet", "tedd", "dependence-aware"])
@laws(30)
@given(told=hidden_graphs("random", 9))
def test_refining_detectors_take_what_was_found_as_candidates(algorithm: str, told: Case) -> None:
    """With a harmless flow from every test to the one before it, and one that points forward."""
    candidates = DependencyGraph(told.size)
    rows = recorded_of(told).may_need
    candidates.rows = [row | (1 << test >> 1) for test, row in enumerate(rows)]
    if told.size > 1:
        candidates.add(0, 1)

    dependencies = ALGORITHMS[algorithm](told.suite, cheap(told), Options(candidates=candidates, bound=told.size))

    assert edges(dependencies) == true_reduction(told)


def test_a_new_test_is_searched_for_among_those_whose_work_it_was_seen_to_find() -> None:
    told = case(64, {20: [[3]], 63: [[31]]})
    old = Suite(told.suite.tests[:-1])
    yesterday = ALGORITHMS["sieve"](old, cheap(told), Options())

    without = detect_incrementally(told.suite, cheap(told), yesterday, (), Options())
    dependencies = detect_incrementally(told.suite, cheap(told), yesterday, (), Options(recorded=recorded_of(told)))

    assert {(n.dependent, n.any_of) for n in dependencies.needs} == {(n.dependent, n.any_of) for n in without.needs}
    assert dependencies.cost.orders < without.cost.orders


# --- from a recording


def test_rows_of_a_recording() -> None:
    suite = Suite(tuple(map(TestId, "abcd")))
    a, b, c, d = suite.tests
    cart, cache = Location("memory", "shop.CART"), Location("memory", "shop.RATES")
    recording = Recording(
        suite.tests,
        dict.fromkeys(suite.tests, Outcome.PASSED),
        accounts=(
            Account(cart, writes=(Access(a), Access(b, restored=True), Access(d)), reads=(Access(c), Access(d))),
            Account(cache, writes=(Access(a),), reads=(Access(b),)),
        ),
        flows=(
            Flow(FlowKind.READ_AFTER_WRITE, b, c, cart),
            Flow(FlowKind.READ_AFTER_WRITE, a, b, cache, harmless=True),
            Flow(FlowKind.WRITE_AFTER_READ, d, c, cart),
        ),
    )

    recorded = RecordedFlows.of(recording, suite)

    assert recorded.may_need == (0, 0, 0b0010, 0)
    assert recorded.may_be_broken_by == (0, 0b0001, 0b1001, 0b0001)
    assert recorded.written_by == (0, 0b0001, 0b1011, 0b0011)
    fewer = recorded.among(suite, Suite((b, c, d)))
    assert fewer.may_need == (0, 0b001, 0)
    assert fewer.written_by == (0, 0b101, 0b001)
    assert [fewer.related(test) for test in range(3)] == [0, 0b101, 0b001]
