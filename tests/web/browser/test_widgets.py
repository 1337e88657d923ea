"""Widgets of all kinds in a real browser: what can be done with them, and how they are found again."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import Page as BrowserPage

from unknot.model.web.action import Action
from unknot.web.application.observation import Observation
from unknot.web.browser.browser_application import BrowserApplication, browser_locator
from unknot.web.browser.launch import launch
from unknot.web.crawl.actions import actions_of
from unknot.web.crawl.rejections import error_texts

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright, ["http://127.0.0.1:9"])
        yield browser
        browser.close()


class Page:
    """A page without a server."""

    def __init__(self, browser: Browser) -> None:
        self._body = ""
        self.application = BrowserApplication(browser, lambda: "about:blank", self._fill)
        self.in_browser: BrowserPage
        self.now: Observation

    def _fill(self, page: BrowserPage) -> None:
        self.in_browser = page
        page.set_content(self._body)

    def open(self, body: str) -> list[str]:
        self._body = f"<!doctype html><title>Page</title>{body}"
        self.now = self.application.reset()
        return self.names()

    def names(self) -> list[str]:
        return [each.name for each in actions_of(self.now.root)]

    def action(self, name: str) -> Action:
        return next(each for each in actions_of(self.now.root) if each.name == name)

    def do(self, name: str, **values: str) -> str:
        self.now = self.application.perform(self.action(name).step(values))
        assert not self.now.refusal
        return self.now.root.all_text()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = Page(browser)
    yield page
    page.application.close()


def test_a_menu_button_opens_a_menu_whose_items_are_actions(page: Page) -> None:
    names = page.open(
        """<button aria-haspopup=menu onclick="menu.hidden = false">File</button>
        <div role=menu id=menu hidden><div role=menuitem tabindex=0 onclick="out.textContent = 'saved'">Save</div></div>
        <p id=out></p>"""
    )
    assert names == ["File"]
    page.do("File")
    assert page.names() == ["File", "Save"]
    assert "saved" in page.do("Save")


def test_tabs_are_actions(page: Page) -> None:
    names = page.open(
        """<div role=tablist><button role=tab>One</button>
        <button role=tab onclick="out.textContent = 'two'">Two</button></div><p id=out></p>"""
    )
    assert names == ["One", "Two"]
    assert "two" in page.do("Two")


def test_a_box_with_a_list_that_is_made_of_buttons_is_clicked(page: Page) -> None:
    page.open(
        """<button role=combobox aria-expanded=false aria-controls=list aria-label=Colour
        onclick="list.hidden = false">Choose</button>
        <ul role=listbox id=list hidden><li role=option onclick="out.textContent = 'red'">Red</li></ul><p id=out></p>"""
    )
    page.do("Colour")
    assert "red" in page.do("Red")


def test_while_a_dialog_has_to_be_answered_nothing_else_can_be_used(page: Page) -> None:
    page.open(
        """<button onclick="box.showModal()">Ask</button><div onclick="1">Tile</div>
        <dialog id=box><h2>Sure?</h2><button onclick="box.close()">Yes</button></dialog>"""
    )
    page.do("Ask")
    assert page.names() == ["Yes"]
    page.do("Yes")
    assert "Ask" in page.names()
    assert page.open("<a href=/>Home</a><div role=dialog aria-modal=true><button>OK</button></div>") == ["OK"]


def test_what_only_shows_a_hand_listens_further_up(page: Page) -> None:
    page.open(
        """<div id=all><span style="cursor:pointer">Details</span></div><p id=out></p>
        <script>all.addEventListener("click", event => out.textContent = event.target.textContent + "!")</script>"""
    )
    assert "Details!" in page.do("Details")


def test_what_shows_under_the_pointer_is_an_action_with_its_name_and_form(page: Page) -> None:
    hidden, shown = (
        "li button, li form { visibility: hidden }",
        "li:hover button, li:hover form { visibility: visible }",
    )
    style = f"<style>{hidden} {shown}</style>"
    names = page.open(
        f"""{style}<ul><li>Ada <form onsubmit="out.textContent = 'gone'; return false"><input type=hidden name=x>
        <button>Remove</button></form></li></ul><div style="visibility:hidden"><button onclick=1>Never</button></div>
        <p id=out></p>"""
    )
    assert names == ["Remove", "Never"]
    assert "gone" in page.do("Remove")
    never = page.application.perform(page.action("Never").step({}))
    assert never.refusal == "it does not show when the pointer is there"


def test_of_several_that_show_under_the_pointer_each_is_found(page: Page) -> None:
    rows = "".join(
        f"<li>{name} <button onclick=\"out.textContent = '{name} is gone'\">Remove</button></li>"
        for name in ("Ada", "Ben", "Eva")
    )
    page.open(
        f"<style>li button {{ visibility: hidden }} li:hover button {{ visibility: visible }}</style><ul>{rows}</ul>"
        "<p id=out></p>"
    )
    for number, name in ((2, "Eva"), (0, "Ada"), (1, "Ben")):
        action = actions_of(page.now.root)[number]
        assert f"{name} is gone" in page.application.perform(action.step({})).root.all_text()


def test_what_is_folded_away_is_not_in_view(page: Page) -> None:
    names = page.open("<details><summary class=fold>More</summary><button>Inner</button> text</details>")
    assert names == ["More"]
    page.do("More")
    assert page.names() == ["More", "Inner"]
    page.do("More")
    assert page.names() == ["More"]
    # A search by role does not find it.
    assert not any(each.role for each in page.action("More").locators)


def test_a_second_click_to_confirm_enters_nothing_again(page: Page) -> None:
    page.open(
        """<form onsubmit="return false" onfocusin="if (event.target.localName == 'input') go.textContent = 'Delete'">
        <label>Code <input></label> <button id=go onclick="go.textContent == 'Sure?' ? out.textContent = 'gone' :
        out.textContent = 'asked'; go.textContent = 'Sure?'">Delete</button></form><p id=out></p>"""
    )
    assert "asked" in page.do("Delete", Code="x")
    assert "gone" in page.do("Sure?", Code="x")


