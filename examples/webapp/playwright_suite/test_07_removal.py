from collections.abc import Callable

from playwright.sync_api import Page

from playwright_suite.data import ADMIN, LIAM, Account
from playwright_suite.pages.people import PeoplePage


def test_remove_librarian(login: Callable[[Account], Page]) -> None:
    people = PeoplePage(login(ADMIN))
    people.remove(LIAM)
    assert people.notice == "The person was removed."
    people.search(LIAM.name)
    assert people.rows == 0
