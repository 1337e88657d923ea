from playwright_suite.data import Account
from playwright_suite.pages.frame import Frame


class PeoplePage(Frame):
    address = "/people"

    def add(self, account: Account) -> None:
        self.submit(account.name, account.full_name, account.password, account.role)

    def submit(self, name: str, full_name: str, password: str, role: str) -> None:
        self.goto(f"{self.address}/new")
        self.fill("Name", name)
        self.fill("Full name", full_name)
        self.fill("Password", password)
        self.page.get_by_label("Role").select_option(role)
        self.press("Add")

    def search(self, text: str) -> None:
        self.open()
        self.fill("Search", text)
        self.press("Search")

    def rename(self, account: Account, full_name: str) -> None:
        self.open()
        self.send(self.row(account.name).get_by_role("link", name="Edit"))
        self.fill("Full name", full_name)
        self.press("Save")

    def remove(self, account: Account) -> None:
        self.open()
        self.send(self.row(account.name).get_by_role("button", name="Remove"))
