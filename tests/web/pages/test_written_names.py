"""Classes and methods are called as a person would call them."""

from dataclasses import replace

import pytest

from unknot.model.web.action import Action, FormField
from unknot.model.web.locator import Locator
from unknot.model.web.web_model import Component, Destination, PageAction, ValueList, WebModel, WebPage
from unknot.web.pages.writing.method_names import method_name
from unknot.web.pages.writing.written import written_pages


def text(label: str) -> FormField:
    return FormField(label, (Locator("textbox", label),))


def button(title: str, *fields: FormField, row: str = "") -> Action:
    return Action(title, title, title, (Locator("button", title),), fields, writes=True, row=row)


def link(name: str, href: str, *, row: str = "", title: str = "") -> Action:
    return Action(name, title or name, name, (Locator("link", name),), href=href, row=row, varies=bool(title))


@pytest.mark.parametrize(
    ("action", "name"),
    [
        (button("Add a new bill", text("What?")), "add_bill"),
        (button("Add", text("Category")), "add_category"),
        (button("Add", text("Title"), text("Author")), "add_book"),
        (button("Create", text("New list")), "create_list"),
        (button("Search", text("Search")), "search"),
        (button("Save", text("Title")), "save"),
        (button("Log in", text("Name"), text("Password")), "log_in"),
        (button("Submit", text("Title")), "edit_book"),
        (button("Remove", row="row"), "remove_book"),
        (button("Return", row="row"), "return_book"),
        (button("×"), "close"),
        (button("日本語"), "press_button"),
        (link("Create new", "/issues/new"), "create_issue"),
        (link("Create New", "keyword?@template=item"), "create_keyword"),
        (link("notes.txt", "file2/notes-7.txt", row="row", title="file*/notes-*.txt"), "open_notes_txt"),
        (link("Reading lists", "/lists"), "open_reading_lists"),
        (link("Add book", "/books/new"), "add_book"),
        (link("Emma", "/books/2", row="row", title="/books/*"), "open_book"),
        (link("Fiction", "/books?category=Fiction", row="row", title="/books?category"), "open_category"),
    ],
)
def test_methods_have_the_verb_of_the_button_and_what_it_acts_on(action: Action, name: str) -> None:
    assert method_name(action, ["book"], ["edit", "book"]) == name


def page(address: str, heading: str, template: str = "", visits: int = 2) -> WebPage:
    actions = (PageAction(button("Save", text(address)), 1, 1, (Destination(address),)),)
    return WebPage(address, "", address, template or address, visits, (heading,), actions, common_headings=(heading,))


@pytest.mark.parametrize(
    ("found", "name"),
    [
        (page("/books", "Books"), "BooksPage"),
        (page("/login", "Log in"), "LoginPage"),
        (page("/books/1", "*", "/books/*"), "BookPage"),
        (page("/books/1", "Emma", "/books/*", visits=1), "BookPage"),
        (page("/books/1/edit", "Edit *", "/books/*/edit"), "EditBookPage"),
        (page("/people/1", "Edit *", "/people/*"), "EditPersonPage"),
        (page("/books?category=1", "Books in *", "/books?category"), "BooksInCategoryPage"),
        (page("/", "Welcome to our beautiful library", "/"), "HomePage"),
        (page("/einstellungen", "Öffentliche Größen"), "OffentlicheGrossenPage"),
    ],
)
def test_pages_are_called_by_heading_or_address(found: WebPage, name: str) -> None:
    other = page("/elsewhere", "Elsewhere")
    assert written_pages(WebModel(found.kind, (found, other))).plan.class_of[found.kind] == name


def test_a_menu_gives_pages_their_names() -> None:
    menu = Component("navigation", "navigation", (PageAction(link("Bills", "/trip/"), 1, 1, (Destination("/trip/"),)),))
    found = WebPage("/trip/", "", "/trip/", "/trip/", 2, ("No bills",), components=("navigation",))
    written = written_pages(WebModel("/trip/", (found, page("/x", "X")), (menu,)))
    assert written.plan.class_of["/trip/"] == "BillsPage"


