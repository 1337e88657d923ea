from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from playwright_suite.data import LENA, RITA, TRAVEL, VERNE, Account, Book
from playwright_suite.pages.books import BookPage, BooksPage, CategoriesPage

Login = Callable[[Account], Page]


def test_add_category(login: Login) -> None:
    categories = CategoriesPage(login(LENA))
    categories.add(TRAVEL)
    assert categories.notice == f"{TRAVEL} was added."


def test_add_book_to_category(login: Login) -> None:
    books = BooksPage(login(LENA))
    books.add(VERNE)
    assert TRAVEL in books.row(VERNE.title).inner_text()


@pytest.mark.parametrize("text", [VERNE.title, "JULES"])
def test_search_added_book(page: Page, text: str) -> None:
    books = BooksPage(page)
    books.search(text)
    assert VERNE.author in books.row(VERNE.title).inner_text()
    assert books.rows == 1


def test_edit_year_of_book(login: Login) -> None:
    page = login(LENA)
    BooksPage(page).show(VERNE.title)
    book = BookPage(page)
    book.edit_year("1872")
    assert ", 1872," in book.facts


def test_category_lists_its_books(page: Page) -> None:
    books = BooksPage(page)
    books.show_category(TRAVEL)
    assert books.rows == 1
    assert VERNE.author in books.row(VERNE.title).inner_text()


def test_add_book_without_title_is_refused(login: Login) -> None:
    books = BooksPage(login(LENA))
    books.add(Book("", "Anonymous", "1900", "Fiction"))
    assert books.problem == "Title and author are needed."


@pytest.mark.parametrize("year", ["1066", "next year"])
def test_add_book_with_wrong_year_is_refused(login: Login, year: str) -> None:
    books = BooksPage(login(LENA))
    books.add(Book(f"A book of {year}", "Anonymous", year, "Fiction"))
    assert "The year must be between" in books.problem


def test_search_without_result(page: Page) -> None:
    books = BooksPage(page)
    books.search("Zettels Traum")
    assert books.rows == 0
    assert page.get_by_text("No books found.").is_visible()


def test_reader_may_not_add_book(login: Login) -> None:
    books = BooksPage(login(RITA))
    books.goto("/books/new")
    assert books.problem == "You may not do this."


def test_remove_category_with_books_is_refused(login: Login) -> None:
    categories = CategoriesPage(login(LENA))
    categories.remove("Fiction")
    assert categories.problem == "There are books in this category."
