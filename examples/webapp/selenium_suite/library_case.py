"""What all test cases share: the site, an unknown visitor at the start of each test, and how staff gets in."""

import unittest

import pytest

from selenium_suite.site import Site

PASSWORDS = {"admin": "admin-secret", "lena": "lena-secret", "rita": "rita-secret"}


class LibraryCase(unittest.TestCase):
    site: Site

    @pytest.fixture(autouse=True)
    def _new_visitor(self, site: Site) -> None:
        self.site = site
        site.forget_visitor()

    def log_in_as(self, name: str) -> None:
        self.site.log_in_by_request(name, PASSWORDS[name])

    def show_book(self, title: str) -> None:
        self.site.open("/books")
        self.site.click_link(title, within=self.site.row(title))

    def submit_book(self, title: str, author: str, year: int | str, category: str) -> None:
        self.site.open("/books/new")
        offered = self.site.texts("option")
        self.assertIn(category, offered)
        self.site.fill("title", title)
        self.site.fill("author", author)
        self.site.fill("year", str(year))
        self.site.choose("category", category)
        self.site.press("Add")
