"""For `unknot crawl --login login.py::login`: as the administrator, who may do everything."""

from playwright.sync_api import Page


def login(page: Page) -> None:
    page.get_by_role("link", name="Log in").click()
    page.get_by_label("Name", exact=True).fill("admin")
    page.get_by_label("Password").fill("admin-secret")
    page.get_by_role("button", name="Log in").click()
