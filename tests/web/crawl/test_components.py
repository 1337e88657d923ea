"""Parts that many kinds of pages share without a role that says so."""

from unknot.model.web.action import Action, FormField
from unknot.model.web.element import Element
from unknot.web.application.observation import Observation
from unknot.web.crawl.components import SharedComponents
from unknot.web.crawl.crawl import PageReader
from unknot.web.crawl.explorer import ChosenStep
from unknot.web.crawl.kinds import FoldedKinds
from unknot.web.crawl.model_builder import ModelBuilder
from unknot.web.crawl.trace import TakenStep


def link(name: str, href: str) -> Action:
    return Action(f"/link/{name}", name, name, (), href=href)


def button(name: str) -> Action:
    return Action(f"/button/{name}", name, name, ())


def search(sends_to: str) -> Action:
    return Action("/button/Search(Words)", "Search", "Search", (), (FormField("Words", ()),), sends_to=sends_to)


MENU = (link("Issues", "/issues"), link("Users", "/users"))


def test_links_side_by_side_on_three_kinds_of_pages_are_a_menu() -> None:
    components = SharedComponents()
    for kind in ("one", "two"):
        assert components.mark(kind, MENU) == MENU
    issues, users, own = components.mark("three", (*MENU, link("Own", "/own")))
    assert (issues.key, users.key) == ("menu/link/Issues", "menu/link/Users")
    assert issues.is_shared
    assert not own.is_shared


def test_what_was_seen_many_times_on_one_kind_of_page_is_its_own() -> None:
    components = SharedComponents()
    for _ in range(5):
        assert components.mark("one", MENU) == MENU


def test_single_links_buttons_and_links_with_other_addresses_are_left_to_their_pages() -> None:
    components = SharedComponents()
    for kind in ("a", "b", "c", "d"):
        actions = (link("Back", "/list"), button("Save"), link("Edit", f"/{kind}/edit"), link("New", f"/{kind}/new"))
        assert components.mark(kind, actions) == actions


def test_a_form_on_three_kinds_of_pages_is_a_component() -> None:
    components = SharedComponents()
    marked = [components.mark(kind, (search("/find"),)) for kind in ("a", "b", "c")]
    assert [each.key for each in marked[-1]] == ["search form/button/Search(Words)"]


def test_forms_that_are_sent_to_the_page_that_has_them_are_its_own() -> None:
    components = SharedComponents()
    for kind in ("a", "b", "c", "d"):
        for form in (search(""), search(f"/{kind}")):
            assert components.mark(kind, (form,)) == (form,)


def test_the_model_counts_for_a_component_what_was_done_before_it_was_known() -> None:
    def page(name: str) -> Observation:
        links = [Element("link", each, attributes=(("href", f"/{each}"),)) for each in ("issues", "users")]
        return Observation(
            f"http://localhost/{name}", name, Element("document", children=(Element("heading", name), *links))
        )

    reader, model = PageReader(FoldedKinds()), ModelBuilder()
    before = None
    for name in ("start", "issues", "users", "about"):
        view = reader.view(page(name))
        model.add(TakenStep(before, None if before is None else ChosenStep(before.actions[0]), view))
        before = view
    (menu,) = model.model().components
    assert menu.name == "menu"
    assert sorted(menu.pages) == ["/about", "/issues", "/start", "/users"]
    assert [each.tries for each in menu.actions] == [3, 0]
    assert all(not each.actions for each in model.model().pages)


def test_a_link_that_is_in_a_menu_too_stays_an_action_of_its_page() -> None:
    link = Element("link", "Issues", attributes=(("href", "/issues"),))
    root = Element("document", children=(Element("navigation", children=(link,)), Element("main", children=(link,))))
    model = ModelBuilder()
    reader = PageReader(FoldedKinds())
    model.add(TakenStep(None, None, reader.view(Observation("http://localhost/", "Start", root))))
    (start,) = model.model().pages
    assert [each.action.key for each in start.actions] == ["/link/Issues"]
    assert [each.action.key for each in model.model().components[0].actions] == ["navigation/link/Issues"]
