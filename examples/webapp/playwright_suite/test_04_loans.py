from collections.abc import Callable

from playwright.sync_api import Page

from playwright_suite.data import EMMA, LENA, MOBY_DICK, NORA, VERNE, Account
from playwright_suite.pages.books import BookPage, BooksPage
from playwright_suite.pages.front import FrontPage
from playwright_suite.pages.loans import LoansPage

Login = Callable[[Account], Page]


def test_borrow_book(login: Login) -> None:
    page = login(NORA)
    BooksPage(page).show(VERNE.title)
    BookPage(page).press("Borrow")
    loans = LoansPage(page)
    assert loans.notice == "The book is yours."
    assert loans.row(VERNE.title).is_visible()


def test_librarian_sees_loan(login: Login) -> None:
    loans = LoansPage(login(LENA))
    loans.open()
    assert NORA.full_name in loans.row(VERNE.title).inner_text()


def test_return_book(login: Login) -> None:
    loans = LoansPage(login(NORA))
    loans.give_back(VERNE.title)
    assert loans.notice == "The book was returned."
    assert loans.rows == 0


def test_visitor_cannot_borrow_book(page: Page) -> None:
    BooksPage(page).show(EMMA)
    book = BookPage(page)
    assert book.state == "Available"
    assert page.get_by_role("button", name="Borrow").count() == 0


def test_recommend_book_from_list(login: Login) -> None:
    books = BooksPage(login(LENA))
    books.recommend(MOBY_DICK)
    assert books.notice == "The book is recommended."


def test_recommend_book_from_its_page(login: Login) -> None:
    page = login(LENA)
    BooksPage(page).show(MOBY_DICK)
    book = BookPage(page)
    book.press("Recommend")
    assert book.notice == "The book is recommended."


def test_front_page_shows_recommended_book(page: Page) -> None:
    front = FrontPage(page)
    front.open()
    assert front.recommended == [MOBY_DICK]
