"""Models of web applications: one with everything, and any that Hypothesis can think of."""

from hypothesis import strategies as st

from unknot.model.web.action import Action, FormField
from unknot.model.web.locator import Locator
from unknot.model.web.web_model import (
    Component,
    Destination,
    Guard,
    PageAction,
    ValueList,
    WebModel,
    WebPage,
)

SAVE = Locator("button", "Save")
MEMBER = FormField("Payer", (Locator("combobox", "Payer"),), "combobox", ("Ada", "Bo"), required=True)
AMOUNT = FormField("Amount", (Locator("textbox", "Amount"),), constraints=(("type", "number"), ("min", "0")))
NOTE = FormField("Note", (Locator(attribute=("id", "note")), Locator("textbox", "", None, "", Locator("form"), 2)))
ADD_BILL = PageAction(
    Action("main/button/Save(Payer, Amount, Note)", "Save", "Save", (SAVE, Locator("button", nth=1)),
           (MEMBER, AMOUNT, NOTE), writes=True),
    tries=12,
    worked=9,
    destinations=(
        Destination("/bills", 7, (("Payer", "Ada"), ("Amount", "5.50"))),
        Destination("/bills/new", 2),
    ),
    guard=Guard("needs `Payer` in the list `members`", 9, 3, "Payer", "members"),
    refusals=("Choose a payer.",),
)  # fmt: skip
HOME_LINK = PageAction(
    Action("navigation/link/Home", "Home", "Home", (Locator("link", "Home"),), href="/", is_shared=True),
    4, 4, (Destination("/", 4),),
)  # fmt: skip
LOG_OUT = PageAction(
    Action("navigation/link/Log out", "Log out", "Log out", (Locator("link", "Log out"),), (), "/exit", False, True),
    spared="logs out",
)  # fmt: skip
BILLS = WebPage("/bills", "Bills · Money", "/bills", "/bills", 30, ("Bills",), (), ("navigation",))
NEW_BILL = WebPage(
    "/bills/new", "New bill · Money", "/bills/new?from=12", "/bills/new?from", 14, ("New bill",), (ADD_BILL,),
    ("navigation",), (ValueList("members", (Locator("listitem"),), ("Ada", "Bo")),), (Locator("heading", "New bill"),),
)  # fmt: skip
START = WebPage("/", "Money", "/", "/", 3)
MODEL = WebModel(
    "/",
    (START, BILLS, NEW_BILL),
    (Component("navigation", "navigation", (HOME_LINK, LOG_OUT), ("/bills", "/bills/new")),),
    ("http://pay.example:9000",),
)

texts = st.text(max_size=12)
_names = st.text(min_size=1, max_size=6)
_pairs = st.dictionaries(_names, texts, max_size=3).map(lambda found: tuple(found.items()))
_counts = st.integers(0, 999)
_locators = st.recursive(
    st.builds(Locator, texts, texts, st.none() | st.tuples(_names, texts), texts, st.none(), st.none() | _counts),
    lambda inner: st.builds(Locator, texts, texts, st.none(), texts, inner, st.none() | _counts),
    max_leaves=3,
)
_several_locators = st.lists(_locators, min_size=1, max_size=2).map(tuple)
_fields = st.builds(
    FormField, _names, _several_locators, texts, st.lists(texts, max_size=3).map(tuple), st.booleans(), _pairs, texts
)


def _distinct(names: st.SearchStrategy[str], most: int, least: int = 0) -> st.SearchStrategy[list[str]]:
    return st.lists(names, unique=True, min_size=least, max_size=most)


@st.composite
def _page_actions(draw: st.DrawFn, key: str, kinds: list[str], lists: list[str]) -> PageAction:
    fields = draw(st.lists(_fields, max_size=2, unique_by=lambda each: each.label).map(tuple))
    locators = draw(_several_locators)
    action = Action(
        key, draw(texts), draw(texts), locators, fields, draw(texts), draw(st.booleans()), draw(st.booleans())
    )
    worked = draw(_counts)
    guard = None
    if draw(st.booleans()):
        parameter = draw(st.sampled_from(["", *(each.label for each in fields)]))
        guard = Guard(draw(texts), draw(_counts), draw(_counts), parameter, draw(st.sampled_from(["", *lists])))
    return PageAction(
        action,
        worked + draw(_counts),
        worked,
        tuple(Destination(kind, draw(_counts), draw(_pairs)) for kind in draw(_distinct(st.sampled_from(kinds), 3))),
        guard,
        draw(st.lists(texts, max_size=3).map(tuple)),
        draw(texts),
    )


@st.composite
def web_models(draw: st.DrawFn) -> WebModel:
    """Any that is not contradictory, in any sequence."""
    kinds = draw(_distinct(_names, 4))
    parts = draw(_distinct(_names, 2)) if kinds else []
    pages = []
    for kind in kinds:
        lists = draw(_distinct(_names, 2))
        values = tuple(ValueList(name, draw(_several_locators), tuple(draw(st.lists(texts)))) for name in lists)
        actions = tuple(draw(_page_actions(key, kinds, lists)) for key in draw(_distinct(texts, 3)))
        components = tuple(draw(_distinct(st.sampled_from(parts), 2))) if parts else ()
        page = WebPage(
            kind, draw(texts), draw(texts), draw(texts), draw(_counts), tuple(draw(st.lists(texts))), actions,
            components, values, tuple(draw(st.lists(_locators, max_size=2))),
        )  # fmt: skip
        pages.append(page)
    shared = tuple(
        Component(name, draw(texts), tuple(draw(_page_actions(key, kinds, [])) for key in draw(_distinct(texts, 2))),
                  tuple(page.kind for page in pages if name in page.components))
        for name in parts
    )  # fmt: skip
    start = draw(st.sampled_from(kinds)) if kinds else ""
    return WebModel(start, tuple(pages), shared, tuple(draw(st.lists(texts, max_size=2))))
