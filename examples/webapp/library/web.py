"""Requests, responses, and which function answers which address for which users."""

import json
import re
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

ROLES = ("visitor", "reader", "librarian", "admin")
"""Each may do what those before it may."""


@dataclass(frozen=True)
class User:
    number: int
    name: str
    full_name: str
    role: str

    def may(self, role: str) -> bool:
        return ROLES.index(self.role) >= ROLES.index(role)


VISITOR = User(0, "", "", "visitor")


@dataclass
class Request:
    method: str
    path: str
    query: dict[str, str]
    form: dict[str, str]
    token: str
    database: sqlite3.Connection
    user: User = VISITOR

    def given(self, name: str) -> str:
        return self.form.get(name, "").strip()


@dataclass
class Response:
    body: bytes
    status: int = 200
    type: str = "text/html; charset=utf-8"
    headers: dict[str, str] = field(default_factory=dict)


class Refused(Exception):
    """The request is not carried out, for a reason that the user may read."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


def redirect(address: str) -> Response:
    return Response(b"", 303, headers={"Location": address})


def as_json(value: Any, status: int = 200) -> Response:
    return Response(json.dumps(value).encode(), status, "application/json")


Answer = Callable[..., Response]


@dataclass(frozen=True)
class _Route:
    method: str
    pattern: re.Pattern[str]
    role: str
    answer: Answer


_routes: list[_Route] = []


def route(method: str, address: str, role: str = "visitor") -> Callable[[Answer], Answer]:
    """`#` in the address is a number, and is handed to the function after the request."""
    pattern = re.compile(re.escape(address).replace(r"\#", r"(\d{1,9})"))

    def added(answer: Answer) -> Answer:
        _routes.append(_Route(method, pattern, role, answer))
        return answer

    return added


def answered(request: Request) -> Response:
    for each in _routes:
        match = each.pattern.fullmatch(request.path)
        if match is None or each.method != request.method:
            continue
        if not request.user.may(each.role):
            raise Refused(403, "You may not do this.")
        return each.answer(request, *map(int, match.groups()))
    raise Refused(404, "There is no such page.")
