"""Which pages of several sorts of applications are of the same kind: what a person would call the same page is, and what
behaves differently is not, in whatever sequence a crawl meets them."""

from itertools import permutations

import pytest

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


def actions(*names: str) -> tuple[Element, ...]:
    return tuple(Element("link", name, attributes=(("href", "/" + name.lower()),)) for name in names)


def kinds_of(*observations: Observation) -> list[str]:
    kinds = FoldedKinds()
    return [kinds.kind_of(each) for each in observations]


COLUMNS = ("Title", "Status", "Creator")
ISSUES = seen("/", form("sort"), table(*COLUMNS), *actions("Export"), title="Issues - Tracker")
MINE = seen(
    "/issue?who=me", form("sort"), table(*COLUMNS[:2]), *actions("Export"), title="Issues - Assigned to me - Tracker"
)
NONE = seen("/issue?text=none", table(*COLUMNS, rows=0), *actions("Export", "Redisplay"), title="Issues - Tracker")
SEARCH = seen("/issue?do=search", form("text", "status"), title="Issue search - Tracker")
NEW_ISSUE = seen("/issue?do=new", form("title", "status"), title="New issue - Tracker")
NO_SUCH = seen("/issue?text=[", title="An error has occurred - Tracker")

TRACKER = {"issues": (ISSUES, MINE, NONE), "search": (SEARCH,), "new": (NEW_ISSUE,), "error": (NO_SUCH,)}


@pytest.mark.parametrize("others", list(permutations([MINE, NONE, SEARCH, NEW_ISSUE, NO_SUCH])))
def test_a_list_of_a_tracker_is_one_page_sorted_empty_filtered_and_at_the_front(others: list[Observation]) -> None:
    met = [ISSUES, *others]
    found = dict(zip(map(id, met), kinds_of(*met), strict=True))
    names = [{found[id(each)] for each in pages} for pages in TRACKER.values()]
    assert [len(each) for each in names] == [1] * len(TRACKER)
    assert len(set.union(*names)) == len(TRACKER)


def test_a_list_is_the_same_page_with_other_columns_where_it_was_seen_before() -> None:
    listed = (
        seen("/issue?show", table(*columns), heading="Issues")
        for columns in (COLUMNS, ("Title", "Priority"), ("Priority", "Deadline", "Creator"))
    )
    assert len(set(kinds_of(seen("/", table(*COLUMNS), heading="Issues"), *listed))) == 1


def test_optional_fields_of_an_item_make_no_kind() -> None:
    def issue(number: int, *fields: str) -> Observation:
        return seen(f"/issue/{number}", form("title", *fields), title=f"Issue {number} - Tracker")

    assert len(set(kinds_of(issue(1), issue(2, "deadline"), issue(3, "assignee")))) == 1


def test_products_of_a_shop_are_one_page_and_cart_and_checkout_are_others() -> None:
    def product(number: int, name: str, *more: Element) -> Observation:
        return seen(f"/product/{number}", form("quantity"), *more, heading=name, title=f"{name} - Shop")

    goods = ("Product", "Price")
    first, second, sold_out, cart, checkout, paid = kinds_of(
        product(1, "Teapot"),
        product(2, "Kettle", *actions("Reviews")),
        seen("/product/3", heading="Kettle", title="Kettle - Shop"),
        seen("/cart", table(*goods), *actions("Checkout"), heading="Cart"),
        seen("/checkout", table(*goods), form("street", "town"), heading="Checkout"),
        seen("/order/1", table(*goods), heading="Thank you"),
    )
    assert first == second == sold_out
    assert len({first, cart, checkout, paid}) == 4


def test_the_name_of_a_shop_alone_does_not_make_two_pages_the_same() -> None:
    goods = ("Product", "Price")
    start, contact, offers = kinds_of(
        seen("/", *actions("Log in"), heading="Shop"),
        seen("/contact", *actions("Log in"), form("message"), heading="Shop"),
        seen("/offers", *actions("Log in"), table(*goods), form("quantity"), heading="Offers"),
    )
    assert len({start, contact, offers}) == 3


