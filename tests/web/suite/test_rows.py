"""Steps in rows are found by what the row shows."""

from unknot.model.web.element import TEXT, Element
from unknot.web.application.observation import Observation
from unknot.web.crawl.crawl import PageReader
from unknot.web.crawl.kinds import KindByTitle
from unknot.web.crawl.view import View
from unknot.web.suite.draft import DraftStep
from unknot.web.suite.replay import found_on
from unknot.web.suite.rows import naming_data


def books(*titles: str) -> View:
    """A table of books, with a button and a link in each row."""
    rows = tuple(
        Element(
            "row",
            children=(
                Element("cell", title, children=(_link(title, number),)),
                Element("cell", children=(Element("button", "Delete", tag="button"),)),
            ),
        )
        for number, title in enumerate(titles)
    )
    header = Element("row", children=(Element("columnheader", "Title"), Element("columnheader", "Action")))
    root = Element("document", children=(Element("table", "Books", children=(header, *rows)),))
    return PageReader(KindByTitle()).view(Observation("http://simulated/books", "Books", root))


def _link(title: str, number: int) -> Element:
    return Element(
        "link", title, tag="a", attributes=(("href", f"/books/{number}"),), children=(Element(TEXT, text=title),)
    )


def step(view: View, title: str, number: int, *data: str) -> DraftStep:
    action = [each for each in view.actions if each.title == title][number]
    return DraftStep("Books", naming_data(action, view.observation.root, data), (), "Books")


def test_a_button_in_a_row_is_found_by_the_data_of_the_row_wherever_the_row_is() -> None:
    delete = step(books("Emma", "Title 1"), "Delete", 1, "Title 1")
    later = books("Title 1", "Emma", "Title 2")
    assert found_on(later, delete) == next(each for each in later.actions if each.title == "Delete")


def test_a_row_with_other_data_is_not_taken_for_it() -> None:
    delete = step(books("Title 1"), "Delete", 0, "Title 1")
    assert found_on(books("Emma"), delete) == "there is no row for `Delete`"


def test_a_row_without_data_is_found_by_what_only_it_says() -> None:
    delete = step(books("Emma", "Persuasion"), "Delete", 1)
    later = books("Persuasion", "Emma")
    assert found_on(later, delete) == next(each for each in later.actions if each.title == "Delete")


def test_a_link_to_what_a_row_is_about_is_found_by_its_name() -> None:
    shown = books("Emma", "Title 1")
    action = next(each for each in shown.actions if each.name == "Title 1")
    follow = DraftStep("Books", naming_data(action, shown.observation.root, ("Title 1",)), (), "Book")
    found = found_on(books("Title 1", "Emma"), follow)
    assert not isinstance(found, str)
    assert found.name == "Title 1"


def test_a_step_on_another_page_says_what_is_in_view() -> None:
    delete = step(books("Emma"), "Delete", 0)
    other = PageReader(KindByTitle()).view(Observation("http://simulated/", "Home", Element("document")))
    assert found_on(other, delete) == "`Delete` is on Books, and Home is in view"
