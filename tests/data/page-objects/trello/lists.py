from __future__ import annotations

from typing import TYPE_CHECKING, Self

from playwright.sync_api import Page

from .frame import Navbar

if TYPE_CHECKING:
    from .boards import BoardsContainerPage
    from .entering import LoginContainerPage


class BoardListContainerPage:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.navbar = Navbar(page)

    @property
    def lists(self) -> list[str]:
        return self.page.locator(".list header").all_inner_texts()

    @property
    def members(self) -> list[str]:
        return self.page.locator(".board-users li").all_inner_texts()

    def cards_of(self, list_name: str) -> int:
        return self.page.locator(".list", has_text=list_name).locator(".card").count()

    def sign_out(self) -> LoginContainerPage:
        self.page.get_by_text("Sign out").click()
        return self._login()

    def go_to_board_list(self) -> BoardsContainerPage:
        self.page.get_by_alt_text("logo").click()
        return self._boards()

    def view_all_boards(self) -> BoardsContainerPage:
        self.navbar.choose("View all boards")
        return self._boards()

    def go_to_board_using_navbar(self, board_name: str) -> Self:
        assert board_name in self.navbar.boards
        self.navbar.choose(board_name)
        return type(self)(self.page)

    def open_add_new_list_form(self) -> BoardListContainerPage:
        self.page.get_by_text("Add new list").click()
        return self

    def add_new_list(self, list_name: str) -> BoardListContainerPage:
        self.page.get_by_placeholder("Add a new list").fill(list_name)
        self.page.get_by_role("button", name="Save list").click()
        return self

    def open_update_list_form(self, list_name: str) -> BoardListContainerPage:
        self._check(list_name)
        assert list_name in self.lists
        self.page.get_by_role("heading", name=list_name).click()
        return self

    def update_list(self, current_list_name: str, new_list_name: str) -> BoardListContainerPage:
        assert current_list_name in self.lists
        assert current_list_name != new_list_name
        self.page.get_by_role("heading", name=current_list_name).click()
        self.page.get_by_role("button", name="Update list").click()
        return self

    def open_new_card_to_list_form(self, list_name: str) -> BoardListContainerPage:
        assert list_name in self.lists
        self.page.locator(".list", has_text=list_name).get_by_text("Add a new card").click()
        return self

    def add_new_card_to_list(self, list_name: str, card_text: str) -> BoardListContainerPage:
        self.open_new_card_to_list_form(list_name)
        assert card_text
        self.page.get_by_role("textbox").fill(card_text)
        return self

    def go_to_card_of_list(self, list_name: str, card_id: int) -> CardDetails:
        if list_name not in self.lists or card_id > self.cards_of(list_name):
            raise ValueError(card_id)
        self.page.locator(".list", has_text=list_name).locator(".card").nth(card_id - 1).click()
        return CardDetails(self.page)

    def open_add_new_member_form(self) -> BoardListContainerPage:
        assert len(self.members) == 1, "the board is shared"
        self.page.locator(".add-new").click()
        return self

    def add_new_member_to_current_board(self, new_member: str) -> BoardListContainerPage:
        if len(self.members) > 1:
            raise ValueError("the board is shared")
        self.page.get_by_role("textbox").fill(new_member)
        self.page.get_by_role("button", name="Add member").click()
        if new_member in self.members:
            return self
        return self

    def _check(self, name: str) -> None:
        assert name

    def _boards(self) -> BoardsContainerPage:
        from .boards import BoardsContainerPage

        return BoardsContainerPage(self.page)

    def _login(self) -> LoginContainerPage:
        from .entering import LoginContainerPage

        return LoginContainerPage(self.page)


class CardDetails:
    page: Page

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def members(self) -> list[str]:
        return self.page.locator(".members img").all_inner_texts()

    @property
    def tags(self) -> list[str]:
        return self.page.locator(".tag").all_inner_texts()

    def close_card_details(self) -> BoardListContainerPage:
        self.page.locator(".close").click()
        return BoardListContainerPage(self.page)

    def delete_card(self) -> BoardListContainerPage:
        self.page.get_by_role("button", name="Delete").click()
        return BoardListContainerPage(self.page)

    def open_edit_description_form(self) -> CardDetails:
        self.page.get_by_role("link", name="Edit").click()
        return self

    def edit_description(self, card_text: str, card_description: str) -> CardDetails:
        self.open_edit_description_form()
        self.page.get_by_role("textbox").first.fill(card_text)
        self.page.get_by_role("textbox").last.fill(card_description)
        return self

    def add_comment(self, card_comment: str) -> CardDetails:
        with self.page.expect_response("**/comments"):
            self.page.get_by_placeholder("Write a comment").fill(card_comment)
        return self

    def add_member_to_card(self, email: str) -> CardDetails:
        assert email not in self.members
        return self._toggle(email)

    def remove_member_from_card(self, email: str) -> CardDetails:
        assert email in self.members
        return self._toggle(email)

    def add_tag_to_card(self, card_tag: str) -> CardDetails:
        if card_tag in self.tags:
            raise ValueError(card_tag)
        return self._toggle(card_tag)

    def remove_tag_to_card(self, card_tag: str) -> CardDetails:
        if card_tag not in self.tags:
            raise ValueError(card_tag)
        return self._toggle(card_tag)

    def _toggle(self, text: str) -> CardDetails:
        self.page.get_by_text(text).click()
        return self
