"""Addresses without their data: what two pages of the same kind have in common."""

import re
from urllib.parse import parse_qsl, urlsplit

_DATA = re.compile(r"\d+|(?<![a-z])[0-9a-f]{8,}(?![a-z])|[^/]{40,}", re.IGNORECASE)
_ROUTE = re.compile(r"^!?/")
_LANGUAGE = re.compile(
    r"((?:[/?&]|^)(?:lang|language|locale|hl)[/=])[A-Za-z]{2,3}(?:[-_](?:[A-Za-z]{2,4}|\d{3})){0,2}$"
)
_ORIGIN = re.compile(r"https?://[^/?#]+", re.IGNORECASE)


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


def language_template(href: str) -> str:
    """Of a link that changes the language of the page; empty for others.

    >>> language_template("/lang/de"), language_template("/?hl=es-419"), language_template("/languages")
    ('/lang/*', '?hl=*', '')
    """
    found = _LANGUAGE.search(href)
    return f"{found.group(1)}*" if found else ""


def link_family(href: str) -> str:
    """What links have in common that differ in the last part of the path only.

    >>> link_family("/lang/de"), link_family("days?day=2026-01-05")
    ('/lang/*', '*?day')
    """
    path, mark, query = address_template(href).partition("?")
    return f"{path.rpartition('/')[0]}{'/' if '/' in path else ''}*{mark}{query}"


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


def segments(address: str) -> list[str]:
    """The parts of the path, and of the route after it, in lower case.

    >>> segments("http://localhost/Summer-trip/bills?page=2")
    ['summer-trip', 'bills']
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return []
    route = parts.fragment if _ROUTE.match(parts.fragment) else ""
    return [part.lower() for part in f"{parts.path}/{route}".split("/") if part not in ("", "!")]


def without_origin(address: str, origin: str) -> str:
    """From the origin on, if it is this one.

    >>> without_origin("http://localhost:8000/books?page=2", "http://localhost:8000")
    '/books?page=2'
    >>> without_origin("http://elsewhere.example/", "http://localhost:8000")
    'http://elsewhere.example/'
    """
    if not origin or not address.startswith(origin):
        return address
    rest = address[len(origin) :]
    if not rest:
        return "/"
    return rest if rest[0] in "/?#" else address


def origin_in(address: str) -> str:
    """As it is written in the address; empty if it has none.

    >>> origin_in("http://localhost:8000/books?page=2")
    'http://localhost:8000'
    """
    found = _ORIGIN.match(address)
    return found[0] if found else ""


def _path(path: str, data: frozenset[str]) -> str:
    return "/".join("*" if part.lower() in data else _DATA.sub("*", part) for part in path.split("/"))
