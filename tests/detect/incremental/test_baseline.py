"""What of an earlier result is taken for granted."""

import itertools

from hypothesis import given
from hypothesis import strategies as st
from strategies import laws, names

from unknot.detect.incremental.baseline import BaselineFindings
from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.suite import Order, Suite, TestId

PASSED = Outcome.PASSED


def result(
    tests: Order, needs: tuple[Need, ...] = (), conflicts: tuple[Conflict, ...] = (), **bad: Outcome
) -> Dependencies:
    outcomes = {test: bad.get(f"t{number}", PASSED) for number, test in enumerate(tests)}
    return Dependencies(Suite(tests), outcomes, dict.fromkeys(tests, 0.0), needs, conflicts)


def seen_today(
    previous: Dependencies, tests: Order, *changed: TestId, counts_moves: bool = False, **bad: Outcome
) -> BaselineFindings:
    outcomes = {test: bad.get(f"t{number}", PASSED) for number, test in enumerate(tests)}
    return BaselineFindings(previous, Suite(tests), changed, outcomes, counts_moves=counts_moves)


@given(st.permutations(range(7)))
@laws(200)
def test_as_few_tests_as_possible_count_as_moved(places: list[int]) -> None:
    tests = names(7)
    moved = seen_today(result(tests), tuple(tests[place] for place in places), counts_moves=True).affected
    longest = max(
        size for size in range(8) for some in itertools.combinations(places, size) if list(some) == sorted(some)
    )
    rest = [place for number, place in enumerate(places) if number not in moved]
    assert rest == sorted(rest)
    assert len(rest) == longest


def test_moves_do_not_count_where_any_order_was_tried() -> None:
    tests = names(5)
    assert not seen_today(result(tests), tests[::-1]).affected


def test_a_proof_is_kept_only_while_all_in_it_are_as_they_were() -> None:
    a, b, c, d = tests = names(4)
    need = Need(d, (b,), Proof((a, b, d), (a, d)))
    previous = result(tests, (need,))
    assert seen_today(previous, tests).need_proofs == {(3, (1,)): need.proof}
    assert seen_today(previous, tests, a).need_proofs == {}
    assert seen_today(previous, (b, c, d)).need_proofs == {}
    assert seen_today(previous, (b, c, d)).clauses[2][0].any_of == (0,)
    assert seen_today(previous, tests, c).need_proofs == {(3, (1,)): need.proof}
    assert seen_today(previous, tests, d).clauses == {}


def test_of_a_conflict_whose_polluter_changed_nothing_is_kept() -> None:
    a, b, c = tests = names(3)
    conflict = Conflict(b, (a,), (c,), Proof((b,), (a, b)))
    previous = result(tests, (), (conflict,), t1=Outcome.FAILED)
    unchanged = seen_today(previous, tests, t1=Outcome.FAILED)
    assert [(known.victim, known.polluters, known.cleaners) for known in unchanged.pollutions] == [(1, (0,), (2,))]
    assert (unchanged.affected, unchanged.regressions, unchanged.expected(1)) == (frozenset(), [], PASSED)
    assert seen_today(previous, tests, a, t1=Outcome.FAILED).pollutions == ()
    assert seen_today(previous, tests, c, t1=Outcome.FAILED).pollutions[0].cleaners == ()


def test_a_test_that_does_something_else_is_looked_at_again() -> None:
    tests = names(3)
    assert seen_today(result(tests), tests, t1=Outcome.FAILED).regressions == [1]
    assert seen_today(result(tests, t1=Outcome.FAILED), tests).affected == {1}
    assert seen_today(result(tests, t1=Outcome.SKIPPED), tests).affected == {1}
    assert not seen_today(result(tests, t1=Outcome.FAILED), tests, t1=Outcome.FAILED).affected
