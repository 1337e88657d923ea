"""Page objects of Phoenix Trello, the running example of the thesis, told again in Python."""

from typing import Protocol

from playwright.sync_api import Page


class PageObject(Protocol):
    def is_loaded(self) -> bool: ...


class Navbar:
    """A part of several pages: it has no page object to return."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def boards(self) -> list[str]:
        return self.page.get_by_role("navigation").get_by_role("link").all_inner_texts()

    def choose(self, name: str) -> None:
        self.page.get_by_role("navigation").get_by_role("link", name=name).click()
