"""What a request does: whether it writes or removes something, and which resource it names."""

import re
from typing import Any
from urllib.parse import unquote

from unknot.web.hints.traffic.bodies import json_of, parameters_of, path_of

_WRITING = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_REMOVING = re.compile(r"(?:^|[^a-z])(?:delete|remove|destroy|erase|del|trash|purge)(?:[^a-z]|$)", re.IGNORECASE)
_LOGIN = re.compile(
    r"(?:^|[/_.-])(?:log[-_]?(?:in|on|out|off)|sign[-_]?(?:in|out)|sessions?|auth|authenticate)(?:[/_.-]|$)",
    re.IGNORECASE,
)
_ID = re.compile(r"\d+|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=.*\d)[0-9a-f]{12,}", re.IGNORECASE)
_DOING_PARAMETERS = frozenset({"action", "do", "cmd", "op"})
_FOR_PROGRAMS = re.compile(r"api|rest|json|ajax|v\d+(?:\.\d+)?", re.IGNORECASE)
_DOING = frozenset({"new", "add", "create", "edit", "update", "save", "delete", "remove", "list", "search", "index"})
_GRAPHQL_NOISE = re.compile(r'"""(?:.|\n)*?"""|"(?:\\.|[^"\\])*"|#[^\n]*')
_GRAPHQL_OPERATION = re.compile(r"\b(query|mutation|subscription)\b\s*(\w*)")


def writes(method: str, address: str, body: str, status: int) -> bool:
    """A refused request (4xx, 5xx) has written nothing. If the purpose is unknown, the method decides; a GraphQL query
    does not write, an address that contains `delete` does."""
    if status >= 400:
        return False
    if method.upper() not in _WRITING:
        return method.upper() == "GET" and removes(method, address)
    operations = graphql_operations(body)
    return "mutation" in operations if operations else True


def graphql_operations(body: str) -> tuple[str, ...]:
    """The kinds of GraphQL operations in a JSON body; empty if there are none.

    >>> graphql_operations('{"query": "mutation Add { addUser(name: \\\\"query\\\\") { id } }"}')
    ('mutation',)
    >>> graphql_operations('{"query": "Jules Verne"}')
    ()
    """
    document = json_of(body) if "query" in body else None
    requests = document if isinstance(document, list) else [document]
    found = [_operation(request) for request in requests if isinstance(request, dict)]
    return tuple(kind for kind in found if kind)


def _operation(request: dict[str, Any]) -> str:
    text = request.get("query")
    if not isinstance(text, str) or "{" not in text:
        return ""
    text = _GRAPHQL_NOISE.sub(" ", text)
    found = _GRAPHQL_OPERATION.findall(text.split("{")[0] if "operationName" not in request else text)
    wanted = request.get("operationName")
    for kind, name in found:
        if wanted in (None, "", name):
            return str(kind)
    return "query" if text.lstrip().startswith("{") else (str(found[0][0]) if found else "")


def removes(method: str, address: str) -> bool:
    """Whether it removes something: by its method, or by a word in its path or in a parameter such as `action`."""
    said = [path_of(address), *(value for name, value in parameters_of(address) if name in _DOING_PARAMETERS)]
    return method.upper() == "DELETE" or any(_REMOVING.search(text) for text in said)


def is_login(address: str) -> bool:
    return bool(_LOGIN.search(path_of(address)))


def items(address: str) -> tuple[str, ...]:
    """The resources that an address names, the innermost last: the path up to each id, and the path with each parameter
    that has one. A resource is the same in the API and in the pages.

    >>> items("/projects/3/tasks/5/edit"), items("/api/v1/projects/3")
    (('/projects/3', '/projects/3/tasks/5'), ('/projects/3',))
    >>> items("/view.php?id=7&page=2")
    ('/view.php?id=7',)
    """
    found: list[str] = []
    so_far = ""
    for segment in segments(address):
        so_far += "/" + segment
        if _ID.fullmatch(segment):
            found.append(so_far)
    for name, value in parameters_of(address):
        if name.lower().endswith("id") and _ID.fullmatch(value):
            found.append(f"{so_far}?{name}={value}")
    return tuple(found)


def collection(address: str) -> str:
    """The collection of the resource: the path before the last id, or the whole path if there is none, without a final
    verb.

    >>> [collection(address) for address in ("/users/7/edit", "/users/new", "/api/users?page=2")]
    ['/users', '/users', '/users']
    """
    path = list(segments(address))
    last = max((at for at, segment in enumerate(path) if _ID.fullmatch(segment)), default=len(path))
    path = path[:last]
    while path and path[-1].lower() in _DOING:
        path.pop()
    return "/" + "/".join(path)


def segments(address: str) -> tuple[str, ...]:
    """The segments of the path, without the prefix of an API."""
    path = [unquote(segment) for segment in path_of(address).split("/") if segment]
    while len(path) > 1 and _FOR_PROGRAMS.fullmatch(path[0]):
        path.pop(0)
    return tuple(path)
