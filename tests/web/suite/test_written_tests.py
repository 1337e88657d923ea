"""What a person reads: the text of written tests, for a library with books."""

import ast
from dataclasses import replace

from unknot.model.web.action import Action, FormField
from unknot.model.web.locator import Locator
from unknot.model.web.web_model import Component, Destination, PageAction, ValueList, WebModel, WebPage
from unknot.web.pages.writing.written import written_pages
from unknot.web.suite.draft import Check, CheckKind, Draft, DraftStep
from unknot.web.suite.writing.written_suite import WrittenTest, effects_of, written_tests

TITLE, YEAR = (FormField(name, (Locator("textbox", name),), required=True) for name in ("Title", "Year"))
ADD = Action("/button/Add", "Add", "Add", (Locator("button", "Add"),), (TITLE, YEAR), writes=True)
OPEN = Action("banner/link/Books", "Books", "Books", (Locator("link", "Books"),), href="/books", is_shared=True)
NEW = Action("/link/Add book", "Add book", "Add book", (Locator("link", "Add book"),), href="/books/new")
REMOVE = Action("/row/button/Remove", "Remove", "Remove", (Locator("button", "Remove", nth=0),), row="row")
MODEL = WebModel(
    "/",
    (
        WebPage("/", "Home", "/", "/", 2, ("Welcome to the library",), components=("banner",)),
        WebPage(
            "/books", "Books", "/books", "/books", 5, ("Books",),
            (PageAction(NEW, 1, 1, (Destination("/books/new"),)), PageAction(REMOVE, 1, 1, (Destination("/books"),))),
            ("banner",), (ValueList("Title", ()),),
        ),
        WebPage(
            "/books/new", "Add book", "/books/new", "/books/new", 3, ("Add book",),
            (PageAction(ADD, 3, 1, (Destination("/books"),), refusals=("Year must be a number.",)),), ("banner",),
        ),
    ),
    (
        Component(
            "banner", "banner", (PageAction(OPEN, 1, 1, (Destination("/books"),)),), ("/", "/books", "/books/new")
        ),
    ),
)  # fmt: skip
TO_BOOKS = DraftStep("/", OPEN, (), "/books")
TO_FORM = DraftStep("/books", NEW, (), "/books/new")
ADDED = DraftStep("/books/new", ADD, (("Title", "Ferry 41"), ("Year", "1999")), "/books")
REFUSED = DraftStep("/books/new", ADD, (("Title", "Ferry 41"), ("Year", "soon")), "/books/new")
IN_ROW = Locator("button", "Remove", within=Locator("row", text="Ferry 41"))
REMOVED = DraftStep("/books", replace(REMOVE, locators=(IN_ROW,)), (), "/books")
LISTED = Check(CheckKind.LISTED, "Ferry 41", "Title")
SAID = Check(CheckKind.MESSAGE, "Year must be a number.")


def written(*drafts: Draft) -> tuple[WrittenTest, ...]:
    found = written_tests(MODEL, written_pages(MODEL).plan, drafts)
    assert not found.left_out
    return found.tests


def draft(*steps: DraftStep, checks: tuple[Check, ...]) -> Draft:
    return Draft(steps, ("Ferry 41",), checks)


def test_what_was_added_is_listed() -> None:
    (test,) = written(draft(TO_BOOKS, TO_FORM, ADDED, checks=(LISTED, Check(CheckKind.COUNT, "", "Title", 1))))
    assert test.file == "test_add_book.py"
    assert "\n".join(test.lines) == (
        "def test_add_book_shows_it_in_the_list(page: Page) -> None:\n"
        "    books = HomePage(page).header.open_books()\n"
        "    before = len(books.titles)\n"
        "    form = books.add_book()\n"
        "\n"
        '    form.add_book(title="Ferry 41", year="1999")\n'
        "\n"
        '    assert "Ferry 41" in books.titles\n'
        "    assert len(books.titles) == before + 1"
    )


def test_a_long_assertion_is_split_at_its_operator_whatever_the_value_says() -> None:
    for value in ("one not in two and three in four " * 3, "a" * 90):
        (test,) = written(draft(TO_BOOKS, TO_FORM, ADDED, checks=(Check(CheckKind.GONE, value, "Title"),)))
        assert test.lines[-4:] == (
            "    assert (", f'        "{value}"', "        not in books.titles", "    )"
        )  # fmt: skip
        ast.parse("\n".join(test.lines))


def test_what_is_refused_is_tried() -> None:
    (test,) = written(draft(TO_BOOKS, TO_FORM, REFUSED, checks=(SAID,)))
    assert test.name == "test_add_book_with_wrong_year_is_refused"
    assert '    form.try_to_add_book(title="Ferry 41", year="soon")' in test.lines
    assert test.lines[-1] == '    expect(page.get_by_text("Year must be a number.").first).to_be_visible()'


def test_a_row_is_named_by_its_text() -> None:
    gone = Check(CheckKind.GONE, "Ferry 41", "Title")
    (test,) = written(draft(TO_BOOKS, TO_FORM, ADDED, REMOVED, checks=(gone,)))
    assert test.name == "test_remove_book_takes_it_off_the_list"
    assert test.file == "test_books.py"
    assert '    books.remove_book("Ferry 41")' in test.lines
    assert test.lines[-1] == '    assert "Ferry 41" not in books.titles'


def test_a_page_that_follows_is_the_check_if_there_is_no_other() -> None:
    (test,) = written(draft(TO_BOOKS, checks=(Check(CheckKind.PAGE, "/books"),)))
    assert test.name == "test_open_books_leads_to_books_page"
    assert test.lines[-1] == "    expect(books.recognised_by).to_be_visible()"


def test_what_page_objects_cannot_do_or_see_is_left_out_with_the_reason() -> None:
    unknown = DraftStep("/books", replace(NEW, key="/link/Other"), (), "/books/new")
    found = written_tests(
        MODEL,
        written_pages(MODEL).plan,
        [
            draft(TO_BOOKS, unknown, checks=(SAID,)),
            draft(TO_BOOKS, checks=(Check(CheckKind.GONE, "Ferry 41", "Reader"),)),
        ],
    )
    assert found.tests == ()
    assert dict(found.left_out) == {
        "BooksPage has no method for it": 1,
        "the page objects see nothing of what it checks": 1,
    }


def test_a_page_on_the_way_is_covered_by_what_passes_through_it() -> None:
    visit, add, refused = written(
        draft(TO_BOOKS, checks=(Check(CheckKind.PAGE, "/books"),)),
        draft(TO_BOOKS, TO_FORM, ADDED, checks=(LISTED,)),
        draft(TO_BOOKS, TO_FORM, REFUSED, checks=(SAID,)),
    )
    assert effects_of(visit) < effects_of(add)
    assert not effects_of(refused) <= effects_of(add)
