"""Reading lists, which the browser renders. Every change is waited for; then what is not there will not come."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Locator, expect

from playwright_suite.pages.frame import Frame


class ListsPage(Frame):
    address = "/lists"

    def open(self) -> None:
        super().open()
        expect(self._all).to_have_attribute("data-rendered", "1")

    @property
    def _all(self) -> Locator:
        return self.page.locator("#lists")

    @contextmanager
    def _rendered_again(self) -> Iterator[None]:
        before = int(self._all.get_attribute("data-rendered") or "0")
        yield
        expect(self._all).to_have_attribute("data-rendered", str(before + 1))

    def list_of(self, name: str) -> Locator:
        found = self.page.locator("article", has=self.page.get_by_role("heading", name=name, exact=True))
        assert found.count() == 1, f"{found.count()} lists have the name {name}"
        return found

    @property
    def names(self) -> list[str]:
        return self.page.locator("article h2").all_inner_texts()

    def books(self, name: str) -> list[str]:
        return self.list_of(name).locator("li").all_inner_texts()

    def create(self, name: str) -> None:
        with self._rendered_again():
            self.fill("New list", name)
            self.page.get_by_role("button", name="Create").click()

    def put(self, title: str, name: str) -> None:
        chosen = self.list_of(name)
        with self._rendered_again():
            chosen.get_by_label(f"Title for {name}").fill(title)
            chosen.get_by_role("button", name="Put on list").click()

    def remove(self, name: str) -> None:
        chosen = self.list_of(name)
        with self._rendered_again():
            chosen.get_by_role("button", name="Remove list").click()

    def find(self, text: str) -> list[str]:
        """What the finder shows once all of the text was typed."""
        self.page.get_by_label("Find a book").press_sequentially(text)
        matches = self.page.locator("#matches")
        expect(matches).to_have_attribute("data-wanted", text)
        return matches.locator("li").all_inner_texts()
