"""Which tests a proof keeps, on simulated suites whose truth is known."""

from hypothesis import given
from hypothesis import strategies as st

from unknot.app.generate.proof import SuiteProof
from unknot.model.suite import TestId
from unknot.oracle.simulated import HiddenConflict, HiddenTruth, SimulatedOracle

TESTS = tuple(TestId(f"t.py::test_{number}") for number in range(7))


def proof(truth: HiddenTruth) -> SuiteProof:
    return SuiteProof(SimulatedOracle(truth).run_orders, seed=0)


def left(truth: HiddenTruth) -> set[TestId]:
    """The tests that are left when nothing is red any more."""
    proving, pool = proof(truth), TESTS
    while pool and (red := proving.red(pool)):
        dropped = proving.at_fault(red)
        assert dropped
        pool = tuple(each for each in pool if each not in dropped)
    return {*pool}


def test_a_suite_of_independent_tests_is_kept() -> None:
    assert left(HiddenTruth()) == {*TESTS}


def test_a_test_that_fails_alone_is_dropped() -> None:
    assert left(HiddenTruth(needs={TESTS[3]: (frozenset({TESTS[1]}),)})) == {*TESTS} - {TESTS[3]}


def test_what_breaks_others_is_dropped_and_what_it_breaks_is_kept() -> None:
    truth = HiddenTruth(
        conflicts=tuple(HiddenConflict(victim, frozenset({TESTS[1]})) for victim in (TESTS[0], TESTS[3], TESTS[6]))
    )
    assert left(truth) == {*TESTS} - {TESTS[1]}
    dropped = proof(truth).at_fault(proof(truth).first_run(TESTS))
    assert [(each.name, each.when) for each in dropped.values()] == [("test_1", "in order")]
    assert dropped[TESTS[1]].why.startswith("breaks test_3, which passes alone")


def test_a_test_that_two_break_together_is_dropped() -> None:
    truth = HiddenTruth(conflicts=(HiddenConflict(TESTS[5], frozenset({TESTS[1], TESTS[4]})),))
    assert left(truth) == {*TESTS} - {TESTS[5]}


@given(
    needs=st.dictionaries(st.sampled_from(TESTS), st.sampled_from(TESTS), max_size=3),
    conflicts=st.lists(st.tuples(st.sampled_from(TESTS), st.sampled_from(TESTS)), max_size=4),
)
def test_what_is_left_passes_alone_and_in_order(
    needs: dict[TestId, TestId], conflicts: list[tuple[TestId, TestId]]
) -> None:
    truth = HiddenTruth(
        {test: (frozenset({other}),) for test, other in needs.items() if test != other},
        tuple(HiddenConflict(victim, frozenset({other})) for victim, other in conflicts if victim != other),
    )
    kept = tuple(each for each in TESTS if each in left(truth))
    assert not proof(truth).red(kept)
