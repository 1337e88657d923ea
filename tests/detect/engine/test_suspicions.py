"""What a search that was stopped suspects."""

from hypothesis import given
from hypothesis import strategies as st

from unknot.detect.engine.options import Options
from unknot.detect.sieve.sieve import sieve
from unknot.model.cause import dependent
from unknot.model.dependencies import Dependencies, SuspicionKind
from unknot.model.suite import Suite, TestId
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.oracle.simulated import HiddenConflict, HiddenTruth, SimulatedOracle

TESTS = tuple(TestId(f"test_{number:02}") for number in range(20))
BRITTLE = {TESTS[9]: TESTS[2], TESTS[15]: TESTS[3]}
VICTIMS = TESTS[4:8]
POLLUTER = TESTS[17]
TRUTH = HiddenTruth(
    {test: (frozenset({setter}),) for test, setter in BRITTLE.items()},
    tuple(HiddenConflict(victim, frozenset({POLLUTER})) for victim in VICTIMS),
    {},
    dict.fromkeys(TESTS, 0.1),
)


def _stopped(orders: int | None) -> Dependencies:
    oracle = SimulatedOracle(TRUTH, clean_state=0.01, workers=2)
    return sieve(Suite(TESTS), BudgetOracle(oracle, Budget(orders), lambda: 0.0), Options())


WHOLE = _stopped(None)


@given(st.integers(2, 60))
def test_after_the_reverse_order_every_dependent_test_is_proved_or_suspected(orders: int) -> None:
    found = _stopped(orders)
    proved = {dependent(claim) for claim in found.needs} | {dependent(claim) for claim in found.conflicts}
    suspected = {one.test for one in found.suspected}
    if not found.complete:
        assert proved | suspected >= {*BRITTLE, *VICTIMS}
    assert len(suspected) == len(found.suspected)


def test_a_complete_search_suspects_nothing() -> None:
    assert WHOLE.complete
    assert WHOLE.suspected == ()


def test_what_was_run_alone_is_brittle_or_a_victim_and_the_rest_is_unclear() -> None:
    early = {one.test: one.kind for one in _stopped(2).suspected}
    assert early == dict.fromkeys([*sorted((*BRITTLE, *VICTIMS))], SuspicionKind.UNCLEAR)
    later = {one.test: one.kind for one in _stopped(2 + len(TESTS)).suspected}
    assert later == {
        **dict.fromkeys(BRITTLE, SuspicionKind.BRITTLE),
        **dict.fromkeys(VICTIMS, SuspicionKind.VICTIM),
    }


def test_the_polluter_is_suspected_once_all_others_are_shown_to_be_harmless() -> None:
    named = [one.others for orders in range(2, 100) for one in _stopped(orders).suspected if one.test in VICTIMS]
    assert (POLLUTER,) in named
    assert all(POLLUTER in others for others in named if others)