def test_a_button_that_opens_a_menu_names_no_page() -> None:
    opens = PageAction(button("Languages"), 1, 1, (Destination("/x"),))
    found = replace(page("/x", "Statistics"), components=("navigation",))
    written = written_pages(WebModel("/x", (found,), (Component("navigation", "navigation", (opens,), ("/x",)),)))
    assert written.plan.class_of["/x"] == "StatisticsPage"


def method_of(*actions: PageAction) -> str:
    """The code of the page with these actions."""
    found = WebPage("/books", "", "/books", "/books", 2, ("Books",), actions)
    return written_pages(WebModel("/books", (found,))).generated["_generated/books_page.py"]


def test_a_column_of_a_table_is_found_by_its_header() -> None:
    columns = (ValueList("Full name", ()), ValueList("List 15", (Locator("listitem", within=Locator("list")),)))
    found = WebPage("/x", "", "/x", "/x", 2, ("X",), values=columns)
    code = written_pages(WebModel("/x", (found,))).generated["_generated/x_page.py"]
    assert 'def full_names(self) -> list[str]:\n        return self._column("Full name")' in code
    assert "def lists(self) -> list[str]:" in code


def test_a_form_that_was_only_refused_says_so() -> None:
    action = button("Add", text("Title"), text("Year"))
    known = PageAction(action, 2, refusals=("Title is needed.", 'No "year".'))
    code = method_of(known)
    assert "def add_book(self, title: str, year: str) -> None:" in code
    assert '"""Refused 2 times by the application: No \'year\'."""' in code
    assert "def add_book" not in method_of(replace(known, refusals=()))


def test_data_in_the_name_of_a_button_is_no_part_of_what_it_is_found_by() -> None:
    action = replace(button("Edit *", row="row"), name="Edit Emma", locators=(Locator("button", "Edit Emma"),))
    code = method_of(PageAction(action, 1, 1, (Destination("/books"),)))
    assert 'self.row(name).get_by_role("button", name="Edit").click()' in code


def test_a_link_in_a_row_is_not_found_by_the_address_of_one_of_them() -> None:
    found = (Locator(attribute=("href", "/people/1")), Locator("link", "Edit", nth=1))
    action = replace(link("Edit", "/people/1", row="row"), locators=found)
    code = method_of(PageAction(action, 1, 1, (Destination("/books"),)))
    assert 'self.row(name).get_by_role("link", name="Edit", exact=True).click()' in code


def test_fields_of_a_link_to_data_are_not_looked_for_in_its_row() -> None:
    action = replace(link("Emma", "/books/2", row="row", title="/books/*"), fields=(text("Note"),))
    code = method_of(PageAction(action, 1, 1, (Destination("/books"),)))
    assert 'self.page.get_by_label("Note").fill(note)' in code


def test_fields_that_may_stay_as_they_are_have_a_default() -> None:
    role = FormField("Role", (Locator("combobox", "Role"),), "combobox", ("reader", "admin"))
    city = FormField("City", (Locator("combobox", "City"),), "combobox", ("Bonn", "Ulm"), varies=True)
    notes = FormField("Notes", (Locator("textbox", "Notes"),), is_filled=True)
    news = FormField("Newsletter", (Locator("checkbox", "Newsletter"),), "checkbox", ("on", "off"))
    action = button("Register", text("Name"), role, city, notes, news)
    found = WebPage("/x", "", "/x", "/x", 2, ("X",), (PageAction(action, 1, 1, (Destination("/x"),)),))
    code = written_pages(WebModel("/x", (found,))).generated["_generated/x_page.py"]
    assert (
        """\
    def register(
        self,
        name: str,
        *,
        role: Literal["reader", "admin"] | None = None,
        city: str | None = None,
        notes: str | None = None,
        newsletter: bool | None = None,
    ) -> Self:
"""
        in code
    )
