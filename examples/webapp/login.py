"""For `unknot crawl --login login.py::log_in`: explores the library as its administrator, who may do everything."""

from playwright.sync_api import Page


def log_in(page: Page) -> None:
    page.get_by_role("link", name="Log in").click()
    page.get_by_label("Name", exact=True).fill("admin")
    page.get_by_label("Password").fill("admin-secret")
    page.get_by_role("button", name="Log in").click()
