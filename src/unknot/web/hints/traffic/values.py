"""The values of an exchange, which of them are distinctive, and how they are found in texts."""

import re
from collections.abc import Iterable
from dataclasses import replace

from unknot.model.reason import shortened
from unknot.model.traffic import Exchange, Traffic
from unknot.web.hints.traffic.bodies import path_of
from unknot.web.hints.traffic.requests import items
from unknot.web.hints.whole_words import contains_whole

_SECRET = "\N{LOCK}"
"""Marks the digest of a secret, which no page shows."""

_SURELY_UNIQUE = 6
"""Ids of at least this many characters are searched in texts."""

_LONGEST_SHOWN = 60


def values_of(exchange: Exchange) -> tuple[str, ...]:
    """The distinctive values that it sent, secrets as marked digests."""
    found = (_SECRET + field.value if field.is_secret else plain(field.value) for field in exchange.fields)
    return tuple(value for value in found if is_distinctive(value))


def ids_of(exchange: Exchange) -> tuple[str, ...]:
    """Ids in its response that are unique enough."""
    return tuple(plain(given) for given in exchange.given if len(plain(given)) >= _SURELY_UNIQUE)


def named_by(exchange: Exchange) -> tuple[str, ...]:
    """The resources that a write is about: the innermost of its address, the one that the response redirects to, and
    those of the ids in the response."""
    by_id = (f"{path_of(exchange.address).rstrip('/')}/{given}" for given in exchange.given)
    addresses = (exchange.address, exchange.location, *by_id)
    return tuple(dict.fromkeys(item for address in addresses for item in items(address)[-1:]))


def is_searched(value: str) -> bool:
    return not value.startswith(_SECRET)


def shown_value(value: str) -> str:
    """For display; long values are cut."""
    if not is_searched(value):
        return "a password"
    return shortened(value, _LONGEST_SHOWN)


def request(exchange: Exchange) -> str:
    """The exchange in words."""
    return f"{exchange.method} {path_of(exchange.address)}"


def condense(traffic: Traffic) -> Traffic:
    """The same traffic with texts reduced to the values searched in them: the candidates do not change."""
    writing = [exchange for exchange in traffic.exchanges if exchange.writes]
    values = frozenset(
        value
        for exchange in writing
        for value in (*values_of(exchange), *ids_of(exchange), *named_by(exchange))
        if is_searched(value)
    )

    def less(text: str) -> str:
        return "\n".join(sorted(found_in(values, text)))

    return replace(
        traffic,
        exchanges=tuple(replace(each, text=less(each.text)) for each in traffic.exchanges),
        pages=tuple(dict.fromkeys(replace(each, text=less(each.text)) for each in traffic.pages)),
    )


_SAY_NOTHING = frozenset(
    {"yes", "true", "false", "null", "none", "undefined", "off", "asc", "desc", "all", "any", "get", "post", "put"}
    | {"add", "new", "edit", "save", "submit", "send", "search", "delete", "remove", "update", "create", "cancel"}
)
_BLANK = re.compile(r"\s+")
_WORD = re.compile(r"\w+")
_ASCII_WORD = re.compile(r"[0-9A-Za-z_]+")
_LONGEST = 300


def plain(value: str) -> str:
    """The value as it is compared: with single blanks, and cut at a length that suffices.

    >>> plain("  Jules\\n Verne ")
    'Jules Verne'
    """
    return _BLANK.sub(" ", value[: 2 * _LONGEST]).strip()[:_LONGEST].rstrip()


def is_distinctive(value: str) -> bool:
    """Whether two tests that use this value have anything in common: short words and numbers are everywhere.

    >>> [is_distinctive(value) for value in ("nora", "on", "7", "42", "1872", "yes", "李雷", "--")]
    [True, False, False, False, True, False, True, False]
    """
    if value.casefold() in _SAY_NOTHING or not _WORD.search(value):
        return False
    return len(value) >= (3 if value.isascii() else 2)


def found_in(values: Iterable[str], text: str) -> frozenset[str]:
    """The values that occur in the text as whole words. Values must be `plain`. Cost: one pass over the text for its
    words, then one search for each value whose words all occur."""
    whole = _BLANK.sub(" ", text)
    words = frozenset(_ASCII_WORD.findall(whole))
    possible = (value for value in values if words.issuperset(_ASCII_WORD.findall(value)))
    return frozenset(value for value in possible if contains_whole(whole, value, _joins))


def _joins(char: str) -> bool:
    """Whether it would be part of the same word. Does not apply to scripts without blanks between words."""
    return bool(_WORD.fullmatch(char)) and (char.isascii() or char.isdecimal() or char.lower() != char.upper())
