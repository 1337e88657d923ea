"""Models of applications for Hypothesis: any graph, and any text a page may show."""

import random

from hypothesis import HealthCheck
from hypothesis import strategies as st

from unknot.model.web.action import Action, FormField
from unknot.model.web.locator import Locator
from unknot.model.web.web_model import Component, Destination, Guard, PageAction, ValueList, WebModel, WebPage

LARGE = [HealthCheck.data_too_large, HealthCheck.too_slow, HealthCheck.filter_too_much]
"""Models are large by their nature."""

HOSTILE = (
    '"', "'", '"""', "\\", "\\\n", "a\nb", "\r", "\t", "{name}", "{}", "%s", "\u202eabc", "\u2028", "\x00", "\ud800",
    "🙂", "日本語", "Größe", "class", "None", "self", "page", "print", "import os", "__init__", "# noqa", "re.compile(",
    "Literal[", "cast(", "*", "Edit *", "../../etc/passwd", "/", "", " ", "'''", "\\N{BULLET}", "f'{x}'", "_", "1",
)  # fmt: skip
PLAIN = ("Add book", "Books", "Log in", "Save", "Search", "Remove", "Title", "Name", "Add a new bill", "Edit", "People")



def _combined(count: int) -> list[str]:
    """Several of them in one text, short and long. Drawing each text from scratch took most of the time."""
    chance = random.Random(0)
    mixed = [" ".join(chance.choices((*PLAIN, *HOSTILE), k=chance.randint(2, 5))) for _ in range(count)]
    long = ["".join(chance.choices("ab ", k=chance.randint(60, 150))) for _ in range(count // 8)]
    return [*mixed, *long]


texts = st.one_of(st.sampled_from((*PLAIN, *HOSTILE, *_combined(200))), st.text(max_size=5))
_roles = st.sampled_from(
    ["", "button", "link", "textbox", "combobox", "checkbox", "radio", "heading", "generic", "x'y"]
)
_attributes = st.none() | st.tuples(st.sampled_from(["id", "name", "href", "class", "title", "data-testid"]), texts)
_plain_locators = st.builds(Locator, _roles, texts, _attributes, st.just("") | texts, nth=st.none() | st.integers(0, 3))
locators = st.builds(
    Locator, _roles, texts, _attributes, st.just("") | texts, st.none() | _plain_locators, st.none() | st.integers(0, 3)
)
_some_locators = st.lists(locators, max_size=2).map(tuple)
_constraints = st.lists(st.tuples(st.sampled_from(["name", "type", "placeholder", "title"]), texts), max_size=2)
fields = st.builds(
    FormField,
    texts,
    _some_locators,
    st.sampled_from(["textbox", "combobox", "checkbox", "radio", "listbox", "Date", "button"]),
    st.lists(texts, max_size=9, unique=True).map(tuple),
    st.booleans(),
    _constraints.map(tuple),
    title=st.just("") | texts,
    varies=st.booleans(),
    is_filled=st.booleans(),
)
_rows = st.sampled_from(["", "", "row", "listitem", "article", "gridcell", "treeitem", "unknown"])


@st.composite
def actions(draw: st.DrawFn, key: str, *, is_shared: bool) -> Action:
    own = draw(st.lists(fields, max_size=4, unique_by=lambda each: each.label))
    return Action(
        key,
        draw(texts | st.just("/books/*")),
        draw(texts),
        draw(_some_locators),
        tuple(own),
        draw(st.sampled_from(["", "#", "/books", "/lang/de", "http://elsewhere.example/", "javascript:"])),
        draw(st.booleans()),
        is_shared,
        row=draw(_rows),
        varies=draw(st.booleans()),
    )


@st.composite
def page_actions(draw: st.DrawFn, kinds: list[str], *, is_shared: bool) -> tuple[PageAction, ...]:
    """What has destinations has worked, as in a crawl."""
    found = []
    for number in range(draw(st.integers(0, 5))):
        targets = draw(st.lists(st.sampled_from(kinds), max_size=5, unique=True))
        destinations = tuple(Destination(kind, 1, stays=is_shared and draw(st.booleans())) for kind in targets)
        tries = len(targets) or draw(st.integers(0, 1))
        guard = draw(st.none() | st.builds(Guard, texts.filter(str.strip), st.integers(0, 9), st.integers(0, 9)))
        action = draw(actions(f"key {number}", is_shared=is_shared))
        refusals = tuple(draw(st.lists(texts, max_size=2))) if tries else ()
        spared = draw(st.just("") | texts)
        found.append(PageAction(action, tries, len(targets), destinations, guard, refusals, spared))
    return tuple(found)


@st.composite
def web_models(draw: st.DrawFn) -> WebModel:
    kinds = draw(st.lists(texts, min_size=1, max_size=5, unique=True))
    names = draw(st.lists(texts, max_size=2, unique=True))
    values = st.builds(ValueList, texts, _some_locators, st.lists(texts, max_size=2).map(tuple))
    pages = tuple(
        WebPage(
            kind,
            draw(texts),
            f"/{draw(texts)}",
            draw(
                st.sampled_from(["/", "/books", "/books/*", "/books/*/edit", "/books?category", "/#/users/*"]) | texts
            ),
            draw(st.integers(1, 3)),
            draw(st.lists(texts, max_size=2).map(tuple)),
            draw(page_actions(kinds, is_shared=False)),
            tuple(draw(st.lists(st.sampled_from(names), unique=True)) if names else ()),
            tuple(draw(st.lists(values, max_size=2))),
            draw(_some_locators),
            draw(st.lists(texts, max_size=2).map(tuple)),
            draw(st.booleans()),
        )
        for kind in kinds
    )
    components = tuple(
        Component(
            name,
            draw(st.sampled_from(["navigation", "banner", "contentinfo", "dialog", "odd role"])),
            draw(page_actions(kinds, is_shared=True)),
            tuple(page.kind for page in pages if name in page.components),
        )
        for name in names
    )
    return WebModel(draw(st.sampled_from(kinds)), pages, components)
