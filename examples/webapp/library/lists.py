"""Reading lists: a page that the browser renders itself, and the JSON that it renders them from."""

import sqlite3

from library.layout import page
from library.markup import html
from library.web import Refused, Request, Response, as_json, route

_CONTENT = """<section id="finder"><label>Find a book <input id="wanted" autocomplete="off"></label><ul id="matches"></ul></section>
<form id="new-list"><label>New list <input name="name" autocomplete="off"></label><button>Create</button></form>
<p id="problem" role="alert" hidden></p>
<div id="lists" data-rendered="0"></div>
<script src="/static/lists.js"></script>"""


@route("GET", "/lists", "reader")
def lists_page(request: Request) -> Response:
    return page(request, "Reading lists", html(_CONTENT))


@route("GET", "/api/books")
def found_books(request: Request) -> Response:
    rows = request.database.execute(
        "SELECT number, title, author FROM books"
        " WHERE instr(lower(title), lower(?1)) OR instr(lower(author), lower(?1)) ORDER BY title",
        (request.query.get("q", ""),),
    )
    return as_json([dict(row) for row in rows])


@route("GET", "/api/lists", "reader")
def all_lists(request: Request) -> Response:
    rows = request.database.execute(
        "SELECT number, name FROM lists WHERE person = ? ORDER BY name", (request.user.number,)
    )
    return as_json([{**row, "books": _titles(request, row["number"])} for row in map(dict, rows)])


def _titles(request: Request, number: int) -> list[str]:
    rows = request.database.execute(
        "SELECT title FROM listed_books JOIN books ON books.number = book WHERE list = ? ORDER BY title", (number,)
    )
    return [row["title"] for row in rows]


@route("POST", "/api/lists", "reader")
def create(request: Request) -> Response:
    name = request.given("name")
    if not name:
        raise Refused(400, "A list needs a name.")
    try:
        made = request.database.execute("INSERT INTO lists (person, name) VALUES (?, ?)", (request.user.number, name))
    except sqlite3.IntegrityError:
        raise Refused(400, f"You have a list {name} already.") from None
    return as_json({"number": made.lastrowid, "name": name}, 201)


@route("POST", "/api/lists/#/books", "reader")
def put_on(request: Request, number: int) -> Response:
    """By title. A book that is on the list already stays there."""
    _own(request, number)
    book = request.database.execute("SELECT number FROM books WHERE title = ?", (request.given("title"),)).fetchone()
    if book is None:
        raise Refused(404, "There is no such book.")
    request.database.execute("INSERT OR IGNORE INTO listed_books (list, book) VALUES (?, ?)", (number, book["number"]))
    return as_json({"number": number, "books": _titles(request, number)})


@route("DELETE", "/api/lists/#", "reader")
def remove(request: Request, number: int) -> Response:
    _own(request, number)
    request.database.execute("DELETE FROM lists WHERE number = ?", (number,))
    return as_json({"number": number})


def _own(request: Request, number: int) -> None:
    row = request.database.execute("SELECT person FROM lists WHERE number = ?", (number,)).fetchone()
    if row is None or row["person"] != request.user.number:
        raise Refused(404, "There is no such list.")
