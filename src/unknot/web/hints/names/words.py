"""The words of a test's name.

Which part of an id is the name depends on the runner: `tests/test_cart.py::TestCart::test_edit_item[chromium]`,
`shop.CartTest#editItem(String)[2]`, `cart.spec.ts › Cart › edits an item`, `EditItemTest`. The text in brackets is how
the test was called, not what it does.
"""

import re

_LEVELS = re.compile(r"::|(?<=\S)#(?=\S)|\s[›»>]\s")
_PLAIN_PATH = re.compile(r"\S+")
_SUFFIXES = re.compile(r"(?:\.(?:spec|test|cy|e2e))?\.(?:py|java|kt|js|jsx|ts|tsx|mjs|rb|cs|go|php)$", re.IGNORECASE)
_NOT = re.compile(r"n['’]t\b", re.IGNORECASE)
_OF = re.compile(r"['’]s\b", re.IGNORECASE)


def levels(test: str) -> list[str]:
    """The parts of a test's id, the most informative first: function or title, then class or group, then file.

    >>> levels("tests/test_cart.py::TestCart::test_edit_item[chromium-admin]")
    ['test_edit_item', 'TestCart', 'test_cart']
    >>> levels("org.shop.CartTest#editItem(String)[2]")
    ['editItem', 'CartTest']
    """
    parts = [part for part in _LEVELS.split(_without_call(test) or test) if part.strip()]
    return [name for part in reversed(parts) if (name := _last_of_path(part.strip()))]


def _without_call(test: str) -> str:
    """The id without the brackets at its end, of either kind; square ones may contain anything. Written by hand: a
    regular expression backtracks exponentially on some ids."""
    plain = test.rstrip()
    while plain:
        start = plain.find("[") if plain.endswith("]") else plain.rfind("(") if plain.endswith(")") else -1
        if start < 0 or (plain.endswith(")") and ")" in plain[start:-1]):
            break
        plain = plain[:start].rstrip()
    return plain


def _last_of_path(part: str) -> str:
    """The last part of a path or a dotted name; a title, which has spaces, stays whole."""
    if not _PLAIN_PATH.fullmatch(part):
        return part
    file = part.rpartition("/")[2]
    stem = _SUFFIXES.sub("", file)
    return stem if stem != file else file.rpartition(".")[2]


def split(name: str) -> list[str]:
    """The words of a name in lower case: of camelCase, snake_case, kebab-case or a sentence. Numbers are not words.

    >>> split("testRemoveHTTPProxy2"), split("it doesn't log in")
    (['test', 'remove', 'http', 'proxy'], ['it', 'does', 'not', 'log', 'in'])
    """
    plain = _OF.sub("", _NOT.sub(" not", name))
    found: list[str] = []
    word = ""
    for place, letter in enumerate(plain):
        before = plain[place - 1 : place]
        after = plain[place + 1 : place + 2]
        if word and (not letter.isalpha() or _begins_word(before, letter, after)):
            found.append(word)
            word = ""
        word += letter if letter.isalpha() else ""
    return [each.lower() for each in (*found, word) if each]


def _begins_word(before: str, letter: str, after: str) -> bool:
    """Whether a capital starts a word: after a lower-case letter, or as the last of several before one."""
    return letter.isupper() and (not before.isupper() or after.islower())
