"""When a login counts as lost."""

from unknot.model.web.element import Element
from unknot.web.application.login_form import LoginWatch, login_forms

NAME = Element("textbox", "Name")


def password(label: str) -> Element:
    return Element("textbox", label, attributes=(("type", "Password"),))


def form(*fields: Element) -> Element:
    return Element("form", children=(*fields, Element("button", "OK")))


def page(*children: Element) -> Element:
    return Element("document", children=children)


LOGIN = form(NAME, password("Password"))
CHANGE = form(password("Old"), password("New"))
SEARCH = form(Element("searchbox", "Search"))


def watch(before: Element, after: Element) -> LoginWatch:
    made = LoginWatch()
    made.logged_in(before, after)
    return made


def test_it_is_lost_when_its_form_is_back_on_whichever_page() -> None:
    watched = watch(page(LOGIN, SEARCH), page(SEARCH))
    assert watched.is_lost(page(Element("heading", "Sorry"), LOGIN))
    assert not watched.is_lost(page(SEARCH))


def test_another_form_with_a_password_is_no_loss() -> None:
    assert not watch(page(LOGIN), page()).is_lost(page(CHANGE))


def test_a_form_that_is_still_there_after_the_login_says_nothing() -> None:
    assert not watch(page(LOGIN), page(LOGIN)).is_lost(page(LOGIN))


def test_fields_outside_of_forms_count_as_one() -> None:
    loose = page(NAME, password("Password"), SEARCH)
    assert login_forms(loose) == {(("textbox", "Name"), ("textbox", "Password"))}
    assert watch(loose, page(SEARCH)).is_lost(loose)


def test_a_page_without_a_password_has_no_login_form() -> None:
    assert login_forms(page(SEARCH, NAME)) == frozenset()
