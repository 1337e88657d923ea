"""For `unknot crawl --login login.py::login`. The page keeps the password in memory: each load asks for it again."""

from playwright.sync_api import Page


def login(page: Page) -> None:
    page.get_by_placeholder("Username").fill("alice")
    page.get_by_placeholder("Password").fill("wonderland")
    page.get_by_role("button", name="Next").click()
    page.get_by_role("heading", name="Team").wait_for(timeout=20_000)
