"""What a detection of a part of the suite leaves of a result on the whole."""

from hypothesis import given
from hypothesis import strategies as st

from unknot.model.dependencies import Conflict, Dependencies, Need, Proof, Sought
from unknot.model.outcome import Outcome
from unknot.model.partial import merge_part
from unknot.model.suite import Order, Suite, TestId

A, B, C, D, E, NEW = (TestId(name) for name in ("a", "b", "c", "d", "e", "new"))


def _result(
    tests: Order, needs: tuple[Need, ...] = (), conflicts: tuple[Conflict, ...] = (), failing: Order = ()
) -> Dependencies:
    return Dependencies(
        Suite(tests),
        {test: Outcome.FAILED if test in failing else Outcome.PASSED for test in tests},
        dict.fromkeys(tests, 1.0),
        needs,
        conflicts,
        sought=tuple(Sought),
    )


def _need(dependent: TestId, *any_of: TestId) -> Need:
    return Need(dependent, any_of, Proof((any_of[0], dependent), (dependent,)))


def _conflict(polluter: TestId, victim: TestId, *cleaners: TestId) -> Conflict:
    return Conflict(victim, (polluter,), cleaners, Proof((victim,), (polluter, victim)))


def test_what_the_part_decides_is_taken_from_it_and_all_else_stays() -> None:
    whole = _result((A, B, C, D), (_need(B, A), _need(D, C)), (_conflict(A, C),))
    merged = merge_part(whole, _result((A, B)))
    assert (merged.needs, merged.conflicts) == ((_need(D, C),), (_conflict(A, C),))
    assert merged.complete


def test_a_test_that_needs_one_outside_the_part_stays_as_it_was() -> None:
    whole = _result((A, B, C, D), (_need(D, A), _need(D, C)))
    merged = merge_part(whole, _result((C, D), (_need(D, C),), failing=(D,)))
    assert merged.needs == whole.needs
    assert merged.outcomes[D] is Outcome.PASSED


def test_so_does_a_test_that_needs_such_a_test() -> None:
    whole = _result((A, B, C, D), (_need(C, A), _need(D, C)))
    merged = merge_part(whole, _result((C, D), failing=(C, D)))
    assert merged == whole


def test_a_claim_of_the_part_is_complete_only_if_it_was_before() -> None:
    whole = _result((A, B, C), (_need(B, A),))
    known, new = merge_part(whole, _result((A, B, C), (_need(B, A), _need(C, A)))).needs
    assert (known.complete, new.complete) == (True, False)


def test_cleaners_outside_the_part_stay() -> None:
    whole = _result((A, B, C), (), (_conflict(A, B, C),))
    merged = merge_part(whole, _result((A, B), (), (_conflict(A, B),)))
    assert merged.conflicts == whole.conflicts


def test_new_tests_follow_the_test_that_they_follow_in_the_part() -> None:
    merged = merge_part(_result((A, B, C, D)), _result((B, NEW, C), failing=(NEW,)))
    assert merged.suite.tests == (A, B, NEW, C, D)
    assert merged.failing == (NEW,)


def test_tests_that_are_gone_leave_with_the_claims_that_they_prove() -> None:
    whole = _result((A, B, C, D), (_need(B, A), _need(D, C)))
    merged = merge_part(whole, _result((B,)), gone={A})
    assert merged.suite.tests == (B, C, D)
    assert merged.needs == (_need(D, C),)


@given(st.permutations("abcdefgh"), st.sets(st.sampled_from("abcdefghxyz"), min_size=1))
def test_the_merged_order_keeps_both(whole: list[str], chosen: set[str]) -> None:
    part = sorted(chosen)
    merged = merge_part(_result(tuple(map(TestId, whole))), _result(tuple(map(TestId, part)))).suite.tests
    assert sorted(merged) == sorted({*whole, *part})
    assert [test for test in merged if test in chosen] == part
    assert [test for test in merged if test not in chosen] == [test for test in whole if test not in chosen]


def test_the_same_part_changes_nothing() -> None:
    whole = _result((A, B, C, D, E), (_need(B, A), _need(D, C)), (_conflict(A, C, B),))
    assert merge_part(whole, whole) == whole
