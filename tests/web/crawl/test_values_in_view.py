"""Values in view by what they are, and what tells kinds of pages apart."""

from unknot.model.web.element import TEXT, Element
from unknot.model.web.locator import Locator
from unknot.web.crawl.crawl import PageReader, crawl
from unknot.web.crawl.kinds import KindByTitle
from unknot.web.crawl.model_builder import ModelBuilder
from unknot.web.crawl.promising import PromisingFirst
from unknot.web.crawl.recognition import Recognition
from unknot.web.crawl.value_lists import value_lists
from unknot.web.simulated.simulated_application import SimulatedApplication
from unknot.web.simulated.trello import BOARDS, CARD, LISTS, Trello


def text(value: str) -> Element:
    return Element(TEXT, text=value)


def items(*values: str, name: str = "") -> Element:
    return Element("list", name, children=tuple(Element("listitem", children=(text(each),)) for each in values))


def row(*cells: Element) -> Element:
    return Element("row", children=tuple(Element("cell", children=(each,)) for each in cells))


def link(name: str) -> Element:
    return Element("link", name, children=(text(name),))


def test_lists_tables_and_descriptions_have_names_values_and_locators() -> None:
    headers = Element("row", children=(Element("columnheader", "Name"), Element("columnheader", "Do")))
    button = Element("button", "Remove", children=(text("Remove"),))
    root = Element(
        "document",
        children=(
            Element("navigation", children=(items("Home", "About"),)),
            items("milk", "eggs", "milk", name="Shopping"),
            Element("heading", "Members"),
            items("Ada", "Bob"),
            Element("table", "People", children=(headers, row(link("Ada"), button), row(link("Bob"), button))),
            Element(
                "DescriptionList",
                children=(
                    Element("term", children=(text("Total:"),)),
                    Element("definition", children=(text("20.00"),)),
                ),
            ),
        ),
    )
    found = {each.name: each for each in value_lists(root)}
    assert {name: each.examples for name, each in found.items()} == {
        "Shopping": ("milk", "eggs", "milk"),
        "Members": ("Ada", "Bob"),
        "Name": ("Ada", "Bob"),
        "Do": ("Remove", "Remove"),
        "Total": ("20.00",),
    }
    assert found["Do"].locators == ()
    for name in ("Shopping", "Members", "Name"):
        (locator,) = found[name].locators
        assert tuple(each.all_text() for each in locator.find(root)) == found[name].examples


def test_pages_are_recognised_by_what_only_they_always_show() -> None:
    known = Recognition()
    known.add("books", Element("document", children=(Element("heading", "Books"), Element("button", "Add"))))
    known.add("books", Element("document", children=(Element("heading", "Books"), Element("heading", "New"))))
    known.add("people", Element("document", children=(Element("heading", "People"), Element("button", "Add"))))
    assert known.locators("books") == (Locator("heading", "Books"),)
    assert known.locators("people") == (Locator("heading", "People"),)


def test_a_model_has_the_values_and_signs_of_each_kind_of_page() -> None:
    application, builder = SimulatedApplication(Trello), ModelBuilder()
    for step in crawl(application, PromisingFirst(1), PageReader(KindByTitle()), lambda: application.seconds < 400):
        builder.add(step)
    pages = {each.kind: each for each in builder.model().pages}
    assert [each.name for each in pages[BOARDS].values] == ["boards"]
    assert [each.name for each in pages[LISTS].values] == ["lists", "cards", "members"]
    assert pages[BOARDS].recognised_by[0] == Locator("heading", BOARDS)
    assert all(len(each.examples) <= 5 for page in pages.values() for each in page.values)
    assert CARD not in pages or pages[CARD].recognised_by
