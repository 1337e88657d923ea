"""What all pages share."""

from urllib.parse import urljoin

from playwright.sync_api import Locator, Page


class Frame:
    address = "/"

    def __init__(self, page: Page) -> None:
        self.page = page

    def goto(self, path: str) -> None:
        """Another page of the library: its address is that of the page which is open, but for the path."""
        self.page.goto(urljoin(self.page.url, path))

    def open(self) -> None:
        self.goto(self.address)

    def fill(self, label: str, value: str) -> None:
        self.page.get_by_label(label, exact=True).fill(value)

    def send(self, button: Locator) -> None:
        """Clicks, and waits for the page that answers: what is not on it then will not come."""
        with self.page.expect_navigation():
            button.click()

    def press(self, name: str) -> None:
        self.send(self.page.locator("main").get_by_role("button", name=name, exact=True))

    def row(self, text: str) -> Locator:
        """The only row of the table that has this text."""
        rows = self.page.locator("tbody tr", has_text=text)
        assert rows.count() == 1, f"{rows.count()} rows have {text}"
        return rows

    @property
    def rows(self) -> int:
        return self.page.locator("tbody tr").count()

    @property
    def heading(self) -> str:
        return self.page.locator("h1").inner_text()

    @property
    def notice(self) -> str:
        return " ".join(self.page.get_by_role("status").all_inner_texts())

    @property
    def problem(self) -> str:
        return " ".join(self.page.get_by_role("alert").all_inner_texts())

    @property
    def links(self) -> list[str]:
        return self.page.get_by_role("link").all_inner_texts()
