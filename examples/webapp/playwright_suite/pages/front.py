from playwright_suite.data import Account
from playwright_suite.pages.frame import Frame


class FrontPage(Frame):
    def submit_login(self, name: str, password: str) -> None:
        self.goto("/login")
        self.fill("Name", name)
        self.fill("Password", password)
        self.press("Log in")

    def log_in(self, account: Account) -> None:
        self.submit_login(account.name, account.password)
        assert account.role in self.user, f"{account.name} cannot log in: {self.problem}"

    @property
    def user(self) -> str:
        """Who has logged in, with the role; empty for visitors."""
        return " ".join(self.page.locator("#user").all_inner_texts())

    @property
    def recommended(self) -> list[str]:
        return self.page.locator("#recommended li").all_inner_texts()


class RegistrationPage(Frame):
    address = "/register"

    def register(self, account: Account) -> None:
        self.open()
        assert not self.problem, self.problem
        self.fill("Full name", account.full_name)
        self.fill("Name", account.name)
        self.fill("Password", account.password)
        self.press("Register")
