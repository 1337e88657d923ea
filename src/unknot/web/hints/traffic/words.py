"""Which values tell something, and where a text contains one."""

import re
from collections.abc import Iterable

_SAY_NOTHING = frozenset(
    {"yes", "true", "false", "null", "none", "undefined", "off", "asc", "desc", "all", "any", "get", "post", "put"}
    | {"add", "new", "edit", "save", "submit", "send", "search", "delete", "remove", "update", "create", "cancel"}
)
_BLANK = re.compile(r"\s+")
_WORD = re.compile(r"\w+")
_ASCII_WORD = re.compile(r"[0-9A-Za-z_]+")
_LONGEST = 300


def plain(value: str) -> str:
    """The value as it is compared: with single blanks, and cut where nobody would compare further.

    >>> plain("  Jules\\n Verne ")
    'Jules Verne'
    """
    return _BLANK.sub(" ", value[: 2 * _LONGEST]).strip()[:_LONGEST].rstrip()


def tells(value: str) -> bool:
    """Whether two tests that know this value have anything in common: short words and numbers are everywhere.

    >>> [tells(value) for value in ("nora", "on", "7", "42", "1872", "yes", "李雷", "--")]
    [True, False, False, False, True, False, True, False]
    """
    if value.casefold() in _SAY_NOTHING or not _WORD.search(value):
        return False
    return len(value) >= (3 if value.isascii() else 2)


def found_in(values: Iterable[str], text: str) -> frozenset[str]:
    """The values that stand in the text as whole words. Values must be `plain`. Cost: one pass over the text for its
    words, then one search for each value whose words all occur."""
    whole = _BLANK.sub(" ", text)
    words = frozenset(_ASCII_WORD.findall(whole))
    return frozenset(
        value for value in values if words.issuperset(_ASCII_WORD.findall(value)) and _stands_alone(value, whole)
    )


def _stands_alone(value: str, whole: str) -> bool:
    at = whole.find(value) if value else -1
    while at >= 0:
        before, after = whole[at - 1 : at] if at else "", whole[at + len(value) : at + len(value) + 1]
        if not (_joins(before) and _joins(value[0])) and not (_joins(after) and _joins(value[-1])):
            return True
        at = whole.find(value, at + 1)
    return False


def _joins(char: str) -> bool:
    """Whether it would be part of the same word. Scripts without blanks between words have no such thing."""
    return bool(_WORD.fullmatch(char)) and (char.isascii() or char.isdecimal() or char.lower() != char.upper())
