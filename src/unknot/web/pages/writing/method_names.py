"""What a person would call an action of a page: by the verb of its button, and what it acts on."""

from collections.abc import Sequence

from unknot.model.web.action import Action
from unknot.model.web.stars import matches
from unknot.web.pages.writing.words import (
    RESERVED,
    is_command,
    is_phrasal,
    singular,
    snake,
    without_articles,
    words_of,
)

_MAKES = frozenset({"add", "create", "new", "insert", "make", "append"})
_SAYS_NOTHING = frozenset({"submit", "ok", "go", "send", "confirm", "continue", "apply", "yes", "done", "validate"})
_TOO_GENERAL = frozenset({"name", "title", "text", "value", "email", "search", "description", "address", "id"})
_MOST_WORDS = 3
_SYMBOLS = (
    ("×✕✖✗✘", "close"),
    ("+＋➕", "add"),
    ("−–✂", "remove"),
    ("✓✔", "confirm"),
    ("←‹«◀", "go back"),
    ("→›»▶", "go on"),
    ("☰≡", "open menu"),
    ("⋮⋯…", "show more"),
    ("✎✏", "edit"),
    ("🔍🔎", "search"),
)
_NO_OBJECT = frozenset({"search", "save", "submit", "cancel", "close", "filter", "reset"})
"""Verbs of a form, or of the page as a whole."""


def method_name(action: Action, noun: Sequence[str], heading: Sequence[str]) -> str:
    """`noun` is what the page is about, in the singular, `heading` its heading.

    A person recognises the verb of the button or link. A noun is added where the verb alone does not say what it acts
    on: in a row, and where something is made.
    """
    if opens_data(action):
        return snake(["open", *(thing(action.title) or noun or ["link"])])
    words = without_articles(words_of(label_of(action))) or _symbol(action.name)
    if action.fields and (not words or (len(words) == 1 and words[0] in _SAYS_NOTHING)) and is_command(heading):
        words = without_articles(heading)
    if not words:
        return "submit" if action.fields else "open_link" if is_link(action) else "press_button"
    if words[0] == "new" and noun:
        words = ["add", *words[1:]]
    if words == ["create", "new"] and is_link(action) and (made := thing(action.href.partition("?")[0])):
        words = ["create", *made]
    if not is_command(words):
        return snake(["submit" if action.fields else "open" if is_link(action) else "press", *words])
    is_bare = len(words) == 1 or (len(words) == 2 and is_phrasal(words))
    if is_bare and not is_phrasal(words):
        makes = words[0] in _MAKES
        about = _object(action, words[0]) if makes else []
        needs_object = makes or (action.row and words[0] not in _NO_OBJECT) or snake(words)[:-1] in RESERVED
        words = [*words, *(about or (noun if needs_object else []))]
    return snake(words)


def _object(action: Action, verb: str) -> list[str]:
    """What the only field of a form asks for: "Category", "New list", "Add participant"."""
    texts = [each for each in action.fields if not each.options]
    if len(texts) != 1:
        return []
    words = [each for each in without_articles(words_of(texts[0].title or texts[0].label)) if each not in ("new", verb)]
    return singular(words) if words and words[-1] not in _TOO_GENERAL and len(words) <= _MOST_WORDS else []


def _symbol(name: str) -> list[str]:
    return next((word.split() for signs, word in _SYMBOLS if name.strip() and name.strip() in signs), [])


def field_method(action: Action) -> str:
    """For a field without a button."""
    field = action.fields[0]
    words = without_articles(words_of(field.title.partition("*")[0] or field.label))
    if is_command(words):
        return snake(words)
    verb = "set" if field.role in ("checkbox", "switch") else "choose" if field.options else "enter"
    return snake([verb, *(words or ["value"])])


def opens_data(action: Action) -> bool:
    """Whether it is a link whose text is data of its row: its title is an address then."""
    if not (action.row and action.name and is_link(action) and _is_address(action)):
        return False
    is_one_of_several = any(each.nth is not None for each in action.locators)
    return action.varies or not (is_one_of_several or is_command(words_of(action.name)))


def has_data(action: Action) -> bool:
    """Whether a part of its name is data of its row; its title has a star there."""
    return "*" in action.title and not _is_address(action)


def label_of(action: Action) -> str:
    """What a person reads on it, without data."""
    return action.name if _is_address(action) else action.title.replace("*", " ")


def _is_address(action: Action) -> bool:
    """Whether its title is where it leads, as that of a link in a row is."""
    title = action.title
    if title.startswith(("/", "?", "#")) or not title.strip("* "):
        return True
    return bool(action.href) and matches(title.partition("?")[0], action.href.partition("?")[0])


def is_link(action: Action) -> bool:
    """Whether it leads to another address; links to nowhere are buttons."""
    href = action.href.strip()
    return href not in ("", "#") and not href.lower().startswith("javascript:")


def thing(template: str) -> list[str]:
    """What an address leads to: ["book"] for /books/*, ["category"] for /books?category."""
    path, _, query = template.replace("#", "/").partition("?")
    if query:
        return words_of(query.split("&")[0])
    for each in reversed(path.split("/")):
        words = words_of(each.replace("*", " "))
        if words and words != ["new"] and not is_command(words):
            return singular(words)
    return []
