"""The words of test ids, and what each is in a name."""

import pytest

from unknot.web.hints.names.name_reading import read_name
from unknot.web.hints.names.words import levels, split


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("AddUserTest", "add user test"),
        ("test_add_user", "test add user"),
        ("testRemoveHTTPProxy2", "test remove http proxy"),
        ("PasswordManagerAddEntryTest", "password manager add entry test"),
        ("should not log in with wrong password", "should not log in with wrong password"),
        ("user's cart can't be paid", "user cart ca not be paid"),
        ("kebab-case__and   more", "kebab case and more"),
        ("XMLHttpRequest", "xml http request"),
        ("123", ""),
        ("", ""),
    ],
)
def test_a_name_is_split_into_words(name: str, words: str) -> None:
    assert split(name) == words.split()


@pytest.mark.parametrize(
    ("test", "parts"),
    [
        ("tests/e2e/test_cart.py::TestCart::test_edit_item", ["test_edit_item", "TestCart", "test_cart"]),
        ("test_add_user[chromium-admin]", ["test_add_user"]),
        ("tests/test_a.py::test_add[x::y/z]", ["test_add", "test_a"]),
        ("org.shop.CartTest#editItem(String, int)[2]", ["editItem", "CartTest"]),
        ("cart.spec.ts › Cart › edits an item (again)", ["edits an item", "Cart", "cart"]),
        ("adds a user #smoke", ["adds a user #smoke"]),
        ("[only parameters]", ["[only parameters]"]),
        ("a" + "[]" * 60 + "x", ["a" + "[]" * 60 + "x"]),
        ("(" * 60 + "a" + ")" * 60, ["(" * 60 + "a" + ")" * 60]),
    ],
)
def test_the_most_informative_part_of_an_id_comes_first(test: str, parts: list[str]) -> None:
    assert levels(test) == parts


@pytest.mark.parametrize(
    ("test", "verb", "kind"),
    [
        ("SearchAndRemoveX", "remove", "write"),
        ("CheckEntryTagsRemoved", "check", "read"),
        ("search removed items", "search", "read"),
        ("item_is_removed", "remove", "write"),
        ("verify that item is removed", "verify", "read"),
        ("page loads and order is placed", "place", "write"),
        ("view order history", "view", "read"),
        ("order history shows totals", "show", "read"),
        ("order_create", "create", "write"),
        ("user can post a comment", "post", "write"),
        ("SearchPostTest", "search", "read"),
        ("test_checkout", "checkout", "write"),
        ("UserRegistrationTest", "register", "write"),
        ("should not log in with wrong password", "login", "read"),
        ("verify delete button is displayed", "verify", "read"),
        ("click delete button", "delete", "write"),
        ("test_home_is_shown_after_removing_user", "remove", "write"),
        ("user does not see cart", "see", "read"),
        ("booking a room", "book", "write"),
        ("user editing", "edit", "write"),
        ("building list", "list", "read"),
        ("removed items", "remove", "write"),
        ("DoExerciseTest", "do", "write"),
        ("homepage has title", "be", "read"),
        ("AddWrongEmailUserTest", "add", "read"),
        ("RemoveWrongEntriesTest", "remove", "write"),
        ("should not be able to delete a folder", "delete", "read"),
        ("the last admin cannot be removed or demoted", "remove", "read"),
        ("page does not break after adding item", "add", "write"),
        ("does not exist and is created", "create", "write"),
        ("AddEmptyUserTest", "add", "write"),
        ("AddDeniedCourseTest", "add", "write"),
        ("AddLongNameRoomNegativeTest", "add", "write"),
        ("test_homepage", "", None),
        ("test_manage_account", "manage", None),
        ("tests/test_user.py::test_1", "", None),
        ("shop.AddUserTest#test", "add", "write"),
    ],
)
def test_verbs_and_their_positions_determine_what_a_test_does(test: str, verb: str, kind: str | None) -> None:
    assert (read_name(test).verb, read_name(test).kind) == (verb, kind)


@pytest.mark.parametrize(
    ("test", "what", "nouns"),
    [
        ("AddCourseEventTest", "event", "course event"),
        ("AddMultipleEntriesSameRoomSameDayTest", "entry", "entry room day"),
        ("AddWrongEmailUserTest", "user", "email user"),
        ("MakeCourseExerciseVisibleTest", "exercise", "course exercise"),
        ("PasswordManagerAssignTagToEntryTest", "tag", "password manager tag entry"),
        ("RemoveMultipleUsersTest", "user", "user"),
        ("user_delete", "user", "user"),
        ("user can add a course", "course", "course"),
        ("admin removes users", "user", "user"),
        ("login with username", "", "username"),
        ("verify user can add product to cart", "product", "product cart"),
        ("createUser_shouldReturn201", "user", "user"),
        ("tests/test_user.py::TestUsers::test_create", "user", "user"),
        ("test_children_and_cookies_are_listed", "cookie", "child cookie"),
    ],
)
def test_things_are_named_by_nouns_in_the_singular(test: str, what: str, nouns: str) -> None:
    assert read_name(test).object == what
    assert read_name(test).nouns == frozenset(nouns.split())
