"""What all pages share: the frame, forms, the notice of what was done, and the page that says no."""

import secrets
from collections.abc import Iterable, Sequence

from library.accounts import leave_notice, taken_notice
from library.markup import Markup, html, together
from library.store import setting
from library.web import Refused, Request, Response, redirect

_PAGE = """<!doctype html>
<html lang="en" data-page="{mark}">
<head>
<meta charset="utf-8">
<title>{title} · {library}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/static/style.css">
</head>
<body>
<header><strong>{library}</strong><nav>{links}</nav>{user}</header>
<main>
<h1>{title}</h1>
{notice}
{content}
</main>
</body>
</html>
"""

_LINKS = (
    ("visitor", "/books", "Books"),
    ("reader", "/loans", "Loans"),
    ("reader", "/lists", "Reading lists"),
    ("librarian", "/categories", "Categories"),
    ("admin", "/people", "People"),
    ("admin", "/settings", "Settings"),
)


def page(request: Request, title: str, content: Markup, status: int = 200, problem: str = "") -> Response:
    library = setting(request.database, "library name")
    links = [html('<a href="{to}">{text}</a>', to=to, text=text) for role, to, text in _LINKS if request.user.may(role)]
    done = taken_notice(request.database, request.token)
    notice = html('<p role="status">{text}</p>', text=done) if done else Markup()
    if problem:
        notice = html('<p role="alert">{text}</p>', text=problem)
    text = html(
        _PAGE,
        mark=secrets.token_hex(8),
        title=title,
        library=library,
        links=together(links),
        user=_user(request),
        notice=notice,
        content=content,
    )
    return Response(text.encode(), status)


def _user(request: Request) -> Markup:
    if request.user.role == "visitor":
        return html('<a href="/login">Log in</a> <a href="/register">Register</a>')
    out = button("/logout", "Log out")
    return html('<span id="user">{name} ({role})</span> {out}', name=request.user.full_name, role=request.user.role, out=out)


def refusal(request: Request, refused: Refused) -> Response:
    return page(request, "Sorry", Markup(), refused.status, refused.reason)


def done(request: Request, notice: str, to: str) -> Response:
    """What was asked for is done: the next page says so."""
    leave_notice(request.database, request.token, notice)
    return redirect(to)


def field(label: str, name: str, value: object = "", kind: str = "text") -> Markup:
    return html(
        '<label>{label} <input type="{kind}" name="{name}" value="{value}"></label>',
        label=label, kind=kind, name=name, value=value,
    )


def choice(label: str, name: str, options: Iterable[tuple[object, str]], chosen: object = None) -> Markup:
    parts = [
        html('<option value="{value}"{mark}>{text}</option>', value=value, text=text, mark=Markup(" selected" * (value == chosen)))
        for value, text in options
    ]
    return html('<label>{label} <select name="{name}">{parts}</select></label>', label=label, name=name, parts=together(parts))


def form(address: str, parts: Sequence[Markup], send: str, method: str = "post") -> Markup:
    return html(
        '<form action="{address}" method="{method}">{parts}<button>{send}</button></form>',
        address=address, method=method, parts=together(parts), send=send,
    )


def button(address: str, text: str) -> Markup:
    return form(address, (), text)


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> Markup:
    head = together(html("<th>{text}</th>", text=text) for text in heads)
    body = together(
        html("<tr>{cells}</tr>", cells=together(html("<td>{cell}</td>", cell=cell) for cell in row)) for row in rows
    )
    return html("<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>", head=head, body=body)
