"""HTML from templates. Whatever is filled in is escaped, unless it was made here itself."""

import string
from collections.abc import Iterable
from html import escape
from typing import Any


class Markup(str):
    """Text that is HTML already."""


class _Escaping(string.Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        return value if isinstance(value, Markup) else escape(format(value, format_spec))


def html(template: str, **values: Any) -> Markup:
    return Markup(_Escaping().vformat(template, (), values))


def together(parts: Iterable[Markup]) -> Markup:
    return Markup("\n".join(parts))
