"""Addresses taken apart without ever failing: pages are free to name addresses that are none."""

from urllib.parse import parse_qsl


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
