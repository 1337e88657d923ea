"""A step covers an edge of the reference only if it was done, from the right page, by the right element, with the right
result: the mapper cannot be fooled, and does not look at kinds of pages."""

import json

import pytest
from bench.crawl.reference import Reference, ReferenceMapper, reference_graph
from bench.crawl.sights import element_pattern, sight
from hypothesis import given
from hypothesis import strategies as st

from unknot.model.web.action import Action, FormField
from unknot.model.web.element import TEXT, Element
from unknot.model.web.locator import Locator
from unknot.web.application.observation import EventKind, Observation, PageEvent
from unknot.web.crawl.explorer import ChosenStep
from unknot.web.crawl.trace import TakenStep
from unknot.web.crawl.view import View

_GRAPH = """{
  "application": "shelf",
  "pages": [
    {"name": "refusal", "shows": "heading Sorry"},
    {"name": "books", "address": "/books"},
    {"name": "new book", "address": "/books/new"},
    {"name": "book", "address": "/books/\\\\d+"}
  ],
  "edges": [
    {"name": "menu", "from": "*", "by": "link[href=/books] Books", "to": "books"},
    {"name": "add", "from": "new book", "by": "button Add", "to": "books", "then": {"shows": "text .* was added"}},
    {"name": "add: refused", "from": "new book", "by": "button Add", "to": "new book", "then": {"shows": "text No.*"}},
    {"name": "open", "from": "books", "by": "link[href=/books/\\\\d+]", "to": "book"},
    {"name": "remove", "from": "books", "by": "button Remove", "to": "books", "shrinks": "row"},
    {"name": "find", "from": "books", "by": "textbox Find", "to": "books", "then": {"query": "q=."}},
    {"name": "export", "from": "books", "by": "link Export", "to": "books", "then": {"event": "download: .*\\\\.csv"}},
    {"name": "leave", "from": "*", "by": "button Log out", "to": "*", "spared": true}
  ]
}"""
_BOOKS = "http://127.0.0.1:8000/books"
_MENU = Element("link", "Books", attributes=(("href", "/books"),))
_ADD = Element("button", "Add")
_REMOVE = Element("button", "Remove")


@pytest.fixture(name="reference")
def _reference() -> Reference:
    return reference_graph(json.loads(_GRAPH))


def _seen(
    address: str, *children: Element, refusal: str = "", events: tuple[PageEvent, ...] = (), kind: str = "?"
) -> View:
    return View(Observation(address, "", Element("document", children=children), events, refusal), kind, ())


def _click(element: Element) -> ChosenStep:
    return ChosenStep(Action("key", "title", element.name, (Locator(element.role, element.name),)))


def _covered(reference: Reference, *steps: TakenStep) -> list[str]:
    mapper = ReferenceMapper(reference)
    for each in steps:
        mapper.add(each)
    return list(mapper.covered)


def _said(text: str) -> Element:
    return Element(TEXT, text=text)


def test_a_step_covers_its_edge(reference: Reference) -> None:
    before = _seen(f"{_BOOKS}/new", _ADD)

    assert _covered(reference, TakenStep(before, _click(_ADD), _seen(_BOOKS, _said("Emma was added")))) == ["add"]
    assert _covered(reference, TakenStep(before, _click(_ADD), _seen(f"{_BOOKS}/new", _said("No title")))) == [
        "add: refused"
    ]


@pytest.mark.parametrize(
    ("before", "clicked", "after"),
    [
        (_seen(_BOOKS, _ADD), _ADD, _seen(_BOOKS, _said("Emma was added"))),
        (_seen(f"{_BOOKS}/new", _ADD, _MENU), _REMOVE, _seen(_BOOKS, _said("Emma was added"))),
        (_seen(f"{_BOOKS}/new", _ADD), _ADD, _seen(f"{_BOOKS}/3", _said("Emma was added"))),
        (_seen(f"{_BOOKS}/new", _ADD), _ADD, _seen(_BOOKS, _said("nothing"))),
        (_seen(f"{_BOOKS}/new", _ADD), _ADD, _seen(_BOOKS, _said("Emma was added"), refusal="covered")),
        (_seen(f"{_BOOKS}/new", _ADD, Element("button", "Add")), _ADD, _seen(_BOOKS, _said("Emma was added"))),
        (_seen(f"{_BOOKS}/new", _ADD), _ADD, _seen(_BOOKS, _said("Emma was added"), Element("heading", "Sorry"))),
        (_seen(f"{_BOOKS}?new", _ADD), _ADD, _seen(_BOOKS, _said("Emma was added"))),
    ],
    ids=[
        "from the wrong page",
        "by an element that is not there",
        "to the wrong page",
        "without its result",
        "refused",
        "by one of two elements",
        "to a page that is another one by its heading",
        "from an address that only looks like it",
    ],
)
def test_a_step_that_only_looks_like_it_covers_nothing(
    reference: Reference, before: View, clicked: Element, after: View
) -> None:
    assert _covered(reference, TakenStep(before, _click(clicked), after)) == []


