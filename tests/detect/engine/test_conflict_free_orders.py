"""Orders in which, by all that is known, no test fails; and what they show if tests tear down a lot."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import edge_sets, laws

from unknot.detect.engine.conflict_free_orders import conflict_free_order
from unknot.detect.engine.findings import Clause, Findings, Pollution
from unknot.detect.engine.options import Options
from unknot.detect.sieve.sieve import sieve
from unknot.model.outcome import Outcome
from unknot.model.suite import Suite, TestId
from unknot.oracle.simulated import HiddenConflict, HiddenTruth, SimulatedOracle

IHATEMONEY = Path(__file__).parents[3] / "examples" / "ihatemoney" / "truth.json"


def _findings(size: int, edges: list[tuple[int, int]], pollutions: list[Pollution]) -> Findings:
    findings = Findings([Outcome.PASSED] * size, pollutions)
    for dependent in range(size):
        if needed := [other for test, other in edges if test == dependent]:
            findings.learn(dependent, tuple(Clause((other,)) for other in needed))
    return findings


@st.composite
def _known(draw: st.DrawFn) -> tuple[int, Findings]:
    size, edges = draw(edge_sets(most=9))
    tests = st.integers(0, size - 1)
    groups = st.lists(tests, min_size=2, max_size=min(3, size), unique=True)
    drawn = draw(st.lists(groups, max_size=6))
    return size, _findings(size, edges, [Pollution(first, tuple(rest), ()) for first, *rest in drawn])


@laws()
@given(_known(), st.randoms(use_true_random=False))
def test_every_test_has_what_it_needs_and_none_is_polluted(known: tuple[int, Findings], chance: random.Random) -> None:
    size, findings = known

    order = conflict_free_order(findings, chance.sample(range(size), size))

    assert len(set(order)) == len(order)
    for place, test in enumerate(order):
        assert findings.has_needs(test, set(order[:place]))
        assert not findings.explains(test, order[:place])


@laws()
@given(edge_sets(), st.randoms(use_true_random=False))
def test_without_known_polluters_no_test_is_left_out(
    drawn: tuple[int, list[tuple[int, int]]], chance: random.Random
) -> None:
    size, edges = drawn

    order = conflict_free_order(_findings(size, edges, []), chance.sample(range(size), size))

    assert sorted(order) == list(range(size))


def test_a_polluter_comes_after_its_victims_and_no_test_is_left_out() -> None:
    findings = _findings(9, [(test, 0) for test in range(1, 9)], [Pollution(test, (1,), ()) for test in range(2, 9)])

    orders = [conflict_free_order(findings, random.Random(seed).sample(range(9), 9)) for seed in range(20)]

    assert all(sorted(order) == list(range(9)) and order[-1] == 1 for order in orders)
    assert len({tuple(order) for order in orders}) > 10


def test_of_two_that_break_each_other_one_is_left_out() -> None:
    findings = _findings(3, [], [Pollution(0, (1,), ()), Pollution(1, (0,), ())])

    orders = [conflict_free_order(findings, random.Random(seed).sample(range(3), 3)) for seed in range(20)]

    assert {frozenset(order) for order in orders} == {frozenset({0, 2}), frozenset({1, 2})}


@pytest.mark.parametrize("seed", range(5))
def test_a_polluter_is_found_though_a_cleaner_follows_and_others_tear_all_down(seed: int) -> None:
    """The true graph of a browser suite whose last test deletes the project in which all others work."""
    document = json.loads(IHATEMONEY.read_text(encoding="utf-8"))
    tests = tuple(map(TestId, document["tests"]))
    needs: dict[TestId, tuple[frozenset[TestId], ...]] = {}
    for need in document["needs"]:
        dependent = TestId(need["dependent"])
        needs[dependent] = (*needs.get(dependent, ()), frozenset(map(TestId, need["any_of"])))
    conflicts = tuple(
        HiddenConflict(
            TestId(each["victim"]), frozenset(map(TestId, each["polluters"])), frozenset(map(TestId, each["cleaners"]))
        )
        for each in document["conflicts"]
    )
    truth = HiddenTruth(needs, conflicts, seconds=dict.fromkeys(tests, 0.45))

    found = sieve(Suite(tests), SimulatedOracle(truth, clean_state=0.5, workers=2), Options(seed=seed))

    assert {(each.dependent, frozenset(each.any_of)) for each in found.needs} == {
        (dependent, clause) for dependent, clauses in needs.items() for clause in clauses
    }
    assert {(each.victim, frozenset(each.polluters)) for each in found.conflicts} == {
        (each.victim, each.polluters) for each in conflicts
    }
