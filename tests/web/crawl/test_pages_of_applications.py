"""Which pages of several sorts of applications are of the same kind, in whatever sequence a crawl meets them: what a
person would call the same page, but never what behaves differently."""

from collections.abc import Callable
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unknot.model.web.element import Element
from unknot.web.application.observation import Observation
from unknot.web.crawl.kinds import FoldedKinds


def seen(address: str, *parts: Element, heading: str = "", title: str = "Site") -> Observation:
    headings = (Element("heading", heading),) if heading else ()
    main = Element("main", children=(*headings, *parts))
    return Observation(f"http://localhost{address}", title, Element("document", children=(main,)))


def form(*names: str) -> Element:
    fields = (Element("textbox", name, attributes=(("name", name),)) for name in names)
    return Element("form", children=(*fields, Element("button", "Send")))


def table(*columns: str, rows: int = 1) -> Element:
    header = Element("row", children=tuple(Element("columnheader", each) for each in columns))
    row = Element("row", children=tuple(Element("cell", children=(Element("text", text="lorem"),)) for _ in columns))
    return Element("table", children=(header, *(row,) * rows))


def links(*names: str) -> tuple[Element, ...]:
    return tuple(Element("link", name, attributes=(("href", "/" + name.lower()),)) for name in names)


def kinds_of(*observations: Observation) -> list[str]:
    kinds = FoldedKinds()
    return [kinds.kind_of(each) for each in observations]


Pages = dict[str, list[Observation]]
"""Observations by what a person would call the page."""


def tracker() -> Pages:
    """Without headings. The list is the front page as well, can be filtered, and has nothing to sort if it is empty."""
    columns, export = ("Title", "Status", "Creator"), links("Export")
    mine = "Issues - Assigned to me - Tracker"
    return {
        "issues": [
            seen("/", form("sort"), table(*columns), *export, title="Issues - Tracker"),
            seen("/issue?who=me", form("sort"), table(*columns[:2]), *export, title=mine),
            seen("/issue?text=no", table(*columns, rows=0), *export, *links("Reset"), title="Issues - Tracker"),
        ],
        "search": [seen("/issue?do=search", form("text", "status"), title="Issue search - Tracker")],
        "new issue": [seen("/issue?do=new", form("title", "status"), title="New issue - Tracker")],
        "error": [seen("/issue?text=[", title="An error has occurred - Tracker")],
        "issue": [
            seen("/issue/1", form("title", "note"), title="Issue 1 - Tracker"),
            seen("/issue/2", form("title", "note", "deadline"), title="Issue 2 - Tracker"),
            seen("/issue/3", form("title", "note", "assignee"), title="Issue 3 - Tracker"),
        ],
    }


def shop() -> Pages:
    goods = ("Product", "Price")
    return {
        "product": [
            seen("/product/1", form("quantity"), heading="Teapot"),
            seen("/product/2", form("quantity"), *links("Reviews"), heading="Kettle"),
            seen("/product/3", form("quantity"), heading="Cup"),
        ],
        "cart": [seen("/cart", table(*goods), *links("Check out"), heading="Cart"), seen("/cart", heading="Cart")],
        "checkout": [
            seen("/checkout", table(*goods), form("street", "town"), heading="Checkout"),
            seen("/checkout", table(*goods), form("street", "town", "voucher"), heading="Checkout"),
        ],
        "order": [seen(f"/order/{number}", table(*goods), heading="Thank you") for number in (1, 2)],
    }


def wiki() -> Pages:
    def page(town: str, do: str, title: str, *parts: Element) -> Observation:
        return seen(f"/wiki?name={town}&do={do}", *parts, title=f"{title} - Wiki")

    towns = ("Oslo", "Bergen")
    return {
        "article": [page(town, "show", town, *links("Edit", "History")) for town in towns],
        "edit": [page(town, "edit", f"Editing {town}", form("text", "summary")) for town in towns],
        "history": [
            page(town, "history", f"History of {town}", table("Time", "Author"), *links("Compare")) for town in towns
        ],
    }


def admin_site() -> Pages:
    def listed(address: str, *columns: str, rows: int = 1) -> Observation:
        heading = f"Select {address.partition('?')[0]}"
        return seen(f"/admin/{address}", table("Name", *columns, rows=rows), *links("Add"), heading=heading)

    return {
        "users": [listed("user", "E-mail"), listed("user?page=2", "E-mail", "Active")],
        "groups": [listed("group"), listed("group?text=no", rows=0)],
        "add user": [seen("/admin/user/add", form("name", "password"), heading="User")],
        "edit user": [
            seen("/admin/user/7/change", form("name", "active"), heading="User"),
            seen("/admin/user/8/change", form("name", "active", "staff"), heading="User"),
        ],
    }


def single_page_application() -> Pages:
    """One title, no headings."""
    return {
        "users": [
            seen("/#/users", table("Name", "E-mail"), *links("Add"), title="Console"),
            seen("/#/users", table("Name", "E-mail"), *links("Add", "Undo"), title="Console"),
        ],
        "roles": [seen("/#/roles", table("Name"), *links("Add"), title="Console")],
        "user": [
            seen("/#/users/1", form("name"), title="Console"),
            seen("/#/users/2", form("name"), *links("Remove"), title="Console"),
        ],
        "settings": [
            seen("/#/settings", form("colour"), title="Console"),
            seen("/#/settings", form("colour", "size"), title="Console"),
        ],
    }


