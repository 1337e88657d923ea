from playwright.sync_api import Page

from playwright_suite.data import LIBRARY_NAME
from playwright_suite.pages.front import FrontPage


def test_front_page_shows_library_name(page: Page) -> None:
    front = FrontPage(page)
    front.open()
    assert front.heading == f"Welcome to {LIBRARY_NAME}"


def test_visitor_sees_no_links_of_staff(page: Page) -> None:
    front = FrontPage(page)
    front.open()
    assert front.user == ""
    assert {"People", "Settings", "Categories"}.isdisjoint(front.links)
