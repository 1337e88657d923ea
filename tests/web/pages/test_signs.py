"""How pages are recognised, where names and addresses have more stars than a regular expression could bear."""

import ast
import re

import pytest

from unknot.model.web.action import Action
from unknot.model.web.locator import Locator
from unknot.model.web.web_model import WebModel, WebPage
from unknot.web.pages.writing.method_names import method_name
from unknot.web.pages.writing.signs import ADDRESS, PATTERN, PageSign, SignReader
from unknot.web.suite.writing.calls import NotWritable, row_text

STARS = "a*" * 40 + "b"


def page(kind: str, heading: str, template: str, address: str) -> WebPage:
    return WebPage(kind, "", address, template, 2, (heading,), common_headings=(heading,))


def sign(*pages: WebPage) -> PageSign:
    """Of the first."""
    classes = {each.kind: each.kind for each in pages}
    return SignReader(WebModel("http://site", pages), classes).sign(pages[:1])


def test_a_heading_with_many_stars_is_compared_with_those_of_other_pages() -> None:
    one = page("one", STARS, "/one", "/one")
    assert sign(one, page("two", "a" * 5_000, "/two", "/two")).specificity == PATTERN
    assert sign(one, page("two", "a" * 5_000 + "b", "/two", "/two")).specificity == ADDRESS


@pytest.mark.parametrize("number", ["abc", "12"])
def test_the_address_of_a_page_with_many_stars_is_searched_in_one_pass(number: str) -> None:
    template, address = f"/{STARS}/*/edit", f"/{STARS.replace('*', number)}/{number}/edit"
    found = sign(page("one", "Edit", template, address), page("two", "Edit", "/two", "/two")).address
    expression = ast.literal_eval(found)
    assert re.search(expression, f"http://site{address}")
    assert not re.search(expression, f"http://site{address}/more")
    assert not re.search(expression, f"http://site/{'a1' * 5_000}/7/edit")


def test_titles_with_many_stars_are_compared_with_addresses() -> None:
    def name(href: str) -> str:
        return method_name(Action("a", f"x{STARS}", "Go home", (Locator("link", "Go home"),), href=href), [], [])

    assert name("x" + "a" * 5_000) != name("x" + "a" * 5_000 + "b") == "go_home"


def test_a_name_that_is_not_that_of_the_title_tells_no_row() -> None:
    def remove(name: str) -> Action:
        return Action("a", STARS, name, (Locator("button", name),), row="row")

    with pytest.raises(NotWritable):
        row_text(remove("a" * 5_000))
    assert row_text(remove("aX" * 40 + "b")) == "X"
