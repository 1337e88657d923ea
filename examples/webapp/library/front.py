"""The front page, and how one gets in."""

from library.accounts import add_person, opened_session
from library.layout import field, form, page
from library.markup import Markup, html, together
from library.store import setting
from library.web import Refused, Request, Response, redirect, route

_CREDENTIALS = (field("Name", "name"), field("Password", "password", kind="password"))


@route("GET", "/")
def front(request: Request) -> Response:
    rows = request.database.execute("SELECT number, title FROM books WHERE recommended ORDER BY title").fetchall()
    links = together(html('<li><a href="/books/{number}">{title}</a></li>', **row) for row in rows)
    recommended = html('<h2>Recommended</h2><ul id="recommended">{links}</ul>', links=links) if rows else Markup()
    return page(request, f"Welcome to {setting(request.database, 'library name')}", recommended)


@route("GET", "/login")
def login_form(request: Request) -> Response:
    return page(request, "Log in", form("/login", _CREDENTIALS, "Log in"))


@route("POST", "/login")
def login(request: Request) -> Response:
    try:
        token = opened_session(request.database, request.given("name"), request.given("password"))
    except Refused as refused:
        return page(request, "Log in", form("/login", _CREDENTIALS, "Log in"), refused.status, refused.reason)
    response = redirect("/")
    response.headers["Set-Cookie"] = f"session={token}; HttpOnly; SameSite=Strict; Path=/"
    return response


@route("POST", "/logout", "reader")
def logout(request: Request) -> Response:
    request.database.execute("DELETE FROM sessions WHERE token = ?", (request.token,))
    response = redirect("/")
    response.headers["Set-Cookie"] = "session=; Max-Age=0; HttpOnly; SameSite=Strict; Path=/"
    return response


@route("GET", "/register")
def registration_form(request: Request) -> Response:
    if setting(request.database, "registration") != "open":
        return page(request, "Register", Markup(), problem="Registration is closed.")
    parts = (field("Full name", "full_name"), *_CREDENTIALS)
    return page(request, "Register", form("/register", parts, "Register"))


@route("POST", "/register")
def register(request: Request) -> Response:
    if setting(request.database, "registration") != "open":
        raise Refused(403, "Registration is closed.")
    name = request.given("name")
    add_person(request.database, name, request.given("full_name"), request.given("password"), "reader")
    return page(request, "Registered", html('<p role="status">You can log in as {name} now.</p>', name=name))
