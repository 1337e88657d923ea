"""Lines of Python that formatters leave as they are.

Idea
    What fits on a line stays there. A call that does not gets each argument on a line of its own, with a comma after
    the last one: ruff and black keep that at any line length.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

WIDTH = 88
"""That of black and ruff, unless they are told otherwise."""

INDENT = "    "


def columns(text: str) -> int:
    """As formatters count them: wide characters, such as Chinese ones, take two."""
    return len(text) + sum(unicodedata.east_asian_width(char) in "WF" for char in text)


@dataclass(frozen=True)
class Link:
    """A part of a chain: a call with its arguments, or an attribute if they are None."""

    name: str
    arguments: "tuple[str | Chain, ...] | None" = ()

    def __str__(self) -> str:
        return self.name if self.arguments is None else f"{self.name}({', '.join(map(str, self.arguments))})"


@dataclass(frozen=True)
class Chain:
    """An expression: a name, and what is called on it, such as `self.page.get_by_label("Title").fill(title)`."""

    head: str
    links: tuple[Link, ...] = ()

    def called(self, *arguments: str) -> "Chain":
        """For a function: the head is its name."""
        return Chain("", (Link(self.head, arguments),))

    def call(self, name: str, *arguments: "str | Chain") -> "Chain":
        return replace(self, links=(*self.links, Link(name, arguments)))

    def attribute(self, name: str) -> "Chain":
        return replace(self, links=(*self.links, Link(name, None)))

    def __str__(self) -> str:
        return ".".join(filter(None, [self.head, *map(str, self.links)]))


def statement(expression: Chain, depth: int, before: str = "", after: str = "") -> list[str]:
    """`before` stands in front of it, such as `return `, and `after` behind it, such as a comma."""
    indent = INDENT * depth
    line = f"{indent}{before}{expression}{after}"
    if columns(line) <= WIDTH:
        return [line]
    calls = [number for number, link in enumerate(expression.links) if link.arguments is not None]
    if before and len(calls) > 1:
        # Formatters put each call of such an expression on a line of its own; with a name for the first it is shorter.
        first, more = expression.links[: calls[1]], expression.links[calls[1] :]
        named = statement(Chain(expression.head, first), depth, "found = ")
        return [*named, *statement(Chain("found", more), depth, before, after)]
    lines = [f"{indent}{before}{expression.head}"]
    left = list(expression.links)
    while left:
        link = left.pop(0)
        lines[-1] += "." if expression.head or link is not expression.links[0] else ""
        rest = ".".join(map(str, [link, *left]))
        if columns(lines[-1] + rest + after) <= WIDTH or not link.arguments:
            lines[-1] += str(link)
            continue
        lines[-1] += f"{link.name}("
        for each in link.arguments:
            lines += [f"{indent}{INDENT}{each},"] if isinstance(each, str) else statement(each, depth + 1, after=",")
        lines.append(f"{indent})")
    return [*lines[:-1], f"{lines[-1]}{after}"]


def signature(name: str, parameters: Sequence[str], returns: Sequence[str], depth: int) -> list[str]:
    """The head of a method; `returns` are the members of a union."""
    indent = INDENT * depth
    result = " | ".join(returns)
    line = f"{indent}def {name}({', '.join(['self', *parameters])}) -> {result}:"
    if len(line) <= WIDTH:
        return [line]
    lines = [f"{indent}def {name}(", *(f"{indent}{INDENT}{each}," for each in ("self", *parameters))]
    last = f"{indent}) -> {result}:"
    if len(last) <= WIDTH or len(returns) == 1:
        return [*lines, last]
    if len(f"{indent}{INDENT}{result}") <= WIDTH:
        return [*lines, f"{indent}) -> (", f"{indent}{INDENT}{result}", f"{indent}):"]
    union = (f"{indent}{INDENT}{'| ' if number else ''}{each}" for number, each in enumerate(returns))
    return [*lines, f"{indent}) -> (", *union, f"{indent}):"]


def from_import(package: str, names: Sequence[str]) -> list[str]:
    """`from package import names`, sorted as ruff and isort sort."""
    kept = sorted(set(names), key=_import_order)
    line = f"from {package} import {', '.join(kept)}"
    if len(line) <= WIDTH:
        return [line]
    return [f"from {package} import (", *(f"{INDENT}{each}," for each in kept), ")"]


def _import_order(name: str) -> tuple[int, str]:
    """Constants, then classes, then the rest."""
    return (0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2), name
