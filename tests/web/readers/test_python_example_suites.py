"""Suites as people write them, on Playwright and on Selenium: what each test submits and uses."""

import pytest
from web.readers.python_suites.loading import all_tests, submitted, suite, use, used

from unknot.model.recording import Frame
from unknot.web.readers.python.suite import string_uses


def test_the_motivating_example_gives_the_sets_of_the_paper() -> None:
    files = suite("motivating_example")

    values = submitted(files, "test_users.py::UserTests::test_add_user")
    later = used(files, "test_users.py::UserTests::test_search_user")

    assert set(values) == {"admin", "Name001", "Firstname001", "user001", "password001"}
    assert set(values) & set(later) == {"admin", "Name001", "Firstname001", "user001"}


@pytest.mark.parametrize(
    ("test", "values"),
    [
        ("test_add_user", ["admin", "s3cret", "Alice", "Editor"]),
        ("test_add_user_to_team", ["admin", "s3cret", "Bob", "Reader", "Blue"]),
        ("test_boss_is_shown", ["admin", "s3cret"]),
        ("test_roles[chromium-Dora-reader]", ["admin", "s3cret", "Dora", "Reader"]),
        ("test_roles[the-admin]", ["admin", "s3cret", "Emil", "Admin"]),
    ],
)
def test_page_objects_and_fixtures_are_followed(test: str, values: list[str]) -> None:
    result = use(suite("page_objects"), f"tests/test_users.py::{test}")

    assert [mention.text for mention in result.submitted] == values
    assert result.is_known


def test_a_text_counts_where_it_is_first_mentioned() -> None:
    result = use(suite("page_objects"), "tests/test_users.py::test_add_user")

    places = {mention.text: mention.place for mention in result.used}
    assert places["Alice"] == Frame("tests/test_users.py", 12, "test_add_user")
    assert places["admin"] == Frame("conftest.py", 9, "credentials")
    assert places["User name"] == Frame("tests/pages/login.py", 17, "LoginPage.log_in")


def test_locators_addresses_and_expectations_are_used() -> None:
    words = used(suite("page_objects"), "tests/test_users.py::test_add_user_to_team")

    assert {"/users/Bob", "^Bob of", "h1", "/login", "User name", "Log out"} <= set(words)
    assert "tr[data-user='Clara']" in used(suite("page_objects"), "tests/test_users.py::test_boss_is_shown")


@pytest.mark.parametrize(
    ("test", "values"),
    [
        ("test_user[chrome]", ["root", "Carol", "Trento", "Administrator", "North"]),
        ("test_rooms[firefox]", ["root", "Aula Magna", "4", "Library", "12"]),
        ("test_greeting[chrome]", ["root", "Hello, Dan!", "/tmp/report-2024.pdf", "report-2024.pdf"]),
    ],
)
def test_selenium_with_records_and_set_up_methods(test: str, values: list[str]) -> None:
    result = use(suite("selenium_style"), f"test_forms.py::TestForms::{test}")

    assert [mention.text for mention in result.submitted] == values
    assert result.is_known


def test_arguments_of_a_script_are_used_and_not_submitted() -> None:
    words = used(suite("selenium_style"), "test_forms.py::TestForms::test_greeting[chrome]")

    assert "by script" in words


def test_asynchronous_playwright_and_requests_past_the_page() -> None:
    files = suite("async_style")

    assert submitted(files, "e2e/test_shop.py::test_order") == [
        "Greta",
        "Genova",
        "4111 1111",
        "G. Green",
        "receipt.png",
    ]
    assert submitted(files, "e2e/test_shop.py::test_api") == ["Lamp", "new", "sale"]
    assert "Orders" in used(files, "e2e/test_shop.py::test_api")


@pytest.mark.parametrize("name", ["page_objects", "selenium_style", "async_style", "cases"])
def test_a_test_has_the_same_texts_alone_and_among_others(name: str) -> None:
    files = suite(name)
    tests = all_tests(files)

    together = string_uses(tests, files.get, files)
    backwards = string_uses(tests[::-1], files.get, files)

    assert all(together[test] == backwards[test] == use(files, test) for test in tests)


@pytest.mark.parametrize(
    ("test", "values"),
    [
        ("test_stacked[a-b]", ["first b", "second a"]),
        ("test_stacked[chromium-c-a]", ["first a", "second c"]),
        ("test_stacked", ["first a", "first b", "second a", "second c"]),
        ("test_listed[Ben!]", ["Ben"]),
        ("test_listed[renamed]", ["Ann", "Ben"]),
        ("test_indirect[account1]", ["two"]),
        ("test_fixture_params[as-editor]", ["editor"]),
        ("TestClass::test_address[Side-Oslo]", ["Side in Oslo"]),
        ("test_twins[same1]", ["same"]),
    ],
)
def test_the_case_in_brackets_selects_the_values_of_a_test(test: str, values: list[str]) -> None:
    assert submitted(suite("cases"), f"test_cases.py::{test}") == values
