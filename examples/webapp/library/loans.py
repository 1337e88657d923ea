"""Who has borrowed what."""

from library.layout import button, done, page, table
from library.web import Refused, Request, Response, route


@route("GET", "/loans", "reader")
def loans(request: Request) -> Response:
    """Readers see their own; librarians see all."""
    rows = request.database.execute(
        "SELECT loans.number, title, full_name FROM loans"
        " JOIN books ON books.number = loans.book JOIN people ON people.number = loans.person"
        " WHERE NOT returned AND (?1 OR person = ?2) ORDER BY loans.number",
        (request.user.may("librarian"), request.user.number),
    )
    listed = [(row["title"], row["full_name"], button(f"/loans/{row['number']}/return", "Return")) for row in rows]
    return page(request, "Loans", table(("Book", "Reader", ""), listed))


@route("POST", "/books/#/borrow", "reader")
def borrow(request: Request, number: int) -> Response:
    made = request.database.execute(
        "INSERT INTO loans (book, person) SELECT number, ?1 FROM books WHERE number = ?2"
        " AND NOT EXISTS (SELECT 1 FROM loans WHERE book = ?2 AND NOT returned)",
        (request.user.number, number),
    )
    if made.rowcount != 1:
        raise Refused(400, "This book is not available.")
    return done(request, "The book is yours.", "/loans")


@route("POST", "/loans/#/return", "reader")
def give_back(request: Request, number: int) -> Response:
    changed = request.database.execute(
        "UPDATE loans SET returned = 1 WHERE number = ?1 AND NOT returned AND (?2 OR person = ?3)",
        (number, request.user.may("librarian"), request.user.number),
    )
    if changed.rowcount != 1:
        raise Refused(400, "There is no such loan.")
    return done(request, "The book was returned.", "/loans")
