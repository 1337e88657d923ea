"""The grammars that test code is parsed with. They come with the extra `web` and are loaded when first needed."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from unknot.model.errors import UsageError

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

LONGEST = 500_000
"""Longer files are bundles or data, not written test code. They are not parsed."""

_GRAMMARS = {
    "java": ("tree_sitter_java", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
}


def parsed(source: str, grammar: str) -> "Node":
    """The root of the tree of `source`. Never fails, whatever the source is: what does not parse is an error node.
    Cost: linear for source code; the square of the length, or worse, for what is none, and it cannot be stopped."""
    return _parser(grammar).parse(source.encode("utf-8", "replace")).root_node


def check_grammars(*grammars: str) -> None:
    """Raises UsageError if one of these is not installed."""
    for grammar in grammars:
        _parser(grammar)


@cache
def _parser(grammar: str) -> "Parser":
    module, function = _GRAMMARS[grammar]
    try:
        from tree_sitter import Language, Parser

        return Parser(Language(getattr(import_module(module), function)()))
    except ImportError as error:
        raise UsageError(
            f"test code in {grammar} cannot be read without {error.name or 'tree_sitter'}",
            hint="pip install 'unknot[web]'",
            slug="treesitter-missing",
        ) from error
