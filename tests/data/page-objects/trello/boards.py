from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import Page

from .frame import Navbar
from .lists import BoardListContainerPage

if TYPE_CHECKING:
    from .entering import LoginContainerPage


class BoardsContainerPage:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.navbar = Navbar(page)

    @property
    def names(self) -> list[str]:
        return self.page.locator(".boards h4").all_inner_texts()

    def add_new_board(self, board_name: str) -> BoardListContainerPage:
        self.open_add_new_board_form()
        self.page.get_by_placeholder("Board name").fill(board_name)
        self.page.get_by_role("button", name="Create board").click()
        return BoardListContainerPage(self.page)

    def open_add_new_board_form(self) -> BoardsContainerPage:
        self.page.get_by_text("Add new board").click()
        return self

    def go_to_board_clicking_on_it(self, board_name: str) -> BoardListContainerPage:
        if board_name in self.names:
            self.page.get_by_role("heading", name=board_name).click()
            return BoardListContainerPage(self.page)
        else:
            raise ValueError(board_name)

    def go_to_board_using_navbar(self, board_name: str) -> BoardListContainerPage:
        assert board_name in self.navbar.boards
        self.navbar.choose(board_name)
        return BoardListContainerPage(self.page)

    def view_all_boards(self) -> BoardsContainerPage:
        if not self.navbar.boards:
            raise ValueError("there is no board")
        self.navbar.choose("View all boards")
        return self

    def go_to_board_list(self) -> BoardsContainerPage:
        self.page.get_by_alt_text("logo").click()
        return self

    def sign_out(self) -> LoginContainerPage:
        from .entering import LoginContainerPage

        self.page.get_by_text("Sign out").click()
        return LoginContainerPage(self.page)
