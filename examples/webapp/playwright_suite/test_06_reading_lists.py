from collections.abc import Callable
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Page

from playwright_suite.data import EMMA, MOBY_DICK, RITA, SUMMER, Account
from playwright_suite.pages.lists import ListsPage

Login = Callable[[Account], Page]


def opened(page: Page) -> ListsPage:
    lists = ListsPage(page)
    lists.open()
    return lists


def test_create_list(login: Login) -> None:
    lists = opened(login(RITA))
    lists.create(SUMMER)
    assert SUMMER in lists.names
    assert lists.books(SUMMER) == []


def test_put_book_on_list(login: Login) -> None:
    lists = opened(login(RITA))
    lists.put(MOBY_DICK, SUMMER)
    assert MOBY_DICK in lists.books(SUMMER)


def test_list_is_served_as_json(login: Login) -> None:
    page = login(RITA)
    answer = page.request.get(urljoin(page.url, "/api/lists"))
    assert answer.ok
    assert {each["name"]: each["books"] for each in answer.json()} == {SUMMER: [MOBY_DICK]}


@pytest.mark.parametrize(("text", "title"), [("whale", None), ("austen", EMMA)])
def test_find_book_while_typing(login: Login, text: str, title: str | None) -> None:
    found = opened(login(RITA)).find(text)
    assert [each.partition(" by ")[0] for each in found] == ([title] if title else [])


def test_create_list_without_name_is_refused(login: Login) -> None:
    lists = opened(login(RITA))
    lists.create("")
    assert lists.problem == "A list needs a name."


def test_visitor_gets_no_lists(page: Page) -> None:
    answer = page.request.get(urljoin(page.url, "/api/lists"))
    assert answer.status == 403
    assert answer.json() == {"error": "You may not do this."}


def test_remove_list(login: Login) -> None:
    lists = opened(login(RITA))
    lists.remove(SUMMER)
    assert SUMMER not in lists.names
