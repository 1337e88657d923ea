"""`{dir}`, `{port0}`, `{worker}` in words that a user wrote."""

import re
from collections.abc import Iterator, Mapping, Sequence

_FOUND = re.compile(r"\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_]*)\}")
"""Only a name in braces is a placeholder: `{"a": 1}` and `{}` are what they look like."""


def filled(text: str, values: Mapping[str, str]) -> str:
    """With its placeholders replaced, once: what is put in is not looked at again. `{{` and `}}` are plain braces.
    Raises KeyError for a name that is not among the values: `unknown_names` tells beforehand."""

    def replaced(found: re.Match[str]) -> str:
        name = found.group(1)
        return found.group(0)[0] if name is None else values[name]

    return _FOUND.sub(replaced, text)


def filled_words(words: Sequence[str], values: Mapping[str, str]) -> tuple[str, ...]:
    """A word stays one word, whatever is put in."""
    return tuple(filled(word, values) for word in words)


def unknown_names(text: str, known: Mapping[str, str]) -> Iterator[str]:
    """The placeholders that could not be filled, as they would be written."""
    for found in _FOUND.finditer(text):
        if found.group(1) is not None and found.group(1) not in known:
            yield found.group(0)
