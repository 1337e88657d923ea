"""The style and the program of the page, as one text each, and the policy that allows these two and nothing else."""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from unknot.report.html.palette import variables

_STYLES = ("base.css", "parts.css", "explorer.css", "gantt.css")
_PROGRAM = (
    "elements.js",
    "model.js",
    "theme.js",
    "copying.js",
    "details.js",
    "view.js",
    "gestures.js",
    "shapes.js",
    "graph_paint.js",
    "graph_find.js",
    "graph_lit.js",
    "graph_motion.js",
    "graph.js",
    "table.js",
    "matrix_paint.js",
    "matrix.js",
    "main.js",
)
"""In this sequence: each may use, when it is loaded, what stands before it."""


@cache
def style() -> str:
    return variables() + "".join(_text(name) for name in _STYLES)


@cache
def program() -> str:
    """One function, so that nothing of it is seen from outside."""
    return '(function () {\n"use strict";\n' + "".join(_text(name) for name in _PROGRAM) + "})();\n"


def policy(*, with_program: bool) -> str:
    """What a browser may do with the page: apply this style, run this program, and nothing else; above all load
    nothing. Whatever else might ever slip into the page is not run."""
    allowed = [
        "default-src 'none'",
        f"style-src {_digest(style())}",
        *([f"script-src {_digest(program())}"] if with_program else []),
        "base-uri 'none'",
        "form-action 'none'",
    ]
    return "; ".join(allowed)


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _text(name: str) -> str:
    return files("unknot.report.html").joinpath(name).read_text(encoding="utf-8")
