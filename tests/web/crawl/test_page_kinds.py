"""Which observations are of the same kind of page."""

from unknot.web.application.element import Element
from unknot.web.application.observation import Observation
from unknot.web.crawl.kinds import FoldedKinds

HOST = "http://localhost"


def seen(address: str, *parts: Element, heading: str = "Books") -> Observation:
    main = Element("main", children=(Element("heading", heading), *parts))
    return Observation(HOST + address, heading, Element("document", children=(main,)))


def form(*labels: str) -> Element:
    fields = tuple(Element("textbox", label) for label in labels)
    return Element("form", children=(*fields, Element("button", "Save")))


def rows(count: int) -> Element:
    row = Element("row", children=(Element("link", "Emma"), form("Note")))
    return Element("table", children=(row,) * count)


def test_rows_and_numbers_in_addresses_are_data() -> None:
    kinds = FoldedKinds()
    assert kinds.kind_of(seen("/books/1", rows(1))) == kinds.kind_of(seen("/books/2?page=3", rows(5), heading="Emma"))


def test_other_forms_make_another_kind() -> None:
    kinds = FoldedKinds()
    assert kinds.kind_of(seen("/books", form("Title"))) != kinds.kind_of(seen("/books", form("Title", "Year")))


def test_a_form_without_fields_is_a_button_and_makes_no_kind() -> None:
    kinds = FoldedKinds()
    assert kinds.kind_of(seen("/books/1", form())) == kinds.kind_of(seen("/books/1"))


def test_scenes_of_one_address_are_told_apart_by_their_headings() -> None:
    kinds = FoldedKinds()
    notes, trash = (seen("/", heading=heading) for heading in ("Notes", "Trash"))
    assert kinds.kind_of(notes) == "/"
    assert kinds.kind_of(trash) == "/ (2)"
    assert kinds.kind_of(notes) == "/"


def test_a_heading_that_shows_what_was_typed_is_data() -> None:
    kinds = FoldedKinds()
    before = kinds.kind_of(seen("/books/1/edit", heading="Edit Emma"))
    kinds.typed(["Ulysses [1922]"])
    assert kinds.kind_of(seen("/books/1/edit", heading="Edit Ulysses [1922]")) == before
    assert kinds.kind_of(seen("/books/1/edit", heading="Sorry")) != before
