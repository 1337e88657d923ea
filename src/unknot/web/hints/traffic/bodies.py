"""The values of a request, from its body and its address; the text of a response; and addresses, parsed leniently."""

import hashlib
import html
import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, unquote_plus

from unknot.model.traffic import Field

_SECRET = re.compile(r"passw|passphrase|pwd|secret|\bpin\b|credential", re.IGNORECASE)
_TOKENS = "csrf|xsrf|token|nonce|viewstate|eventvalidation|signature|captcha"
_TOKEN = re.compile(_TOKENS, re.IGNORECASE)
_TOKEN_TAG = re.compile(rf"<(?:input|meta)\b[^<>]*\bname\s*=\s*[\"']?[^\"'<>\s]*(?:{_TOKENS})[^<>]*>", re.IGNORECASE)
_PART_NAME = re.compile(r'\bname="([^"\r\n]*)"', re.IGNORECASE)
_FILE_NAME = re.compile(r'\bfilename="([^"\r\n]*)"', re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_ID_NAMES = frozenset({"id", "_id", "uuid", "slug", "key"})
_MOST_FIELDS = 500
_MOST_VALUE = 1_000
_DEEPEST = 20


def fields_of(address: str, body: str, body_type: str) -> tuple[Field, ...]:
    """Values in the order in which they are sent, those of the address first. CSRF tokens and the like are left out;
    passwords are digests."""
    pairs = [*parameters_of(address), *_body_pairs(body, body_type.lower())]
    found = (_field(name, value) for name, value in pairs[:_MOST_FIELDS] if not _TOKEN.search(name))
    return tuple(field for field in found if field.value)


def without_secrets(address: str) -> str:
    """The same address, with digests instead of passwords.

    >>> without_secrets("/login?name=bob&password=pw")
    '/login?name=bob&password=8ec33aafb3a1d325'
    """
    path, mark, query = address.partition("?")
    return path + mark + "&".join(map(_without_secret, query.split("&")))


def _without_secret(parameter: str) -> str:
    name, _, value = parameter.partition("=")
    return f"{name}={digest(unquote_plus(value))}" if value and _SECRET.search(unquote_plus(name)) else parameter


def json_of(text: str) -> Any:
    """None for text that is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def leaves(document: Any, name: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """Every string, number and boolean of a JSON document, with its path."""
    if depth > _DEEPEST:
        return
    if isinstance(document, dict):
        for key, value in document.items():
            yield from leaves(value, f"{name}.{key}" if name else str(key), depth + 1)
    elif isinstance(document, list):
        for value in document:
            yield from leaves(value, name, depth + 1)
    elif document is not None:
        yield name, str(document)


def ids_given(text: str) -> tuple[str, ...]:
    """The ids in a JSON response, at its top or up to two levels below, as in `{"data": {"addUser": {"id": 7}}}`. Lists
    are ignored: their items existed before."""
    document = json_of(text)
    found: list[str] = []
    level = [document]
    for _ in range(3):
        level = [each for each in level if isinstance(each, dict)]
        for each in level:
            found += [str(each[name]) for name in each if name in _ID_NAMES and isinstance(each[name], str | int)]
        level = [value for each in level for value in each.values()]
    return tuple(dict.fromkeys(value[:_MOST_VALUE] for value in found))


def shown_text(text: str, content_type: str) -> str:
    """The searchable text of a response: its words without markup, and the values of its attributes."""
    if "json" in content_type.lower():
        document = json_of(text)
        if document is not None:
            return "\n".join(value for _, value in leaves(document))
    if "<" not in text:
        return text
    return html.unescape(_TAG.sub("\n", text) + "\n" + text)


def without_tokens(text: str) -> str:
    """A page without the CSRF tokens of its forms, which differ each time.

    >>> without_tokens('<form><input type="hidden" name="csrf_token" value="x1"><input name="name"></form>')
    '<form><input name="name"></form>'
    """
    return _TOKEN_TAG.sub("", text)


def _body_pairs(body: str, body_type: str) -> list[tuple[str, str]]:
    if not body:
        return []
    if "multipart" in body_type:
        return list(_multipart(body))
    document = json_of(body)
    if isinstance(document, dict | list):
        return list(leaves(document))
    if "urlencoded" in body_type or "=" in body.split("&")[0]:
        return parse_qsl(body)
    return [("", body)] if "json" not in body_type else []


def _multipart(body: str) -> Iterator[tuple[str, str]]:
    """Names and short values; for a file only its name. Parses what browsers send, and skips the rest."""
    boundary = body.split("\n", 1)[0].strip()
    if not boundary.startswith("--"):
        return
    for part in body.split(boundary)[1:]:
        head, _, content = part.partition("\r\n\r\n")
        name, file = _PART_NAME.search(head), _FILE_NAME.search(head)
        if file:
            yield name[1] if name else "", file[1]
        elif name:
            yield name[1], content.strip("\r\n")


def _field(name: str, value: str) -> Field:
    if _SECRET.search(name) and value:
        return Field(name[:200], digest(value), is_secret=True)
    return Field(name[:200], value[:_MOST_VALUE])


def digest(text: str) -> str:
    """Tells texts apart; empty for an empty one."""
    return hashlib.blake2s(text.encode("utf-8", "replace"), digest_size=8).hexdigest() if text else ""


def address_of(url: str) -> str:
    """Path and query of a URL, without scheme and host.

    >>> address_of("http://127.0.0.1:80/users?page=2#top"), address_of("/users"), address_of("http://[")
    ('/users?page=2', '/users', '/')
    """
    before, mark, rest = url.partition("://")
    if mark and before.isalnum():
        slash = min((at for at in (rest.find("/"), rest.find("?")) if at >= 0), default=len(rest))
        url = rest[slash:]
    url = url.partition("#")[0]
    return url if url.startswith("/") else "/" + url


def path_of(address: str) -> str:
    return address.partition("?")[0]


def parameters_of(address: str) -> list[tuple[str, str]]:
    """Names and values of the query."""
    return parse_qsl(address.partition("?")[2])
