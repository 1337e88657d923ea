"""Books and their categories."""

import sqlite3

from library.layout import button, choice, done, field, form, page, table
from library.markup import Markup, html, together
from library.web import Refused, Request, Response, route

_YEARS = range(1450, 2101)
_BOOKS = """SELECT books.*, categories.name AS category_name,
  EXISTS (SELECT 1 FROM loans WHERE loans.book = books.number AND NOT returned) AS lent
FROM books JOIN categories ON categories.number = books.category """


@route("GET", "/books")
def books(request: Request) -> Response:
    wanted, category = request.query.get("q", ""), request.query.get("category", "")
    rows = request.database.execute(
        _BOOKS + "WHERE (instr(lower(title), lower(?1)) OR instr(lower(author), lower(?1)))"
        " AND (?2 = '' OR categories.name = ?2) ORDER BY title",
        (wanted, category),
    ).fetchall()
    parts = [form("/books", [field("Search", "q", wanted)], "Search", "get")]
    if request.user.may("librarian"):
        parts.append(html('<a href="/books/new">Add book</a>'))
    if not rows:
        parts.append(html("<p>No books found.</p>"))
    parts.append(table(("Title", "Author", "Year", "Category", ""), [_row(request, row) for row in rows]))
    return page(request, f"Books in {category}" if category else "Books", together(parts))


def _row(request: Request, row: sqlite3.Row) -> tuple[object, ...]:
    number = row["number"]
    title = html('<a href="/books/{number}">{title}</a>', number=number, title=row["title"])
    category = html('<a href="/books?category={name}">{name}</a>', name=row["category_name"])
    recommend = button(f"/books/{number}/recommend", "Recommend") if request.user.may("librarian") else Markup()
    return title, row["author"], row["year"], category, recommend


@route("GET", "/books/#")
def book(request: Request, number: int) -> Response:
    row = _book(request, number)
    facts = html(
        '<p>by {author}, {year}, in {category_name}</p><p id="state">{state}</p>',
        **row, state="On loan" if row["lent"] else "Available",
    )
    parts = [facts]
    if request.user.may("reader") and not row["lent"]:
        parts.append(button(f"/books/{number}/borrow", "Borrow"))
    if request.user.may("librarian"):
        parts.append(html('<a href="/books/{number}/edit">Edit</a>', number=number))
        parts.append(button(f"/books/{number}/recommend", "Recommend"))
        parts.append(button(f"/books/{number}/remove", "Remove"))
    return page(request, row["title"], together(parts))


def _book(request: Request, number: int) -> sqlite3.Row:
    row: sqlite3.Row | None = request.database.execute(_BOOKS + "WHERE books.number = ?", (number,)).fetchone()
    if row is None:
        raise Refused(404, "There is no such book.")
    return row


@route("GET", "/books/new", "librarian")
def new_book(request: Request) -> Response:
    return page(request, "Add book", _form(request, "/books/new", request.form, "Add"))


@route("GET", "/books/#/edit", "librarian")
def edited_book(request: Request, number: int) -> Response:
    row = _book(request, number)
    return page(request, f"Edit {row['title']}", _form(request, f"/books/{number}/edit", dict(row), "Save"))


def _form(request: Request, address: str, values: dict[str, str], send: str) -> Markup:
    categories = request.database.execute("SELECT number, name FROM categories ORDER BY name")
    parts = [
        field("Title", "title", values.get("title", "")),
        field("Author", "author", values.get("author", "")),
        field("Year", "year", values.get("year", "")),
        choice("Category", "category", [tuple(row) for row in categories], values.get("category")),
    ]
    return form(address, parts, send)


@route("POST", "/books/new", "librarian")
def add_book(request: Request) -> Response:
    try:
        values = _values(request)
        request.database.execute("INSERT INTO books (title, author, year, category) VALUES (?, ?, ?, ?)", values)
    except sqlite3.IntegrityError:
        raise Refused(400, "There is a book of this title, or no such category.") from None
    except Refused as refused:
        form = _form(request, "/books/new", request.form, "Add")
        return page(request, "Add book", form, refused.status, refused.reason)
    return done(request, f"{values[0]} was added.", "/books")


@route("POST", "/books/#/edit", "librarian")
def edit_book(request: Request, number: int) -> Response:
    try:
        request.database.execute(
            "UPDATE books SET title = ?, author = ?, year = ?, category = ? WHERE number = ?", (*_values(request), number)
        )
    except sqlite3.IntegrityError:
        raise Refused(400, "There is a book of this title, or no such category.") from None
    return done(request, "The book was saved.", f"/books/{number}")


def _values(request: Request) -> tuple[str, str, int, int]:
    title, author, year, category = (request.given(name) for name in ("title", "author", "year", "category"))
    if not title or not author:
        raise Refused(400, "Title and author are needed.")
    if not year.isdecimal() or int(year) not in _YEARS:
        raise Refused(400, f"The year must be between {_YEARS[0]} and {_YEARS[-1]}.")
    return title, author, int(year), int(category) if category.isdecimal() else 0


@route("POST", "/books/#/recommend", "librarian")
def recommend(request: Request, number: int) -> Response:
    request.database.execute("UPDATE books SET recommended = 1 WHERE number = ?", (number,))
    return done(request, "The book is recommended.", f"/books/{number}")


@route("POST", "/books/#/remove", "librarian")
def remove_book(request: Request, number: int) -> Response:
    try:
        request.database.execute("DELETE FROM books WHERE number = ?", (number,))
    except sqlite3.IntegrityError:
        raise Refused(400, "The book was lent or is on a reading list.") from None
    return done(request, "The book was removed.", "/books")


@route("GET", "/categories", "librarian")
def categories(request: Request) -> Response:
    rows = request.database.execute("SELECT number, name FROM categories ORDER BY name")
    listed = [(row["name"], button(f"/categories/{row['number']}/remove", "Remove")) for row in rows]
    add = form("/categories", [field("Category", "name")], "Add")
    return page(request, "Categories", together((add, table(("Category", ""), listed))))


@route("POST", "/categories", "librarian")
def add_category(request: Request) -> Response:
    name = request.given("name")
    if not name:
        raise Refused(400, "A name is needed.")
    try:
        request.database.execute("INSERT INTO categories (name) VALUES (?)", (name,))
    except sqlite3.IntegrityError:
        raise Refused(400, f"The category {name} is there already.") from None
    return done(request, f"{name} was added.", "/categories")


@route("POST", "/categories/#/remove", "librarian")
def remove_category(request: Request, number: int) -> Response:
    try:
        request.database.execute("DELETE FROM categories WHERE number = ?", (number,))
    except sqlite3.IntegrityError:
        raise Refused(400, "There are books in this category.") from None
    return done(request, "The category was removed.", "/categories")
