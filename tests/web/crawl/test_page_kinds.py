"""Which observations are of the same kind of page."""

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from web.crawl.noisy_sites import Mailbox, Weather, Wizard

from unknot.model.web.element import Element
from unknot.web.application.observation import Observation
from unknot.web.crawl.crawl import PageReader, crawl
from unknot.web.crawl.kinds import FoldedKinds
from unknot.web.crawl.promising import PromisingFirst
from unknot.web.crawl.random_walk import RandomWalk
from unknot.web.simulated.simulated_application import SimulatedApplication
from unknot.web.simulated.site import Site
from unknot.web.simulated.trello import Trello

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


def kinds_of(*observations: Observation, typed: Sequence[str] = ()) -> list[str]:
    kinds = FoldedKinds()
    kinds.typed(typed)
    return [kinds.kind_of(each) for each in observations]


def test_rows_and_numbers_in_addresses_are_data() -> None:
    one, other = kinds_of(seen("/books/1", rows(1)), seen("/books/2?page=3", rows(5), heading="Emma"))
    assert one == other


def test_other_forms_make_another_kind() -> None:
    one, other = kinds_of(seen("/books", form("Title")), seen("/books", form("Author", "Year")))
    assert one != other


def test_fields_that_come_and_go_make_no_kind() -> None:
    one, other = kinds_of(seen("/books", form("Title")), seen("/books", form("Title", "Year")))
    assert one == other


def test_a_form_that_only_some_users_see_makes_no_kind() -> None:
    one, other = kinds_of(seen("/books", form("Title")), seen("/books"))
    assert one == other


def test_a_form_without_fields_is_a_button_and_makes_no_kind() -> None:
    one, other = kinds_of(seen("/books/1", form()), seen("/books/1"))
    assert one == other


def test_a_filtered_list_is_the_list() -> None:
    books = seen("/books", form("Search"))
    fiction = seen("/books?category=Fiction", form("Search"), heading="Books in Fiction")
    one, other = kinds_of(books, fiction)
    assert one == other


def test_parameters_may_choose_another_page() -> None:
    one, other = kinds_of(
        seen("/issue?do=search", form("Search"), heading="Search"),
        seen("/issue?do=new", form("Search", "Title"), heading="New issue"),
    )
    assert one != other


def test_an_error_at_the_address_of_another_page_is_a_page_of_its_own() -> None:
    details = seen("/books/1", form("Note"), heading="Emma")
    errors = [seen("/books/2", heading="Sorry"), seen("/people/7/remove", heading="Sorry")]
    first, *others = kinds_of(details, *errors)
    assert first not in others
    assert len(set(others)) == 1


def test_a_form_that_is_shown_again_at_another_address_is_the_same_page() -> None:
    empty = seen("/books/new", form("Title"), heading="Add book")
    wrong = seen("/books", Element("alert", "Title is missing"), form("Title"), heading="Add book")
    one, _, other = kinds_of(empty, seen("/books", form("Search")), wrong)
    assert one == other


def test_scenes_of_one_address_are_told_apart_by_their_headings() -> None:
    notes, trash = (seen("/", heading=heading) for heading in ("Notes", "Trash"))
    assert kinds_of(notes, trash, notes) == ["/", "/ (2)", "/"]


def test_a_heading_that_shows_what_was_typed_is_data() -> None:
    kinds = FoldedKinds()
    before = kinds.kind_of(seen("/books/1/edit", heading="Edit Emma"))
    kinds.typed(["Ulysses [1922]"])
    assert kinds.kind_of(seen("/books/1/edit", heading="Edit Ulysses [1922]")) == before
    assert kinds.kind_of(seen("/books/1/edit", heading="Sorry")) != before


def test_a_part_of_the_address_that_was_typed_is_data() -> None:
    one, other = (seen(f"/{trip}/bills", form("Payer"), heading=trip) for trip in ("oslo-trip", "summer-trip"))
    assert len(set(kinds_of(one, other, typed=["Oslo trip", "Summer trip"]))) == 1


