"""Settings that administrators make for all users."""

from library.layout import choice, done, field, form, page
from library.store import setting
from library.web import Refused, Request, Response, route

_REGISTRATION = ("open", "closed")


@route("GET", "/settings", "admin")
def settings(request: Request) -> Response:
    parts = (
        field("Library name", "library name", setting(request.database, "library name")),
        choice(
            "Registration",
            "registration",
            [(each, each) for each in _REGISTRATION],
            setting(request.database, "registration"),
        ),
    )
    return page(request, "Settings", form("/settings", parts, "Save"))


@route("POST", "/settings", "admin")
def change(request: Request) -> Response:
    name, registration = request.given("library name"), request.given("registration")
    if not name or registration not in _REGISTRATION:
        raise Refused(400, "A name is needed, and registration is open or closed.")
    request.database.executemany(
        "UPDATE settings SET value = ? WHERE name = ?", [(name, "library name"), (registration, "registration")]
    )
    return done(request, "The settings were saved.", "/settings")
