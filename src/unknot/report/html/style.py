"""What all pages share: colours, style, script, the content security policy that allows these and nothing else, and
small pieces of markup. Every text of a suite goes through `text`."""

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files

from rich.cells import cell_len, set_cell_size

from unknot.model.sanitise import shown
from unknot.model.suite import TestId

COLOURS: dict[str, tuple[str, str]] = {
    "back": ("#ffffff", "#0f1216"),
    "soft": ("#f5f6f8", "#171b21"),
    "ink": ("#1c2128", "#e5e9ee"),
    "dim": ("#56606b", "#9ca6b1"),
    "line": ("#dce0e5", "#2c323a"),
    "edge": ("#69737e", "#8b95a0"),
    "link": ("#0a58ab", "#72b5ff"),
    "brittle": ("#875600", "#e3ae45"),
    "brittle-soft": ("#fdf3db", "#2b220e"),
    "victim": ("#b21f2b", "#ff8d85"),
    "victim-soft": ("#fdebeb", "#321719"),
    "both": ("#753bbd", "#cba6ff"),
    "both-soft": ("#f4edfe", "#251a36"),
    "polluter": ("#9b1f73", "#ff93d2"),
    "polluter-soft": ("#fbeaf5", "#31142a"),
    "cleaner": ("#156b37", "#5bcb7b"),
    "cleaner-soft": ("#e7f5eb", "#10281a"),
    "setter": ("#0a58ab", "#72b5ff"),
    "setter-soft": ("#e9f1fb", "#11243a"),
    "flaky": ("#525b65", "#abb4be"),
    "flaky-soft": ("#eff1f3", "#20262d"),
    "untried": ("#8a6a3b", "#c7a468"),
    "bar": ("#a9cbf5", "#22508c"),
    "again": ("#fdf3db", "#3a2f0b"),
    "stripe": ("#a87a1c", "#b8860b"),
}
"""Name: (light theme, dark theme)."""

_SYSTEM = {"back": "Canvas", "soft": "Canvas", "link": "LinkText", "line": "GrayText", "bar": "Canvas"}


def variables() -> str:
    """The colours as CSS variables: the system theme applies unless the page's own switch is used. Forced system
    colours take precedence."""
    light, dark = (_declared({name: pair[side] for name, pair in COLOURS.items()}) for side in (0, 1))
    system = _declared({name: _SYSTEM.get(name, _grounded(name)) for name in COLOURS})
    return (
        f":root {{ color-scheme: light; {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ color-scheme: dark; {dark} }} }}\n"
        f':root[data-theme="light"] {{ color-scheme: light; {light} }}\n'
        f':root[data-theme="dark"] {{ color-scheme: dark; {dark} }}\n'
        f"@media print {{ :root, :root[data-theme] {{ color-scheme: light; {light} }} }}\n"
        f"@media (forced-colors: active) {{ :root, :root[data-theme] {{ {system} }} }}\n"
    )


def _declared(colours: dict[str, str]) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())


def _grounded(name: str) -> str:
    return "Canvas" if name.endswith("-soft") or name == "again" else "CanvasText"


@dataclass(frozen=True)
class Assets:
    """The style and the script of one kind of page, as files, in load order: each file may use the ones before it.
    Without a `program` there is no script. `images`: the page may show pictures that are written in it."""

    styles: tuple[str, ...]
    program: tuple[str, ...] = ()
    images: bool = False

    def style(self) -> str:
        return variables() + _joined(self.styles)

    def script(self) -> str:
        """The whole script, wrapped in one function to keep its names private."""
        return f'(function () {{\n"use strict";\n{_joined(self.program)}}})();\n'

    def content_security_policy(self) -> str:
        """The content security policy: apply this style, run this script, load nothing. Nothing else that might end up
        in the page runs."""
        allowed = [
            "default-src 'none'",
            f"style-src {_digest(self.style())}",
            *([f"script-src {_digest(self.script())}"] if self.program else []),
            *(["img-src data:"] if self.images else []),
            "base-uri 'none'",
            "form-action 'none'",
        ]
        return "; ".join(allowed)


_STYLES = ("base.css", "parts.css", "explorer.css")
PLAN = Assets((*_STYLES, "gantt.css"))
RESULT = Assets(
    PLAN.styles,
    (
        "elements.js",
        "model.js",
        "theme.js",
        "details.js",
        "view.js",
        "gestures.js",
        "shapes.js",
        "graph_paint.js",
        "graph_find.js",
        "graph_motion.js",
        "graph.js",
        "table.js",
        "matrix_paint.js",
        "matrix_axes.js",
        "matrix.js",
        "main.js",
    ),
)
SITE_MAP = Assets(
    (*_STYLES, "site_map.css"),
    (
        "elements.js",
        "theme.js",
        "view.js",
        "gestures.js",
        "graph_motion.js",
        "site_drawer.js",
        "site_lines.js",
        "site_map.js",
        "site_main.js",
    ),
    images=True,
)


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


@cache
def _joined(names: tuple[str, ...]) -> str:
    return "".join(map(_asset, names))


def _asset(name: str) -> str:
    return files("unknot.report.html").joinpath("assets", name).read_text(encoding="utf-8")


def text(value: str) -> str:
    return escape(shown(value))


def code(value: str) -> str:
    return f"<code>{text(value)}</code>"


def facts(*pairs: tuple[str, str]) -> Iterator[str]:
    yield '<dl class="facts">'
    yield from (f"<div><dt>{name}</dt><dd>{text(fact)}</dd></div>" for name, fact in pairs)
    yield "</dl>"


def fitted_name(test: TestId, cells: int) -> str:
    """The last part of the id, without `test_` if that helps, shortened to fit into so many cells.

    >>> fitted_name(TestId("test_shop.py::test_order"), 5), fitted_name(TestId("test_shop.py::test_order"), 4)
    ('order', 'ord…')
    """
    name = shown(test).rpartition("::")[2] or shown(test)
    if cell_len(name) > cells:
        name = name.removeprefix("test_")
    return name if cell_len(name) <= cells else f"{set_cell_size(name, cells - 1).rstrip()}…"
