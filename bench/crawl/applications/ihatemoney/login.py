"""For `unknot crawl --login login.py::login`: with the private code of the project."""

from playwright.sync_api import Page


def login(page: Page) -> None:
    form = page.locator("#authentication-form")
    form.get_by_label("Project identifier").fill("summer-trip")
    form.get_by_label("Private code").fill("a private code")
    form.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name="Add a new bill").wait_for(timeout=20_000)
