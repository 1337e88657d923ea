"""Which pairs are candidates by traffic, and with what reason."""

from dataclasses import replace

from unknot.model.candidates import Candidate
from unknot.model.suite import Suite, TestId
from unknot.model.traffic import Exchange, Field, Page, Traffic
from unknot.report.reasons import sentence, sentences
from unknot.web.hints.traffic.candidates import traffic_candidates


def _test(number: int) -> TestId:
    return TestId(f"t{number}")


def sent(test: int, address: str, *values: str, location: str = "", method: str = "POST", text: str = "") -> Exchange:
    """A write that was carried out."""
    fields = tuple(Field(f"f{number}", value) for number, value in enumerate(values))
    status = 303 if location else 200
    return Exchange(
        _test(test), method, address, writes=True, fields=fields, status=status, location=location, text=text
    )


def read(test: int, address: str, text: str = "") -> Exchange:
    return Exchange(_test(test), "GET", address, status=200, text=text, digest=text)


def edges(*exchanges: Exchange, size: int = 6, pages: tuple[Page, ...] = ()) -> dict[tuple[int, int], Candidate]:
    tests = tuple(map(_test, range(size)))
    found, _ = traffic_candidates(Traffic(tests, exchanges, pages, contexts=1), Suite(tests))
    return {(edge.dependent, edge.prerequisite): edge for edge in found}


def test_a_test_that_is_shown_what_another_created_is_a_candidate() -> None:
    found = edges(sent(0, "/users", "user001"), read(1, "/users/7", "<h1>user001</h1>"), read(2, "/about", "user0011"))
    assert list(found) == [(1, 0)]
    assert found[1, 0].strings == ("user001",)
    assert sentences(found[1, 0].reasons) == ("POST /users created user001, which GET /users/7 shows",)


def test_a_test_that_sends_what_another_created_is_a_candidate() -> None:
    found = edges(sent(0, "/users", "user001"), read(1, "/search?q=x"), sent(2, "/groups", "user001"))
    assert sentences(found[2, 0].reasons) == ("POST /users created user001, which POST /groups sends",)
    assert (1, 0) not in found


def test_a_page_at_the_end_of_a_test_counts() -> None:
    page = Page(_test(1), "/app", text="user001")
    assert sentences(edges(sent(0, "/users", "user001"), pages=(page,))[1, 0].reasons) == (
        "POST /users created user001, which the page /app shows",
    )


def test_an_item_is_known_by_where_the_answer_leads_and_by_the_id_in_it() -> None:
    by_location = edges(sent(0, "/users", "x", location="/users/7"), read(1, "/users/7/edit"), read(2, "/users/8"))
    assert sentence(by_location[1, 0].reasons[0]) == "POST /users wrote /users/7, which GET /users/7/edit requests"
    assert (2, 0) not in by_location
    made = replace(sent(0, "/api/users", "x"), given=("7",))
    assert (1, 0) in edges(made, read(1, "/users/7"))


def test_creating_and_changing_a_resource_both_give_candidates() -> None:
    found = edges(
        sent(0, "/books", "Moby Dick", location="/books/4"),
        read(1, "/books/4", "Moby Dick"),
        sent(1, "/books/4/borrow"),
        read(2, "/loans", "Moby Dick"),
    )
    assert {(2, 0), (2, 1)} <= set(found)
    assert sentences(found[2, 1].reasons) == (
        "POST /books/4/borrow changed what Moby Dick belongs to, which GET /loans shows",
    )


def test_what_a_page_shows_of_other_items_does_not_belong_to_its_own() -> None:
    found = edges(
        sent(0, "/categories", "Travel"),
        sent(1, "/books", "Moby Dick"),
        read(2, "/books/4", "Moby Dick, Travel"),
        sent(2, "/books/4/borrow"),
        read(3, "/categories", "Travel"),
    )
    assert (3, 0) in found
    assert (3, 2) not in found


def test_choosing_from_a_list_creates_nothing() -> None:
    found = edges(
        read(0, "/books/new", "<option>Fiction</option>"),
        sent(0, "/books", "Moby Dick", "Fiction"),
        read(1, "/categories", "Fiction"),
    )
    assert (1, 0) not in found


def test_that_a_page_repeats_what_was_searched_for_shows_nothing() -> None:
    search = Exchange(_test(0), "GET", "/s?q=Moby+Dick", fields=(Field("q", "Moby Dick"),), text="No Moby Dick found")
    assert (2, 1) in edges(search, sent(1, "/books", "Moby Dick"), read(2, "/books", "Moby Dick"))


