"""People, for administrators."""

import sqlite3

from library.accounts import add_person
from library.layout import button, choice, done, field, form, page, table
from library.markup import Markup, html, together
from library.web import ROLES, Refused, Request, Response, route

_ROLES = [(role, role) for role in ROLES[1:]]


@route("GET", "/people", "admin")
def people(request: Request) -> Response:
    wanted = request.query.get("q", "")
    rows = request.database.execute(
        "SELECT * FROM people WHERE instr(lower(name), lower(?1)) OR instr(lower(full_name), lower(?1)) ORDER BY name",
        (wanted,),
    )
    listed = table(("Name", "Full name", "Role", ""), [_row(row) for row in rows])
    search = form("/people", [field("Search", "q", wanted)], "Search", "get")
    return page(request, "People", together((search, html('<a href="/people/new">Add person</a>'), listed)))


def _row(row: sqlite3.Row) -> tuple[object, ...]:
    number = row["number"]
    edit = html('<a href="/people/{number}">Edit</a>', number=number)
    return row["name"], row["full_name"], row["role"], together((edit, button(f"/people/{number}/remove", "Remove")))


@route("GET", "/people/new", "admin")
def new_person(request: Request) -> Response:
    return page(request, "Add person", _new_form(request))


def _new_form(request: Request) -> Markup:
    parts = (
        field("Name", "name", request.given("name")),
        field("Full name", "full_name", request.given("full_name")),
        field("Password", "password", kind="password"),
        choice("Role", "role", _ROLES, request.given("role") or "reader"),
    )
    return form("/people/new", parts, "Add")


@route("POST", "/people/new", "admin")
def add(request: Request) -> Response:
    name, role = request.given("name"), _role(request)
    try:
        add_person(request.database, name, request.given("full_name"), request.given("password"), role)
    except Refused as refused:
        return page(request, "Add person", _new_form(request), refused.status, refused.reason)
    return done(request, f"{name} was added.", "/people")


@route("GET", "/people/#", "admin")
def person(request: Request, number: int) -> Response:
    row = request.database.execute("SELECT * FROM people WHERE number = ?", (number,)).fetchone()
    if row is None:
        raise Refused(404, "There is no such person.")
    parts = (field("Full name", "full_name", row["full_name"]), choice("Role", "role", _ROLES, row["role"]))
    return page(request, f"Edit {row['name']}", form(f"/people/{number}", parts, "Save"))


@route("POST", "/people/#", "admin")
def edit(request: Request, number: int) -> Response:
    full_name = request.given("full_name")
    if not full_name:
        raise Refused(400, "A full name is needed.")
    request.database.execute(
        "UPDATE people SET full_name = ?, role = ? WHERE number = ?", (full_name, _role(request), number)
    )
    return done(request, f"{full_name} was saved.", "/people")


@route("POST", "/people/#/remove", "admin")
def remove(request: Request, number: int) -> Response:
    if number == request.user.number:
        raise Refused(400, "You cannot remove yourself.")
    try:
        request.database.execute("DELETE FROM people WHERE number = ?", (number,))
    except sqlite3.IntegrityError:
        raise Refused(400, "There are loans of this person.") from None
    return done(request, "The person was removed.", "/people")


def _role(request: Request) -> str:
    role = request.given("role")
    if role not in ROLES[1:]:
        raise Refused(400, "There is no such role.")
    return role
