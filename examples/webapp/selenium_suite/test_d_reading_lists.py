"""Reading lists, which the browser renders, and the JSON behind them."""

from typing import Any

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from selenium_suite.library_case import LibraryCase

PICKS = "Staff picks"
TITLE = "Emma"

_FETCHED = """
const [method, path, body, done] = arguments;
const sent = body && {method, body: JSON.stringify(body), headers: {"Content-Type": "application/json"}};
fetch(path, sent || {method}).then((answer) => answer.json()).then(done);
"""


class ReadingListsTest(LibraryCase):
    def setUp(self) -> None:
        self.log_in_as("lena")
        self.site.open("/lists")
        self.wait_for_rendering(0)

    @property
    def rendered(self) -> int:
        return int(self.site.find("#lists").get_attribute("data-rendered") or "0")

    def wait_for_rendering(self, before: int) -> None:
        self.site.wait(lambda _: self.rendered > before, "lists to be rendered")

    def list_called(self, name: str) -> WebElement:
        found = [box for box in self.site.all("article") if box.find_element("css selector", "h2").text == name]
        self.assertEqual(len(found), 1, f"no list is called {name}")
        return found[0]

    def create(self, name: str) -> None:
        before = self.rendered
        self.site.find("#new-list input").send_keys(name, Keys.ENTER)
        self.wait_for_rendering(before)

    def fetched(self, method: str, path: str, body: dict[str, str] | None = None) -> Any:
        return self.site.driver.execute_async_script(_FETCHED, method, path, body)

    def test_01_create_list(self) -> None:
        self.create(PICKS)
        self.assertEqual(self.site.texts("article h2"), [PICKS])

    def test_02_create_same_list_again_is_refused(self) -> None:
        self.list_called(PICKS)
        self.create(PICKS)
        self.assertEqual(self.site.alert, f"You have a list {PICKS} already.")

    def test_03_put_book_on_list(self) -> None:
        before = self.rendered
        self.list_called(PICKS).find_element("css selector", "input").send_keys(TITLE, Keys.ENTER)
        self.wait_for_rendering(before)
        self.assertIn(TITLE, self.list_called(PICKS).text)

    def test_04_put_book_on_list_through_api(self) -> None:
        numbers = {each["name"]: each["number"] for each in self.fetched("GET", "/api/lists")}
        self.assertIn(PICKS, numbers)
        changed = self.fetched("POST", f"/api/lists/{numbers[PICKS]}/books", {"title": TITLE})
        self.assertEqual(changed["books"], [TITLE])

    def test_05_list_shows_book(self) -> None:
        self.assertIn(TITLE, self.list_called(PICKS).text)

    def test_06_find_book_while_typing(self) -> None:
        self.site.find("#wanted").send_keys("darwin")
        self.site.wait(lambda _: self.site.find("#matches").get_attribute("data-wanted") == "darwin", "matches")
        self.assertEqual(self.site.texts("#matches li"), ["On the Origin of Species by Charles Darwin"])

    def test_07_api_finds_books_by_author(self) -> None:
        found = self.fetched("GET", "/api/books?q=melville")
        self.assertEqual([book["title"] for book in found], ["Moby Dick"])

    def test_08_api_knows_no_foreign_list(self) -> None:
        self.assertEqual(self.fetched("DELETE", "/api/lists/4711"), {"error": "There is no such list."})