def wizard() -> Pages:
    """At one address, with one heading."""
    missing = Element("alert", "The street is missing")
    return {
        "name": [seen("/order", form("name"), *links("Next"), heading="Your order")],
        "address": [
            seen("/order", form("street", "town"), *links("Next", "Back"), heading="Your order"),
            seen("/order", missing, form("street", "town"), *links("Next", "Back"), heading="Your order"),
        ],
        "payment": [seen("/order", form("card"), *links("Back"), heading="Your order")],
    }


@pytest.mark.parametrize("application", [tracker, shop, wiki, admin_site, single_page_application, wizard])
@given(data=st.data())
@settings(deadline=None, max_examples=50)
def test_kinds_are_what_a_person_calls_a_page_in_any_sequence(
    application: Callable[[], Pages], data: st.DataObject
) -> None:
    pages = application()
    named = [(name, each) for name, observations in pages.items() for each in observations]
    met = data.draw(st.permutations(named))
    found = {(name, kind) for (name, _), kind in zip(met, kinds_of(*(each for _, each in met)), strict=True)}
    assert len(found) == len({kind for _, kind in found}) == len(pages)


@pytest.mark.parametrize("application", [tracker, shop, wiki, admin_site, single_page_application, wizard])
def test_a_kind_stays_the_same_when_its_pages_are_met_again(application: Callable[[], Pages]) -> None:
    once = list(chain.from_iterable(application().values()))
    found = kinds_of(*once, *once)
    assert found[: len(once)] == found[len(once) :]


def test_a_list_has_any_columns_at_an_address_where_it_was_seen() -> None:
    columns = ("Title", "Status"), ("Title", "Status", "Creator"), ("Title", "Priority"), ("Priority", "Deadline")
    listed = (seen("/issue?show", table(*each), heading="Issues") for each in columns)
    assert len(set(kinds_of(seen("/", table(*columns[0]), heading="Issues"), *listed))) == 1


def test_names_of_groups_of_rows_are_no_columns() -> None:
    def grouped(address: str, *groups: str) -> Observation:
        header = Element("row", children=(Element("columnheader", "Title"),))
        rows = (Element("row", children=(Element("columnheader", group),)) for group in groups)
        return seen(address, Element("table", children=(header, *rows)), title="Issues - Tracker")

    one, other = kinds_of(grouped("/", "urgent", "wish"), grouped("/issue", "done", "new"))
    assert one == other


def test_the_name_of_a_site_alone_does_not_make_two_pages_the_same() -> None:
    start, contact, offers = kinds_of(
        seen("/", *links("Log in"), heading="Shop"),
        seen("/contact", *links("Log in"), form("message"), heading="Shop"),
        seen("/offers", *links("Log in"), table("Product", "Price"), form("quantity"), heading="Offers"),
    )
    assert len({start, contact, offers}) == 3


def test_an_article_with_a_table_is_not_the_page_that_edits_it() -> None:
    show, edit = kinds_of(
        seen("/wiki/show", table("Year", "People"), *links("Edit"), title="Oslo - Wiki"),
        seen("/wiki/edit", form("text"), *links("Preview"), title="Oslo - Edit - Wiki"),
    )
    assert show != edit


def test_a_parameter_that_chooses_another_table_chooses_another_page() -> None:
    users, jobs, other_users = kinds_of(
        seen("/report?of=users", table("Name", "E-mail"), *links("Print"), heading="Users"),
        seen("/report?of=jobs", table("Started", "Host"), *links("Print"), heading="Jobs"),
        seen("/report?of=users&page=2", table("Name", "E-mail"), *links("Print"), heading="Users"),
    )
    assert users == other_users
    assert users != jobs


def test_scenes_with_the_same_form_are_told_apart_by_their_headings() -> None:
    scenes = (seen("/", form("search"), heading=each) for each in ("Notes", "Trash", "Archive"))
    assert len(set(kinds_of(*scenes))) == 3


def test_an_error_at_several_addresses_is_not_the_page_that_should_have_been_there() -> None:
    errors = [seen(f"/{of}/7", heading="Sorry") for of in ("books", "people")]
    first, second, person, book = kinds_of(*errors, seen("/people/8", heading="Ada"), seen("/books/8", heading="Emma"))
    assert first == second
    assert first not in (person, book)


@pytest.mark.parametrize(("heading", "is_data"), [("Ada", True), ("Ada's page", True), ("Adapter", False)])
def test_a_heading_shows_data_if_it_contains_the_words_of_a_row(heading: str, is_data: bool) -> None:
    names = Element("list", children=(Element("listitem", children=(Element("text", text="Ada"),)),))
    people = seen("/people", names, heading="People")
    grace = seen("/people/3", *links("Edit"), heading="Grace")
    _, first, second = kinds_of(people, grace, seen("/people/1", *links("Edit", "Remove"), heading=heading))
    assert (first == second) == is_data
