"""`{dir}`, `{port0}`, `{worker}` in words that a user wrote."""

import re
from collections.abc import Iterator, Mapping, Sequence

_FOUND = re.compile(r"\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_]*)\}")
"""Only a name in braces is a placeholder: `{"a": 1}` and `{}` are what they look like."""


def filled(text: str, values: Mapping[str, str]) -> str:
    """With its placeholders replaced, once: what is put in is not replaced again. `{{` and `}}` are plain braces.
    Raises KeyError for a name that is not among the values."""

    def replaced(found: re.Match[str]) -> str:
        return values[found[1]] if found[1] else found[0][0]

    return _FOUND.sub(replaced, text)


def filled_words(words: Sequence[str], values: Mapping[str, str]) -> tuple[str, ...]:
    """A word stays one word, whatever is put in."""
    return tuple(filled(word, values) for word in words)


def names_in(text: str) -> Iterator[str]:
    """The names of its placeholders."""
    return (found[1] for found in _FOUND.finditer(text) if found[1])


def lone_brace(text: str) -> str:
    """The first brace that is neither doubled nor part of a placeholder; empty if there is none."""
    found = re.search("[{}]", _FOUND.sub("", text))
    return found[0] if found else ""


def escaped(text: str) -> str:
    """Text in which no placeholder is meant."""
    return text.replace("{", "{{").replace("}", "}}")
