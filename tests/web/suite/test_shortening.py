"""Drafts are made as short as what their last step needs."""

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from unknot.model.web.action import Action, FormField
from unknot.model.web.locator import Locator
from unknot.web.suite.draft import Check, CheckKind, Draft, DraftStep
from unknot.web.suite.known_ways import KnownWays
from unknot.web.suite.own_data import borrows, with_own_data
from unknot.web.suite.shortening import LONGEST, shortened


def press(name: str, kind: str = "A", leads_to: str = "A", **values: str) -> DraftStep:
    fields = tuple(FormField(label, (Locator("textbox", label),)) for label in values)
    action = Action(f"/button/{name}", name, name, (Locator("button", name),), fields)
    return DraftStep(kind, action, tuple(values.items()), leads_to)


def follow(kind: str, leads_to: str, row: str = "") -> DraftStep:
    name = row or f"to {leads_to}"
    action = Action(f"/link/{name}", name, name, (Locator("link", name),), href="/x", row="row" if row else "")
    return DraftStep(kind, action, (), leads_to)


def names_of(draft: Draft | None) -> list[str]:
    assert draft is not None
    return [each.action.name for each in draft.steps]


def short(draft: Draft, needed: Sequence[str], tried: list[Draft] | None = None) -> Draft | None:
    """It works if these are pressed before the last step, in this sequence."""

    def works(shorter: Draft) -> bool:
        if tried is not None:
            tried.append(shorter)
        names = iter(each.action.name for each in shorter.steps[:-1])
        return all(each in names for each in needed)

    return shortened(draft, "A", KnownWays(), works, lambda: True)


@given(st.integers(0, 12), st.data())
def test_exactly_what_is_needed_is_left(length: int, data: st.DataObject) -> None:
    steps = [press(str(place)) for place in range(length)]
    needed = [str(place) for place in range(length) if data.draw(st.booleans())]
    assert names_of(short(Draft((*steps, press("act"))), needed)) == [*needed, "act"]


@given(st.lists(st.sampled_from(("A", "B", "C")), min_size=1, max_size=8))
def test_links_are_the_shortest_way(pages: list[str]) -> None:
    kinds = ["A", *pages]
    links = [follow(one, other) for one, other in pairwise(kinds) if one != other]
    found = short(Draft((*links, press("act", kind=pages[-1]))), [])
    assert found is not None
    assert len(found.steps) == (1 if pages[-1] == "A" else 2 if follow("A", pages[-1]) in links else 3)


def test_the_step_that_enters_what_the_last_one_speaks_of_is_tried_first() -> None:
    tried: list[Draft] = []
    steps = (press("x", Other="Other 1"), press("add", Note="Note 7"), press("y"), press("find", Text="Note 7"))
    draft = Draft(steps, ("Other 1", "Note 7"))
    found = short(draft, ["add"], tried)
    assert names_of(tried[0]) == ["add", "find"]
    assert names_of(found) == ["add", "find"]
    assert found is not None
    assert found.data == ("Note 7",)


def test_a_choice_that_was_made_before_is_replaced_by_one_that_was_there() -> None:
    choice = FormField("Category", (Locator("combobox", "Category"),), "combobox", ("Fiction", "Category 3"))
    action = Action("/button/Add", "Add", "Add", (Locator("button", "Add"),), (choice,))
    act = DraftStep("A", action, (("Category", "Category 3"),), "A")
    found = short(Draft((press("add", Name="Category 3"), act), ("Category 3",)), [])
    assert found is not None
    assert found.steps[-1].values == (("Category", "Fiction"),)
    assert len(found.steps) == 1


def test_nothing_is_found_if_nothing_works() -> None:
    assert short(Draft((press("one"), press("act"))), ["nowhere"]) is None


def test_what_is_very_long_is_not_tried() -> None:
    tried: list[Draft] = []
    steps = tuple(press(str(place)) for place in range(2 * LONGEST))
    assert short(Draft((*steps, press("act"))), ["0"], tried) is None
    assert max(len(each.steps) for each in tried) <= LONGEST


def test_buttons_are_a_way_only_where_links_are_none() -> None:
    ways = KnownWays()
    link, button = follow("A", "B"), press("open", leads_to="B")
    assert ways.between("A", "B", [button, link]) == (link,)
    assert ways.between("A", "B", [button]) == (button,)
    assert ways.between("A", "C", [button]) is None


def test_a_test_of_what_was_there_can_use_what_another_makes() -> None:
    maker = Draft(
        (press("add", leads_to="Books", Title="Title 7"),), ("Title 7",), (Check(CheckKind.LISTED, "Title 7", "Title"),)
    )
    remove = Draft((follow("A", "Books"), follow("Books", "Book", row="Emma"), press("remove", kind="Book")))
    assert borrows(remove)
    (own,) = with_own_data(remove, [maker])
    assert names_of(own) == ["add", "Title 7", "remove"]
    assert own.steps[1].action.locators == (Locator("link", "Title 7"),)
    assert own.data == ("Title 7",)
    assert not borrows(own)
    assert list(with_own_data(maker, [maker])) == []
