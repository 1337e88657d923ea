"""Which pairs are candidates by what a browser keeps from test to test."""

from unknot.model.suite import Suite, TestId
from unknot.model.traffic import Entry, Exchange, Look, Moment, Traffic
from unknot.report.reasons import sentences
from unknot.web.hints.storage import storage_candidates

ORIGIN = "http://127.0.0.1"


def look(test: int | None, moment: Moment, context: int = 1, seen: bool = True, **entries: str) -> Look:
    """Names that begin with `c_` are cookies, others are in the local storage."""
    name = TestId("" if test is None else f"t{test}")
    kept = tuple(
        Entry("cookie" if key.startswith("c_") else "localStorage", ORIGIN, key, entries[key]) for key in entries
    )
    return Look(name, context, moment, kept, (ORIGIN,) if seen else ())


def candidates(
    *looks: Look, size: int = 5, users: range | None = None, continuing: int = -1
) -> dict[tuple[int, int], str]:
    tests = tuple(TestId(f"t{number}") for number in range(size))
    exchanges = tuple(
        Exchange(tests[number], "GET", "/", context=1, continues=number == continuing)
        for number in (users if users is not None else range(size))
    )
    found, notes = storage_candidates(Traffic(tests, exchanges, looks=looks, contexts=1), Suite(tests))
    assert notes == []
    return {(edge.dependent, edge.prerequisite): "; ".join(sentences(edge.reasons)) for edge in found}


def test_a_login_cookie_that_is_left_gives_a_candidate() -> None:
    found = candidates(look(0, Moment.LEFT, c_session="a"), look(1, Moment.FOUND, c_session="a"))
    assert found == {(1, 0): "the cookie c_session was left in the browser"}


def test_creating_and_changing_a_value_both_give_candidates() -> None:
    found = candidates(
        look(0, Moment.LEFT, cart="1"),
        look(1, Moment.FOUND, cart="1"),
        look(1, Moment.LEFT, cart="2"),
        look(2, Moment.FOUND, cart="2"),
    )
    assert set(found) == {(1, 0), (2, 0), (2, 1)}
    assert found[2, 1] == f"localStorage cart of {ORIGIN} was left in the browser"


def test_a_value_of_a_shared_fixture_gives_no_candidate() -> None:
    assert not candidates(look(None, Moment.SHARED, c_session="a"), look(1, Moment.FOUND, c_session="a"))


def test_what_the_set_up_of_a_test_makes_is_its_own() -> None:
    found = candidates(
        look(0, Moment.LEFT, c_session="a"),
        look(1, Moment.FOUND, c_session="b"),
        look(1, Moment.ENDED, c_session="b"),
        look(2, Moment.FOUND, c_session="b"),
    )
    assert (1, 0) not in found
    assert (2, 1) in found


def test_a_cookie_that_every_setup_clears_gives_no_candidate() -> None:
    found = candidates(
        look(0, Moment.LEFT, c_session="a"),
        look(1, Moment.FOUND),
        look(1, Moment.LEFT),
        look(2, Moment.FOUND),
    )
    assert found == {}


def test_a_logout_gives_candidates_with_later_tests() -> None:
    found = candidates(
        look(0, Moment.LEFT, c_session="a"),
        look(1, Moment.FOUND, c_session="a"),
        look(1, Moment.LEFT),
        look(2, Moment.FOUND),
    )
    assert found[2, 1] == "the cookie c_session was removed"


def test_a_cookie_that_changes_with_every_test_is_needed_from_its_maker_and_the_last() -> None:
    looks = [look(0, Moment.LEFT, c_session="0")]
    for test in range(1, 5):
        looks += [look(test, Moment.FOUND, c_session=str(test - 1)), look(test, Moment.LEFT, c_session=str(test))]
    found = candidates(*looks)
    assert {(4, 0), (4, 3)} <= set(found)
    assert (4, 1) not in found


def test_storage_of_an_origin_that_has_no_page_yet_is_found_all_the_same() -> None:
    assert (1, 0) in candidates(look(0, Moment.LEFT, theme="dark"), look(1, Moment.FOUND, seen=False))


def test_a_test_that_does_not_use_the_browser_is_no_candidate() -> None:
    looks = (look(0, Moment.LEFT, c_session="a"), look(1, Moment.FOUND, c_session="a"))
    assert candidates(*looks, users=range(1)) == {}


def test_contexts_are_separate() -> None:
    assert candidates(look(0, Moment.LEFT, context=2, c_session="a"), look(1, Moment.FOUND, context=1)) == {}


def test_a_test_that_starts_on_an_open_page_needs_the_test_that_left_it_open() -> None:
    assert candidates(look(0, Moment.LEFT), continuing=2) == {(2, 1): "it starts on a page that was left open: GET /"}