def test_a_reset_covers_nothing(reference: Reference) -> None:
    mapper = ReferenceMapper(reference)
    mapper.add(TakenStep(None, None, _seen(_BOOKS, _said("Emma was added"))))

    assert (list(mapper.covered), list(mapper.visited)) == ([], ["books"])


@given(before=st.text(max_size=5), after=st.text(max_size=5))
def test_names_of_kinds_change_nothing(before: str, after: str) -> None:
    edges = [
        {"name": "to", "from": "one", "by": "link", "to": "two"},
    ]
    file = {"application": "a", "pages": [{"name": "one", "address": "/1"}, {"name": "two"}], "edges": edges}
    reference = reference_graph(file)
    link = Element("link", "Go")
    step = TakenStep(_seen("http://h/1", link, kind=before), _click(link), _seen("http://h/2", kind=after))

    assert _covered(reference, step) == ["to"]


def test_less_must_be_in_view_where_that_is_the_result(reference: Reference) -> None:
    row = Element("row")
    two, one = _seen(_BOOKS, row, row, _REMOVE), _seen(_BOOKS, row, _REMOVE)

    assert _covered(reference, TakenStep(two, _click(_REMOVE), one)) == ["remove"]
    assert _covered(reference, TakenStep(one, _click(_REMOVE), two)) == []
    assert _covered(reference, TakenStep(two, _click(_REMOVE), two)) == []


def test_enter_in_a_field_counts_for_the_field(reference: Reference) -> None:
    field = Element("textbox", "Find")
    action = Action("key", "Find", "Find", (), (FormField("Find", (Locator("textbox", "Find"),)),))
    chosen = ChosenStep(action, (("Find", "Emma"),))

    assert _covered(reference, TakenStep(_seen(_BOOKS, field), chosen, _seen(f"{_BOOKS}?q=Emma", field))) == ["find"]
    assert _covered(reference, TakenStep(_seen(_BOOKS, field), chosen, _seen(_BOOKS, field))) == []


def test_a_download_is_a_result(reference: Reference) -> None:
    link = Element("link", "Export")
    download = PageEvent(EventKind.DOWNLOAD, "books.csv")
    dialog = PageEvent(EventKind.DIALOG, "books.csv")

    assert _covered(
        reference, TakenStep(_seen(_BOOKS, link), _click(link), _seen(_BOOKS, link, events=(download,)))
    ) == ["export"]
    assert (
        _covered(reference, TakenStep(_seen(_BOOKS, link), _click(link), _seen(_BOOKS, link, events=(dialog,)))) == []
    )


def test_spared_edges_do_not_count(reference: Reference) -> None:
    button = Element("button", "Log out")
    mapper = ReferenceMapper(reference)
    mapper.add(TakenStep(_seen(_BOOKS, button), _click(button), _seen("http://127.0.0.1:8000/")))

    assert list(mapper.covered) == ["leave"]
    assert mapper.count() == 0
    assert "leave" not in mapper.missing()
    assert len(mapper.missing()) == 7


def test_what_is_no_edge_is_kept_for_review(reference: Reference) -> None:
    link = Element("link", "Help")
    mapper = ReferenceMapper(reference)
    for _ in range(2):
        mapper.add(TakenStep(_seen(_BOOKS, link), _click(link), _seen("http://h/help", Element("heading", "Help"))))
    mapper.add(TakenStep(_seen(_BOOKS, link), _click(link), _seen(_BOOKS, link)))

    ((transition, count),) = mapper.unmapped.items()
    assert (transition.source, transition.action, transition.target) == ("books", "link Help", "help [Help]")
    assert count == 2


def test_patterns_are_for_all_of_a_value() -> None:
    link = Element("link", "Books", attributes=(("href", "/books"), ("class", "nav-link")))

    assert element_pattern("link[href=/[^/]+][class=nav-.*] Books").fits(link)
    assert element_pattern("*").fits(link)
    assert not element_pattern("link Book").fits(link)
    assert not element_pattern("link[href=/book]").fits(link)
    assert not element_pattern("button Books").fits(link)


def test_an_address_is_compared_as_a_person_reads_it() -> None:
    seen = Observation("http://h/a%20b?x=%40me", "", Element("document"))

    assert sight({"address": "/a b", "query": "x=@me"}).fits(seen)
    assert not sight({"address": "/a"}).fits(seen)


def test_an_element_inside_another_part_of_the_page_is_not_meant() -> None:
    pages = [{"name": "page"}]
    edges = [{"name": "send", "from": "*", "by": "button", "inside": "form[id=send]", "to": "page"}]
    graph = reference_graph({"application": "a", "pages": pages, "edges": edges})
    send, other = Element("button", "Send"), Element("button", "Other")
    before = _seen(_BOOKS, Element("form", attributes=(("id", "send"),), children=(send,)), other)

    assert _covered(graph, TakenStep(before, _click(send), _seen(_BOOKS))) == ["send"]
    assert _covered(graph, TakenStep(before, _click(other), _seen(_BOOKS))) == []
