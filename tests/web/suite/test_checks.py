"""What can be checked after a step, by what was in view before and after it."""

from unknot.model.web.action import Action, FormField
from unknot.model.web.element import ERROR, TEXT, Element
from unknot.model.web.locator import Locator
from unknot.web.application.observation import Observation
from unknot.web.crawl.crawl import PageReader
from unknot.web.crawl.kinds import KindByTitle
from unknot.web.crawl.view import View
from unknot.web.suite.checks import candidates, strongest
from unknot.web.suite.draft import Check, CheckKind, Draft, DraftStep


def page(title: str, notes: tuple[str, ...] | None = None, *beside: Element, address: str = "") -> View:
    items = tuple(Element("listitem", children=(Element(TEXT, text=each),)) for each in notes or ())
    lists = () if notes is None else (Element("list", "notes", children=items),)
    root = Element("document", children=(*lists, *beside))
    return PageReader(KindByTitle()).view(Observation(f"http://simulated/{address}", title, root))


def status(text: str) -> Element:
    return Element("status", children=(Element(TEXT, text=text),))


def field(value: str) -> Element:
    return Element("textbox", "Name", tag="input", value=value)


def act(*values: tuple[str, str], href: str = "", before: str = "") -> Draft:
    fields = tuple(FormField(label, (Locator("textbox", label),), value=before) for label, _ in values)
    action = Action("/button/Add", "Add", "Add", (Locator("button", "Add"),), fields, href)
    return Draft((DraftStep("Notes", action, values, "Notes"),), tuple(value for _, value in values))


ADD = act(("Note", "Note 7"))


def test_a_value_that_is_listed_now_and_the_number_of_values() -> None:
    found = candidates(ADD, page("Notes", ("milk",)), page("Notes", ("milk", "Note 7")))
    assert found == (Check(CheckKind.LISTED, "Note 7", "notes"), Check(CheckKind.COUNT, "", "notes", 1))


def test_a_value_that_was_there_before_is_no_check() -> None:
    assert candidates(ADD, page("Notes", ("Note 7",)), page("Notes", ("Note 7",))) == ()


def test_a_value_that_is_gone() -> None:
    found = candidates(ADD, page("Notes", ("milk", "Note 7")), page("Notes", ("milk",)))
    assert found == (Check(CheckKind.COUNT, "", "notes", -1), Check(CheckKind.GONE, "Note 7", "notes"))


def test_a_list_that_is_on_another_page_says_nothing_of_what_is_gone() -> None:
    found = candidates(ADD, page("Notes", ("milk", "Note 7")), page("Thanks"))
    assert found == (Check(CheckKind.PAGE, "Thanks"),)


def test_a_message_comes_first_and_the_page_last() -> None:
    found = candidates(ADD, page("Notes", ()), page("Thanks", ("Note 7",), status("Note 7 was added.")))
    assert [each.kind for each in found] == [CheckKind.MESSAGE, CheckKind.LISTED, CheckKind.PAGE]


def test_a_message_with_numbers_that_are_no_data_is_of_another_day() -> None:
    found = candidates(ADD, page("Notes"), page("Notes", None, status("Added at 12:30"), status("Note 7 is your 3rd")))
    assert found == ()


def test_an_error_may_say_which_numbers_are_allowed() -> None:
    allowed = "Year must be a number between 1450 and 2100"
    alert = Element("alert", children=(Element(TEXT, text=allowed),))
    for shown in (alert, Element(TEXT, text=allowed, states=frozenset({ERROR}))):
        assert candidates(ADD, page("Notes"), page("Notes", None, shown)) == (Check(CheckKind.MESSAGE, allowed),)
    late = Element("alert", children=(Element(TEXT, text="The session ended at 12:30"),))
    assert candidates(ADD, page("Notes"), page("Notes", None, late)) == ()


def test_other_texts_are_messages_only_if_they_speak_of_the_data() -> None:
    texts = (Element(TEXT, text="Welcome back"), Element(TEXT, text="You wrote Note 7"))
    assert candidates(ADD, page("Notes"), page("Notes", None, *texts)) == (
        Check(CheckKind.MESSAGE, "You wrote Note 7"),
    )


def test_what_the_page_marks_as_a_message_comes_before_what_speaks_of_the_data() -> None:
    beside = (Element(TEXT, text="You wrote Note 7"), status("Saved."))
    found = candidates(ADD, page("Notes"), page("Notes", None, *beside))
    assert [each.text for each in found] == ["Saved.", "You wrote Note 7"]


def test_how_many_a_search_or_a_link_shows_is_no_check() -> None:
    before, after = page("Notes", ("milk", "eggs")), page("Notes", ("milk",), address="?q=Note+7")
    assert candidates(ADD, before, after) == ()
    assert candidates(act(href="/notes"), before, page("Notes", ("milk",))) == ()


def test_a_field_counts_if_it_held_something_else() -> None:
    before, after = page("Notes", None, field("Ada")), page("Notes", None, field("Emma 2"))
    assert candidates(act(("Name", "Emma 2"), before="Ada"), before, after) == (
        Check(CheckKind.FIELD, "Emma 2", "Name"),
    )
    assert candidates(act(("Name", "Emma 2")), page("Notes", None, field("")), after) == ()


def test_of_many_checks_four_are_kept_and_the_page_only_beside_one() -> None:
    texts = [Check(CheckKind.MESSAGE, "a"), Check(CheckKind.MESSAGE, "b")]
    listed = [Check(CheckKind.LISTED, text, "notes") for text in "abc"]
    count, last = Check(CheckKind.COUNT, "", "notes", 1), Check(CheckKind.PAGE, "Notes")
    assert strongest([*texts, *listed, count, last]) == (texts[0], listed[0], listed[1], count)
    assert strongest([texts[0], last]) == (texts[0], last)
    assert strongest([texts[0], count, last]) == (texts[0], count)
