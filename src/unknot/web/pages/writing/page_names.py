"""What a person would call the pages and components of an application."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from unknot.model.web.web_model import Component, WebModel, WebPage
from unknot.web.pages.writing.method_names import is_link
from unknot.web.pages.writing.words import TakenNames, is_command, pascal, singular, without_articles, words_of

_MOST_WORDS = 4
_MOST_LETTERS = 11
"""Of a component: a line has room for its attribute, module and class."""

_SHARED_BY = 4
"""A heading on so many kinds of pages, and on half of all, says what the site is called."""

_COMPONENTS = {
    "navigation": "Menu",
    "banner": "Header",
    "contentinfo": "Footer",
    "toolbar": "Toolbar",
    "menubar": "MenuBar",
    "dialog": "Dialog",
    "alertdialog": "Dialog",
    "search": "SearchBox",
    "complementary": "Sidebar",
    "tablist": "Tabs",
}
_TAKEN = ("BasePage", "PageObject", "Page", "Locator", "Self", "Literal", "TypeVar")


class PageNames:
    """Names of the classes: for a kind of page `class_of[kind]`, for a component `component_of[name]`. Kinds with the
    same name that offer the same have one class, such as an error that several forms lead to. `known` are names of
    classes from before, which stay."""

    def __init__(self, model: WebModel, known: Mapping[str, str]) -> None:
        self._model = model
        self._shared = _site_names(model)
        self._headings = Counter(heading for page in model.pages for heading in set(_headings(page)))
        self._links = _names_of_links(model)
        self._has_addresses = len({page.template for page in model.pages}) > 1
        titles = Counter(part for page in model.pages for part in set(_parts_of_title(page.title)))
        self._site_titles = {part for part, count in titles.items() if count > 1 and 2 * count >= len(model.pages)}
        self.class_of: dict[str, str] = {}
        self.component_of: dict[str, str] = {}
        names = TakenNames(_TAKEN)
        for page in model.pages:
            if page.kind in known and known[page.kind] not in self.class_of.values():
                self.class_of[page.kind] = names.take(known[page.kind])
        same: dict[tuple[object, ...], str] = {}
        for page in model.pages:
            found = (_as_noun(words) for words in self._candidates(page))
            wanted = [f"{pascal(words)}{_suffix(page, words)}" for words in found if words]
            look = (wanted[0] if wanted else "", _what_it_offers(page))
            if page.kind not in self.class_of:
                other = same.get(look, "") if wanted and page.template.strip("/") else ""
                self.class_of[page.kind] = other or names.take(wanted[0] if wanted else "SomePage")
            same.setdefault(look, self.class_of[page.kind])
        for component in model.components:
            wanted_name = known.get(component_key(component)) or _component_name(component)
            self.component_of[component.name] = names.take(wanted_name)

    def _candidates(self, page: WebPage) -> Iterator[list[str]]:
        """The best first."""
        noun = singular(_noun_of_address(page.template))
        if not page.is_dialog:
            yield self._links.get(page.kind, [])
        for heading in _headings(page):
            words = _words_of_heading(heading, noun)
            seen_once = page.visits < 2 and self._headings[heading] < 2
            is_data = "*" not in heading and "*" in page.template and seen_once
            greets = not page.template.strip("/") and len(words) > 2 and not page.is_dialog
            if words and len(words) <= _MOST_WORDS and not is_data and not greets and heading not in self._shared:
                yield [*words, *noun] if len(words) == 1 and is_command(words) else words
                break
        is_front = self._has_addresses and not page.template.strip("/")
        if "*" not in page.template and not is_front:
            yield from self._words_of_title(page)
        yield _words_of_address(page.template)
        if not page.template.strip("/"):
            yield ["home"]

    def _words_of_title(self, page: WebPage) -> Iterator[list[str]]:
        """What a title says beside the name of the site; parts with numbers are data."""
        for part in _parts_of_title(page.title):
            words = without_articles(words_of(part))
            is_data = any(map(str.isdigit, part))
            if words and len(words) <= _MOST_WORDS and not is_data and part not in self._site_titles:
                yield words


def component_key(component: Component) -> str:
    """How its class is known from before; no kind of page is called so."""
    return f"component {component.name}"


def noun_of(page: WebPage) -> list[str]:
    """What a page is about, in the singular: ["book"] for /books and /books/7/edit."""
    return singular(_noun_of_address(page.template.partition("?")[0]))


def _as_noun(words: Sequence[str]) -> list[str]:
    """The page on which one logs in is the login page."""
    return ["login", *words[2:]] if list(words[:2]) == ["log", "in"] else list(words)


def _parts_of_title(title: str) -> list[str]:
    """
    >>> _parts_of_title("List of issues - Tracker")
    ['List of issues', 'Tracker']
    """
    return [part.strip() for part in re.split(r"\s[-–—·|•:]\s|:\s", title) if part.strip()]


def _suffix(page: WebPage, words: Sequence[str]) -> str:
    last = words[-1] if words else ""
    if page.is_dialog:
        return "" if last == "dialog" else "Dialog"
    return "" if last == "page" else "Page"


def _words_of_heading(heading: str, noun: Sequence[str]) -> list[str]:
    """With what the address is about in place of the words that differ."""
    if "*" not in heading:
        return without_articles(words_of(heading))
    before, _, after = heading.partition("*")
    words = [*words_of(before), *words_of(after)]
    if not words:
        return []
    return without_articles([*words_of(before), *noun, *words_of(after)])


def _words_of_address(template: str) -> list[str]:
    """/books/*/edit is ["edit", "book"], /books/* ["book"], /books ["books"], /books?category ["books", "by",
    "category"]."""
    path, _, query = template.replace("#", "/").partition("?")
    segments = [each for each in path.split("/") if each not in ("", "!")]
    parameters = [words_of(each) for each in query.split("&")[:1] if each]
    by = ["by", *parameters[0]] if parameters and parameters[0] else []
    if not segments:
        return by and ["home", *by]
    *before, last = segments
    if "*" in last:
        nouns = [words_of(each.replace("*", " ")) for each in segments]
        return singular(next((each for each in reversed(nouns) if each), []))
    words = words_of(last)
    owner = [words_of(each) for each in before if "*" not in each]
    if is_command(words) or words == ["new"]:
        return [*words, *singular(owner[-1])] if owner else words
    return [*words, *by]


def _noun_of_address(template: str) -> list[str]:
    """["books"] for /books, /books/*, /books/new and /books/*/edit; ["category"] for /books?category."""
    path, _, query = template.replace("#", "/").partition("?")
    if query:
        return words_of(query.split("&")[0])
    segments = [each for each in path.split("/") if each not in ("", "!")]
    nouns = [words_of(each.replace("*", " ")) for each in segments]
    fitting = [each for each in nouns if each and not is_command(each) and each != ["new"]]
    return fitting[-1] if fitting else []


def _what_it_offers(page: WebPage) -> tuple[object, ...]:
    return (
        page.is_dialog,
        frozenset(each.action.key for each in page.actions),
        frozenset(each.name for each in page.values),
        frozenset(page.components),
        # Its own kind of thing, if it is about one.
        "*" in page.template.rpartition("/")[2],
    )


def _site_names(model: WebModel) -> frozenset[str]:
    """Headings that are on too many kinds of pages to tell them apart."""
    most = max(_SHARED_BY, len(model.pages) // 2)
    count = Counter(heading for page in model.pages for heading in set(_headings(page)))
    kinds = {heading: _what_differs(model, heading) for heading in count}
    return frozenset(heading for heading, number in count.items() if number >= most and kinds[heading] > 1)


def _what_differs(model: WebModel, heading: str) -> int:
    """In how many ways pages with this heading differ in what they offer."""
    return len({_what_it_offers(page)[1] for page in model.pages if heading in _headings(page)})


def _headings(page: WebPage) -> tuple[str, ...]:
    return page.common_headings or page.headings


def _names_of_links(model: WebModel) -> dict[str, list[str]]:
    """What a menu calls the page that it leads to most often; but a link to the front page is called as the site."""
    templates = {page.kind: page.template for page in model.pages}
    has_addresses = len(set(templates.values())) > 1
    found: dict[str, list[str]] = {}
    for component in model.components:
        for each in component.actions:
            words = without_articles(words_of(each.action.title))
            target = next((other.kind for other in each.destinations if not other.stays), "")
            is_front = has_addresses and not templates.get(target, "").strip("/")
            if (
                target
                and is_link(each.action)
                and not is_front
                and 0 < len(words) <= _MOST_WORDS
                and not is_command(words)
            ):
                found.setdefault(target, words)
    return found


def _component_name(component: Component) -> str:
    words = [each for each in words_of(component.name) if each != component.role]
    kind = _COMPONENTS.get(component.role, "")
    name = pascal(words, _MOST_LETTERS)
    if not name:
        return kind or f"{pascal(words_of(component.role), _MOST_LETTERS)}Part"
    return name if kind and name.endswith(kind) else f"{name}{kind or 'Part'}"
