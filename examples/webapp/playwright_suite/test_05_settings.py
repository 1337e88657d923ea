from collections.abc import Callable

from playwright.sync_api import Page

from playwright_suite.data import ADMIN, VERA, Account
from playwright_suite.pages.front import FrontPage, RegistrationPage
from playwright_suite.pages.settings import SettingsPage

Login = Callable[[Account], Page]


def test_close_registration(login: Login) -> None:
    page = login(ADMIN)
    SettingsPage(page).set_registration("closed")
    registration = RegistrationPage(page)
    registration.open()
    assert registration.problem == "Registration is closed."


def test_open_registration(login: Login) -> None:
    page = login(ADMIN)
    SettingsPage(page).set_registration("open")
    registration = RegistrationPage(page)
    registration.open()
    assert registration.problem == ""


def test_register_as_visitor(page: Page) -> None:
    registration = RegistrationPage(page)
    registration.register(VERA)
    assert registration.notice == f"You can log in as {VERA.name} now."


def test_login_as_registered_visitor(page: Page) -> None:
    front = FrontPage(page)
    front.log_in(VERA)
    assert front.user == f"{VERA.full_name} (reader)"


def test_rename_library(login: Login) -> None:
    page = login(ADMIN)
    SettingsPage(page).set_library_name("Lakeside Library")
    front = FrontPage(page)
    front.open()
    assert front.heading == "Welcome to Lakeside Library"