def test_a_value_that_all_tests_send_gives_no_candidate() -> None:
    logins = [sent(test, "/enter", "admin") for test in range(6)]
    assert edges(*logins, read(5, "/people", "admin")) == {}


def test_a_write_that_several_tests_repeat_gives_no_candidate() -> None:
    language = [sent(test, "/language", "norsk") for test in (0, 1, 2)]
    assert edges(*language, read(4, "/", "norsk")) == {}


def test_a_login_writes_nothing_but_names_the_account_it_needs() -> None:
    found = edges(sent(0, "/people", "nora"), sent(1, "/login", "nora"), read(2, "/", "nora"))
    assert set(found) == {(1, 0), (2, 0)}


def test_a_changed_password_leads_to_the_login_that_uses_it() -> None:
    def secret(test: int, address: str) -> Exchange:
        return replace(sent(test, address), fields=(Field("password", "0123abcd", is_secret=True),))

    found = edges(secret(0, "/account"), secret(1, "/login"))
    assert found[1, 0].strings == ("a password",)


def test_writing_a_value_again_may_need_its_removal() -> None:
    found = edges(
        sent(0, "/people", "nora", location="/people/7"),
        sent(1, "/people/7/delete"),
        sent(2, "/people", "nora", location="/people/8"),
    )
    assert "POST /people/7/delete removed nora, which POST /people sends again" in sentences(found[2, 1].reasons)


def test_a_write_without_values_gives_candidates_by_collection_and_links() -> None:
    found = edges(
        sent(0, "/books/1/recommend"),
        read(1, "/books"),
        read(2, "/", '<a href="/books/1">'),
        read(3, "/", '<a href="/books/11">'),
    )
    assert sentences(found[1, 0].reasons) == ("POST /books/1/recommend wrote to /books, which GET /books visits",)
    assert sentences(found[2, 0].reasons) == ("POST /books/1/recommend wrote /books/1, to which GET / links",)
    assert (3, 0) not in found


def test_a_place_counts_only_if_nothing_was_made_there() -> None:
    assert edges(sent(0, "/books", "Moby Dick"), read(1, "/books", "Persuasion")) == {}


def test_settings_give_candidates_by_addresses_that_changed_since() -> None:
    found = edges(
        read(0, "/register", "please fill in"),
        read(0, "/about", "a library"),
        read(1, "/settings", "closed open"),
        sent(1, "/settings", "closed"),
        read(2, "/about", "a library"),
        read(3, "/register", "not possible"),
    )
    assert list(found) == [(3, 1)]
    assert sentences(found[3, 1].reasons) == ("GET /register shows something different since POST /settings",)


def test_a_write_after_which_an_address_shows_the_same_has_not_changed_it() -> None:
    """A form that was refused is answered by 200, as others are."""
    found = edges(
        read(0, "/register", "please fill in"),
        read(0, "/settings", "closed open wrong"),
        sent(1, "/settings", "wrong"),
        read(2, "/register", "please fill in"),
        sent(3, "/settings", "closed"),
        read(4, "/register", "not possible"),
        read(5, "/register", "not possible"),
    )
    assert {(4, 3), (5, 3)} <= set(found)
    assert not {(4, 1), (5, 1)} & set(found)


def test_generated_tests_without_meaningful_names_are_no_harder() -> None:
    names = [TestId(f"Gen.test{number:04}") for number in range(3)]
    exchanges = tuple(
        replace(each, test=names[number])
        for number, each in enumerate((sent(0, "/x", "qz-17-k"), read(1, "/y", "nothing"), read(2, "/z", "qz-17-k")))
    )
    found, _ = traffic_candidates(Traffic(tuple(names), exchanges), Suite(tuple(names)))
    assert [(edge.dependent, edge.prerequisite) for edge in found] == [(2, 0)]


def test_all_pairs_of_a_test_that_was_not_recorded_completely_stay() -> None:
    traffic = Traffic((_test(0), _test(2), _test(3)), (sent(0, "/users", "user001"),), contexts=1, unseen=(_test(2),))
    found, notes = traffic_candidates(traffic, Suite(tuple(map(_test, range(4)))))
    assert [(edge.dependent, edge.prerequisite) for edge in found] == [(1, 0), (2, 0), (2, 1), (3, 1), (3, 2)]
    assert found[-1].gaps == ("t2 was not recorded completely",)
    assert notes == [
        "1 test was not in the recorded traffic, among them t1: all pairs with them stay",
    ]
