"""`{dir}`, `{port0}`, `{worker}` in words that a user wrote, and the same values as environment variables."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path


def placeholders(directory: Path, ports: Sequence[int], worker: int) -> dict[str, str]:
    """For words of the configuration: `{dir}`, `{worker}`, `{port0}`, …"""
    numbered = {f"port{index}": str(port) for index, port in enumerate(ports)}
    return {"dir": str(directory), "worker": str(worker), **numbered}


def variables(directory: Path, ports: Sequence[int], worker: int) -> dict[str, str]:
    """For the environment of tests, and of everything that belongs to the instance."""
    numbered = {f"UNKNOT_PORT_{index}": str(port) for index, port in enumerate(ports)}
    return {"UNKNOT_DIR": str(directory), "UNKNOT_WORKER": str(worker), **numbered}


def own_environment(
    base: Mapping[str, str],
    chosen: Sequence[tuple[str, str]],
    values: Mapping[str, str],
    always: Mapping[str, str],
) -> dict[str, str]:
    """For what belongs to the instance: what was there, what the user chose with placeholders filled, and what must
    not change."""
    return {**base, **{name: filled(value, values) for name, value in chosen}, **always}


_FOUND = re.compile(r"\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_]*)\}")
"""Only a name in braces is a placeholder: `{"a": 1}` and `{}` are what they look like."""


def filled(text: str, values: Mapping[str, str]) -> str:
    """With its placeholders replaced, once: what is put in is not looked at again. `{{` and `}}` are plain braces.
    Raises KeyError for a name that is not among the values: check with `unknown_names` first."""

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
