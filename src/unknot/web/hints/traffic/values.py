"""The values that an exchange carries, as they are compared and as they are shown."""

from dataclasses import replace

from unknot.model.traffic import Exchange, Traffic
from unknot.web.hints.traffic.address import path_of
from unknot.web.hints.traffic.requests import items
from unknot.web.hints.traffic.words import found_in, plain, tells

_SECRET = "\N{LOCK}"
"""Marks the digest of a secret: no page shows it."""

_SURELY_UNIQUE = 6
"""Characters of an id from which on it is looked for in texts."""

_LONGEST_SHOWN = 60


def values_of(exchange: Exchange) -> tuple[str, ...]:
    """What it sent that tells something, secrets as marked digests."""
    found = (_SECRET + field.value if field.is_secret else plain(field.value) for field in exchange.fields)
    return tuple(value for value in found if tells(value))


def ids_of(exchange: Exchange) -> tuple[str, ...]:
    """Ids in its answer that nothing else will be called by chance."""
    return tuple(plain(given) for given in exchange.given if len(plain(given)) >= _SURELY_UNIQUE)


def named_by(exchange: Exchange) -> tuple[str, ...]:
    """The things that a write is about: the innermost of its address, the one to which the answer leads, and those of
    the ids that the answer names."""
    by_id = (f"{path_of(exchange.address).rstrip('/')}/{given}" for given in exchange.given)
    addresses = (exchange.address, exchange.location, *by_id)
    return tuple(dict.fromkeys(item for address in addresses for item in items(address)[-1:]))


def is_searched(value: str) -> bool:
    return not value.startswith(_SECRET)


def shown_value(value: str) -> str:
    """For people; what is long is cut."""
    if not is_searched(value):
        return "a password"
    return value if len(value) <= _LONGEST_SHOWN else value[: _LONGEST_SHOWN - 1] + "…"


def request(exchange: Exchange) -> str:
    """How a person would call it."""
    return f"{exchange.method} {path_of(exchange.address)}"


def condensed(traffic: Traffic) -> Traffic:
    """The same with nothing left of texts but what is looked for in them: what follows from it does not change."""
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
