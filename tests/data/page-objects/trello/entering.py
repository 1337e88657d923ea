from playwright.sync_api import Page

from .boards import BoardsContainerPage
from .frame import PageObject


class LoginContainerPage:
    def __init__(self, page: Page) -> None:
        self.page = page

    def is_loaded(self) -> bool:
        return self.page.get_by_role("button", name="Sign in").is_visible()

    def go_to_sign_up(self) -> "SignUpContainerPage":
        self.page.get_by_role("link", name="Create new account").click()
        return SignUpContainerPage(self.page)

    def login_as_john(self) -> BoardsContainerPage:
        self._submit("john@phoenix-trello.com", "12345678")
        return BoardsContainerPage(self.page)

    def login(self, email: str, password: str) -> PageObject:
        self._submit(email, password)
        if self.is_loaded():
            return self
        return BoardsContainerPage(self.page)

    def _submit(self, email: str, password: str) -> None:
        self.page.get_by_placeholder("Email").fill(email)
        self.page.get_by_placeholder("Password").fill(password)
        self.page.get_by_role("button", name="Sign in").click()


class SignUpContainerPage:
    def __init__(self, page: Page) -> None:
        self.page = page

    def is_loaded(self) -> bool:
        return self.page.get_by_role("button", name="Sign up").is_visible()

    def go_to_sign_in_page(self) -> LoginContainerPage:
        self.page.get_by_role("link", name="Sign in").click()
        return LoginContainerPage(self.page)

    def sign_up(
        self, first_name: str, last_name: str, email: str, password: str, password_confirmation: str
    ) -> PageObject:
        if password != password_confirmation:
            raise ValueError("the passwords must be equal")
        self._submit(first_name, last_name, email, password, password_confirmation)
        return self if self.is_loaded() else BoardsContainerPage(self.page)

    def sign_up_failure_password(
        self, first_name: str, last_name: str, email: str, password: str, password_confirmation: str
    ) -> "SignUpContainerPage":
        if password != password_confirmation:
            self._submit(first_name, last_name, email, password, password_confirmation)
            return self
        else:
            raise ValueError("the passwords must differ")

    def _submit(self, *values: str) -> None:
        for field, value in zip(self.page.get_by_role("textbox").all(), values, strict=True):
            field.fill(value)
        self.page.get_by_role("button", name="Sign up").click()
