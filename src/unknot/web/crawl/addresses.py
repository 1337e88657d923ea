"""Addresses without their data: what two pages of the same kind have in common."""

import re
from urllib.parse import parse_qsl, urlsplit

_DATA = re.compile(r"\d+|(?<![a-z])[0-9a-f]{8,}(?![a-z])|[^/]{40,}", re.IGNORECASE)
_ROUTE = re.compile(r"^!?/")


def address_template(address: str, data: frozenset[str] = frozenset()) -> str:
    """The path, with a star for numbers, long tokens and known pieces of data; the names of the parameters; and the
    fragment, if it is the route of an application that runs in the browser.

    >>> address_template("http://localhost/books/12?page=3&sort=title")
    '/books/*?page&sort'
    >>> address_template("http://localhost/notes/Shopping#top", frozenset({"shopping"}))
    '/notes/*'
    >>> address_template("http://localhost/#/users/7")
    '/#/users/*'
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    names = sorted({name for name, _ in parse_qsl(parts.query, keep_blank_values=True)})
    query = f"?{'&'.join(names)}" if names else ""
    fragment = f"#{_path(parts.fragment, data)}" if _ROUTE.match(parts.fragment) else ""
    return f"{_path(parts.path, data)}{query}{fragment}"


def without_parameters(address: str) -> str:
    """Without the query, and without the fragment unless it is a route.

    >>> without_parameters("http://localhost/books?page=2#top")
    'http://localhost/books'
    >>> without_parameters("http://localhost/?lang=en#/users/7")
    'http://localhost/#/users/7'
    """
    before, mark, fragment = address.partition("#")
    route = f"{mark}{fragment}" if _ROUTE.match(fragment) else ""
    return before.partition("?")[0] + route


def _path(path: str, data: frozenset[str]) -> str:
    return "/".join("*" if part.lower() in data else _DATA.sub("*", part) for part in path.split("/"))
