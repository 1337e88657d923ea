from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from playwright_suite.data import ADMIN, LIAM, NORA, RITA, Account
from playwright_suite.pages.front import FrontPage
from playwright_suite.pages.people import PeoplePage

Login = Callable[[Account], Page]


def test_add_reader(login: Login) -> None:
    people = PeoplePage(login(ADMIN))
    people.add(NORA)
    assert people.notice == f"{NORA.name} was added."


def test_search_reader_by_name(login: Login) -> None:
    people = PeoplePage(login(ADMIN))
    people.search(NORA.name)
    assert NORA.role in people.row(NORA.name).inner_text()
    assert people.rows == 1


def test_login_as_added_reader(page: Page) -> None:
    front = FrontPage(page)
    front.log_in(NORA)
    assert "Categories" not in front.links


def test_add_librarian(login: Login) -> None:
    people = PeoplePage(login(ADMIN))
    people.add(LIAM)
    assert LIAM.role in people.row(LIAM.name).inner_text()


def test_login_as_added_librarian(page: Page) -> None:
    front = FrontPage(page)
    front.log_in(LIAM)
    assert "Categories" in front.links


def test_edit_full_name_of_reader(login: Login) -> None:
    people = PeoplePage(login(ADMIN))
    married = f"{NORA.full_name}-Berg"
    people.rename(NORA, married)
    assert married in people.row(NORA.name).inner_text()


def test_add_person_with_taken_name_is_refused(login: Login) -> None:
    people = PeoplePage(login(ADMIN))
    people.submit(RITA.name, "Rita the Second", "another-secret", "reader")
    assert people.problem == f"The name {RITA.name} is taken."


@pytest.mark.parametrize("missing", ["name", "full_name", "password"])
def test_add_person_without_needed_field_is_refused(login: Login, missing: str) -> None:
    people = PeoplePage(login(ADMIN))
    values = {"name": "nobody", "full_name": "Nobody Knows", "password": "nobody-secret", missing: ""}
    people.submit(**values, role="reader")
    assert "need" in people.problem


def test_reader_may_not_see_people(login: Login) -> None:
    people = PeoplePage(login(RITA))
    people.open()
    assert people.problem == "You may not do this."


def test_login_with_wrong_password_is_refused(page: Page) -> None:
    front = FrontPage(page)
    front.submit_login(RITA.name, "guessed-it")
    assert front.problem == "Name or password is wrong."
    assert front.user == ""
