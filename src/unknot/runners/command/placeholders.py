"""The words of a command, with placeholders for what differs from order to order."""

import re
from collections.abc import Iterable, Mapping, Sequence

from unknot.model.errors import UsageError
from unknot.runners.sut.placeholders import filled as filled_text
from unknot.runners.sut.placeholders import lone_brace, names_in

_PORT = re.compile(r"port(0|[1-9][0-9]*)")

TESTS, TESTS_FILE, TEST, RESULTS = "tests", "tests_file", "test", "results"
_NAMES = (TESTS, TESTS_FILE, TEST, RESULTS, "dir", "worker", "port0")


def placeholders(words: Iterable[str]) -> set[str]:
    """The names in braces, known or not."""
    return {name for word in words for name in names_in(word)}


def fault(words: Iterable[str], allowed: Iterable[str] = _NAMES) -> str:
    """What is wrong with the placeholders, in words; empty if nothing is. `port0` allows every port."""
    words, allowed = list(words), set(allowed)
    for word in words:
        if lone := lone_brace(word):
            return f"`{word}` has a single `{lone}`; write {{{{ and }}}} for braces"
    for name in sorted(placeholders(words)):
        if ("port0" if _PORT.fullmatch(name) else name) not in allowed:
            known = ", ".join(f"{{{one}}}" for one in _NAMES if one in allowed)
            return f"{{{name}}} means nothing here; there are {known}, and {{{{ and }}}} for braces"
    return ""


def filled(
    words: Sequence[str], values: Mapping[str, str], tests: Sequence[str] = (), separator: str = ","
) -> list[str]:
    """The words with their placeholders filled. What is filled in is not filled again: a test's id may have braces.

    Raises UsageError for a placeholder that has no value, and for a test whose id has the separator in it where tests
    are joined by it.
    """
    ready: list[str] = []
    for word in words:
        if word == "{tests}":
            ready.extend(tests)
            continue
        names = set(names_in(word))
        for name in sorted(names.difference(values, {TESTS})):
            raise UsageError(
                f"the word `{word}` of the command cannot be filled: there is no {{{name}}} here",
                hint="{port0}, {port1}, … need an instance with so many `ports`",
                slug="placeholder-unknown",
            )
        ready.append(filled_text(word, {**values, TESTS: joined(tests, separator)} if TESTS in names else values))
    return ready


def joined(tests: Sequence[str], separator: str) -> str:
    for test in tests:
        if separator in test:
            raise UsageError(
                f"the test `{test}` has the separator `{separator}` in its id, so a list of tests cannot be split",
                hint="choose another `separator`, make `{tests}` a word of its own, or use `{tests_file}`",
                slug="id-contains-separator",
            )
    return separator.join(tests)