def test_articles_of_a_wiki_are_one_page_and_editing_them_is_another() -> None:
    def article(name: str, do: str, *parts: Element) -> Observation:
        return seen(f"/wiki?name={name}&do={do}", *actions("Edit", "History"), *parts, title=f"{name} - Wiki")

    oslo, bergen, editing, history = kinds_of(
        article("Oslo", "show"),
        article("Bergen", "show"),
        seen("/wiki?name=Oslo&do=edit", form("text", "summary"), title="Oslo - Edit - Wiki"),
        seen("/wiki?name=Oslo&do=history", table("Time", "Author"), *actions("Compare"), title="Oslo - History - Wiki"),
    )
    assert oslo == bergen
    assert len({oslo, editing, history}) == 3


def test_an_article_of_a_wiki_with_a_table_is_not_the_page_that_edits_it() -> None:
    show, edit = kinds_of(
        seen("/wiki/show", table("Year", "People"), *actions("Edit"), title="Oslo - Wiki"),
        seen("/wiki/edit", form("text"), *actions("Preview"), title="Oslo - Edit - Wiki"),
    )
    assert show != edit


def test_steps_of_a_wizard_with_other_forms_or_headings_are_pages_of_their_own() -> None:
    fields = (("name",), ("street", "town"), ("card",))
    by_form = kinds_of(*(seen("/order", form(*each), *actions("Back"), heading="Your order") for each in fields))
    by_heading = kinds_of(*(seen("/order", form("text"), heading=each) for each in ("Address", "Message", "Review")))
    assert len(set(by_form)) == len(set(by_heading)) == 3


def test_lists_of_an_admin_site_are_told_apart_and_so_are_adding_and_editing() -> None:
    def listed(name: str, *columns: str) -> Observation:
        return seen(f"/admin/{name}", table("Name", *columns), *actions("Add", "Export"), heading=f"Select {name}")

    users, groups, more_users, add, edit, other = kinds_of(
        listed("user", "E-mail"),
        listed("group"),
        seen("/admin/user?page=2", table("Name", "E-mail", "Active"), *actions("Add", "Export"), heading="Select user"),
        seen("/admin/user/add", form("name", "password"), heading="User"),
        seen("/admin/user/7/change", form("name", "active"), heading="User"),
        seen("/admin/user/8/change", form("name", "active", "staff"), heading="User"),
    )
    assert users == more_users
    assert edit == other
    assert len({users, groups, add, edit}) == 4


def test_lists_at_one_address_that_a_parameter_chooses_are_told_apart_by_heading_and_columns() -> None:
    users, jobs, other_users = kinds_of(
        seen("/report?of=users", table("Name", "E-mail"), *actions("Print"), heading="Users"),
        seen("/report?of=jobs", table("Started", "Host"), *actions("Print"), heading="Jobs"),
        seen("/report?of=users&page=2", table("Name", "E-mail"), *actions("Print"), heading="Users"),
    )
    assert users == other_users
    assert users != jobs


def test_views_of_a_single_page_application_with_one_title_are_told_apart() -> None:
    users = seen("/#/users", table("Name", "E-mail"), *actions("Add"), title="Console")
    roles = seen("/#/roles", table("Name"), *actions("Add"), title="Console")
    settings = seen("/#/settings", form("colour"), title="Console")
    assert len(set(kinds_of(users, roles, settings))) == 3
    scenes = (seen("/", form("search"), heading=each) for each in ("Notes", "Trash", "Archive"))
    assert len(set(kinds_of(*scenes))) == 3


def test_an_error_at_several_addresses_is_not_the_page_that_should_have_been_there() -> None:
    errors = [seen(f"/{of}/7", heading="Sorry") for of in ("books", "people")]
    first, second, person, book = kinds_of(*errors, seen("/people/8", heading="Ada"), seen("/books/8", heading="Emma"))
    assert first == second
    assert first not in (person, book)


def test_a_heading_contains_data_only_as_whole_words() -> None:
    names = Element("list", children=(Element("listitem", children=(Element("text", text="Ada"),)),))
    people = seen("/people", names, heading="People")
    ada, adapter = (
        seen(f"/people/{number}", *actions("Edit", more), heading=heading)
        for number, heading, more in ((1, "Ada", "Remove"), (2, "Adapter", "Install"))
    )
    _, first, second = kinds_of(people, seen("/people/3", *actions("Edit"), heading="Grace"), ada)
    assert first == second
    _, first, second = kinds_of(people, seen("/people/3", *actions("Edit"), heading="Grace"), adapter)
    assert first != second
