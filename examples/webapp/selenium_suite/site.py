"""The library's pages as Selenium sees them: opening, filling, pressing, and what stands there afterwards."""

from collections.abc import Callable
from http.client import HTTPConnection
from urllib.parse import urlencode

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

PATIENCE = 15
"""Seconds, for a very busy machine. A test that misses something does not wait so long: pages are looked at when they
are complete, and what is not there then will not come."""

_MARK = "return document.readyState == 'complete' ? document.documentElement.dataset.page : null"


class Site:
    def __init__(self, driver: WebDriver, url: str) -> None:
        self.driver = driver
        self.url = url

    def wait(self, condition: Callable[[WebDriver], object], what: str) -> None:
        patience = WebDriverWait(self.driver, PATIENCE, 0.02, ignored_exceptions=[WebDriverException])
        patience.until(condition, f"{what} within {PATIENCE} seconds")

    def open(self, path: str) -> None:
        self.driver.get(self.url + path)

    def forget_visitor(self) -> None:
        self.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})

    def find(self, css: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def all(self, css: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def texts(self, css: str) -> list[str]:
        return [element.text for element in self.all(css)]

    def fill(self, name: str, value: str) -> None:
        field = self.find(f"main [name='{name}']")
        field.clear()
        field.send_keys(value)

    def choose(self, name: str, text: str) -> None:
        Select(self.find(f"main [name='{name}']")).select_by_visible_text(text)

    def follow(self, element: WebElement) -> None:
        """Clicks what leads to another page, and waits for that page. Every page has a mark of its own."""
        before = self.driver.execute_script(_MARK)
        element.click()
        self.wait(lambda driver: driver.execute_script(_MARK) not in (None, before), "another page")

    def press(self, button: str, within: WebElement | None = None) -> None:
        place = within or self.find("main")
        self.follow(place.find_element(By.XPATH, f".//button[.='{button}']"))

    def click_link(self, text: str, within: WebElement | None = None) -> None:
        place = within or self.find("body")
        self.follow(place.find_element(By.LINK_TEXT, text))

    def row(self, text: str) -> WebElement:
        """The only row of the table that has this text."""
        rows = [row for row in self.all("tbody tr") if text in row.text]
        assert len(rows) == 1, f"{len(rows)} rows have {text}"
        return rows[0]

    def log_in(self, name: str, password: str) -> None:
        self.open("/login")
        self.fill("name", name)
        self.fill("password", password)
        self.press("Log in")

    def log_in_by_request(self, name: str, password: str) -> None:
        """In a tenth of the time that the form takes."""
        sent = urlencode({"name": name, "password": password})
        connection = HTTPConnection(self.url.removeprefix("http://"))
        connection.request("POST", "/login", sent, {"Content-Type": "application/x-www-form-urlencoded"})
        answer = connection.getresponse()
        connection.close()
        assert answer.status == 303, f"{name} cannot log in"
        key, _, token = answer.headers["Set-Cookie"].partition(";")[0].partition("=")
        self.driver.execute_cdp_cmd("Network.setCookie", {"name": key, "value": token, "url": self.url})

    @property
    def alert(self) -> str:
        return " ".join(self.texts("[role=alert]"))

    @property
    def notice(self) -> str:
        return " ".join(self.texts("[role=status]"))
