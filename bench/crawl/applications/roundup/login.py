"""For `unknot crawl --login login.py::login`: as the administrator, who may do everything."""

from playwright.sync_api import Page


def login(page: Page) -> None:
    page.locator("input[name=__login_name]").fill("admin")
    page.locator("input[name=__login_password]").fill("admin-secret")
    page.get_by_role("button", name="Login").click()
    page.get_by_role("link", name="Your Details").wait_for(timeout=20_000)