def test_a_dialog_is_a_part_of_the_page_below() -> None:
    dialog = Element("dialog", children=(Element("heading", "Add"), form("Title")))
    page = seen("/books", form("Search"))
    alone = Observation(page.address, "Books", Element("document", children=(dialog,)))
    assert len(set(kinds_of(page, seen("/books", form("Search"), dialog), alone))) == 1


def test_the_same_page_in_another_language_is_the_same_page() -> None:
    def login(heading: str, label: str) -> Observation:
        field = Element("textbox", label, attributes=(("name", "user"),))
        return seen("/login", Element("form", children=(field,)), heading=heading)

    one, other, third = kinds_of(login("Log in", "Name"), login("Anmelden", "Benutzer"), login("Sorry", "Name"))
    assert one == other
    assert one != third


def test_what_differs_between_twins_makes_no_kind() -> None:
    kinds = FoldedKinds()
    first, second = (seen("/", form("Name"), heading=f"Hello on {day}") for day in ("Monday", "Tuesday"))
    assert kinds.wants_twin(first)
    before = kinds.kind_of(replace(first, again=second.root))
    assert not kinds.wants_twin(first)
    assert kinds.kind_of(seen("/", form("Name"), heading="Hello on Friday")) == before
    assert kinds.kind_of(seen("/", form("Name"), heading="Goodbye")) != before


@pytest.mark.parametrize("site", [Trello, Weather, Mailbox])
@pytest.mark.parametrize("seed", range(2))
def test_simulated_sites_have_exactly_their_pages(site: type[Site], seed: int) -> None:
    application = SimulatedApplication(site)
    steps = list(crawl(application, PromisingFirst(seed), PageReader(FoldedKinds()), lambda: application.seconds < 400))
    found = {(step.after.kind, step.after.observation.title) for step in steps}
    pages = {page for each in site.actions() for page in each.pages}
    assert {page for _, page in found} == pages
    assert len(found) == len(pages) == len({kind for kind, _ in found})


def test_pages_that_look_the_same_and_behave_differently_are_split() -> None:
    application = SimulatedApplication(Wizard)
    steps = list(crawl(application, RandomWalk(0), PageReader(FoldedKinds()), lambda: application.seconds < 100))
    late = [step.after for step in steps[len(steps) // 2 :]]
    last = {view.kind for view in late if view.observation.title == "Step 3 of 3"}
    first = {view.kind for view in late if view.observation.title == "Step 1 of 3"}
    assert len(last) == 1
    assert not last & first


names = st.sampled_from(["Title", "Year", "Author", "Note"])
pages = st.builds(
    lambda address, labels, count, heading: seen(address, form(*labels), rows(count), heading=heading),
    st.sampled_from(["/books", "/books/1", "/people", "/login"]),
    st.lists(names, max_size=3),
    st.integers(0, 4),
    st.sampled_from(["Books", "Emma", "Sorry"]),
)


@given(st.lists(pages, min_size=1, max_size=8))
@settings(deadline=None)
def test_the_same_observations_in_the_same_order_have_the_same_kinds(given_pages: list[Observation]) -> None:
    assert kinds_of(*given_pages) == kinds_of(*given_pages)


@given(st.lists(pages, min_size=1, max_size=8), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_order_of_elements_and_the_number_of_rows_count_for_nothing(
    given_pages: list[Observation], chance: random.Random
) -> None:
    def shuffled(observation: Observation) -> Observation:
        (main,) = observation.root.children
        parts = [each for each in main.children if each.role != "table"] + [rows(chance.randrange(5))]
        chance.shuffle(parts)
        return replace(observation, root=replace(observation.root, children=(replace(main, children=tuple(parts)),)))

    assert kinds_of(*map(shuffled, given_pages)) == kinds_of(*given_pages)
