"""Dependencies grouped by the state behind them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unknot.model.cause import causes, dependent
from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.reason import Reason, ReasonKind
from unknot.model.recording import Location
from unknot.model.suite import Suite, TestId

TESTS = tuple(TestId(f"test_{number}") for number in range(8))


def _reason(name: str, kind: str = "memory", *, sure: bool = True) -> Reason:
    return Reason(ReasonKind.FLOW, TESTS[0], TESTS[1], Location(kind, name), sure=sure)


def _need(number: int, *reasons: Reason) -> Need:
    test = TESTS[number]
    return Need(test, (TESTS[0],), Proof((TESTS[0], test), (test,)), why=reasons)


def _conflict(number: int, polluter: int, *reasons: Reason) -> Conflict:
    test = TESTS[number]
    return Conflict(test, (TESTS[polluter],), (), Proof((test,), (TESTS[polluter], test)), why=reasons)


def _found(*claims: Need | Conflict) -> Dependencies:
    return Dependencies(
        Suite(TESTS),
        dict.fromkeys(TESTS, Outcome.PASSED),
        {},
        tuple(claim for claim in claims if isinstance(claim, Need)),
        tuple(claim for claim in claims if isinstance(claim, Conflict)),
    )


_NAMES = st.sampled_from(["shop.A", "shop.B['x']", "shop.B['y']", "shop.C"])
_WHYS = st.lists(st.builds(_reason, _NAMES, sure=st.booleans()), max_size=3).map(tuple)
_CLAIMS = st.lists(
    st.one_of(
        st.builds(lambda test, why: _need(test, *why), st.integers(1, 7), _WHYS),
        st.builds(lambda test, why: _conflict(test, 0, *why), st.integers(1, 7), _WHYS),
    ),
    max_size=10,
    unique=True,
)


@given(_CLAIMS)
def test_every_dependency_with_a_location_has_one_cause_and_the_largest_comes_first(
    claims: list[Need | Conflict],
) -> None:
    found = causes(_found(*claims))
    grouped = [claim for cause in found for claim in cause.claims]
    assert sorted(map(str, grouped)) == sorted(str(claim) for claim in claims if claim.why)
    assert [cause.dependencies for cause in found] == sorted((cause.dependencies for cause in found), reverse=True)
    for cause in found:
        assert set(cause.tests) == {dependent(claim) for claim in cause.claims}
        for claim in cause.claims:
            assert any(reason.location.name.startswith(cause.location.name) for reason in claim.why)


@pytest.mark.parametrize(
    ("name", "kind", "location"),
    [
        ("shop.cart._open['alice']", "memory", "shop.cart._open"),
        ("shop.cart.CART['alice'].items", "memory", "shop.cart.CART"),
        ("<fixture box of tests/test_box.py>['a']", "memory", "<fixture box of tests/test_box.py>"),
        ("shop.rate.<cache>[…]", "memory", "shop.rate.<cache>"),
        ("sys.modules['json']", "memory", "sys.modules['json']"),
        ("os.environ['MODE']", "environment", "os.environ['MODE']"),
        ("var/a[1].txt", "file", "var/a[1].txt"),
    ],
)
def test_entries_of_one_variable_are_one_location(name: str, kind: str, location: str) -> None:
    (cause,) = causes(_found(_need(1, _reason(name, kind))))
    assert cause.location == Location(kind, location)


def test_where_a_reason_is_sure_the_others_do_not_count() -> None:
    doubtful = _reason("shop.B", sure=False)
    found = causes(_found(_need(1, _reason("shop.A"), doubtful), _need(2, doubtful), _need(3, doubtful)))
    assert [(cause.location.name, cause.dependencies) for cause in found] == [("shop.B", 2), ("shop.A", 1)]


def test_a_page_is_a_location_and_a_file_whose_fixtures_are_set_up_again_is_none() -> None:
    page = Reason(ReasonKind.PAGE_CHANGED, writing="POST /item", reading="GET /list")
    again = Reason(ReasonKind.SET_UP_AGAIN, location=Location("file", "test_a.py"))
    assert [cause.location for cause in causes(_found(_need(1, page), _need(2, again)))] == [
        Location("page", "GET /list")
    ]