def test_what_looks_dangerous_is_no_message(page: Page) -> None:
    page.open("<button class='btn btn-danger'>Remove</button><a class=alert href=/>Home</a><p class=error>Wrong</p>")
    assert list(error_texts(page.now.root)) == ["Wrong"]


def test_a_link_without_a_text_is_an_action(page: Page) -> None:
    page.open("""<a href="#edit" class="icon pen" style="display:block;width:9px;height:9px"></a>""")
    (link,) = actions_of(page.now.root)
    assert not page.application.perform(link.step({})).refusal


def test_text_that_can_be_edited_is_a_field(page: Page) -> None:
    page.open("<div contenteditable role=textbox aria-label=Note>old</div>")
    assert "new" in page.do("Note", Note="new")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("<input type=date>", "2026-02-03"),
        ("<input type=datetime-local>", "2026-02-03T10:30"),
        ("<input type=month>", "2026-02"),
        ("<input type=week>", "2026-W06"),
        ("<input type=time>", "10:30"),
        ("<input type=color>", "#00ff00"),
        ("<input type=number>", "7"),
        ("<input type=range max=9>", "7"),
    ],
)
def test_fields_of_every_type_are_filled_by_their_labels(field: str, value: str, page: Page) -> None:
    shows = """oninput="document.querySelector('#out').textContent = document.querySelector('input').value" """
    page.open(f"<label>Thing {field.replace('>', f' {shows}>')}</label><p id=out></p>")
    assert value in page.do("Thing", Thing=value)


def test_a_field_with_suggestions_takes_others_too(page: Page) -> None:
    page.open("<label>Town <input list=towns></label><datalist id=towns><option value=York><option>Hull</datalist>")
    (field,) = page.action("Town").fields
    assert field.options == ()
    assert field.constraint("list") == "York\nHull"


def test_every_locator_of_an_action_finds_it_in_the_browser(page: Page) -> None:
    page.open(
        """<nav aria-label=Top><a href=/a>Books</a></nav><main aria-label=Main><a href=/b>Books</a>
        <form aria-label=One><label>Name <input name=one placeholder="Your name"></label>
        <button data-testid=send>Go</button></form>
        <form aria-label=Two><label>Name <input name=two></label> <button>Go</button></form></main>"""
    )
    found = actions_of(page.now.root)
    locators = [each.locators for each in found] + [part.locators for each in found for part in each.fields]
    assert all(len(each) >= 2 for each in locators)
    for each in locators:
        places = {str(browser_locator(page.in_browser, one).bounding_box()) for one in each}
        assert len(places) == 1


def test_a_field_that_has_its_id_in_common_with_a_hidden_one_is_found(page: Page) -> None:
    """Playwright takes the labels of both for its name, the browser only its own."""
    page.open(
        "<form><label for=payer>Who paid?</label><select id=payer name=payer><option>Ann<option>Bob</select>"
        "<button type=button onclick=\"out.textContent = document.querySelector('select').value\">Save</button></form>"
        "<p id=out></p>"
        "<div style='display:none'><label for=payer>Payer</label><select id=payer><option>Any</select></div>"
    )
    assert "Bob" in page.do("Save", **{"Who paid?": "Bob"})
