"""The words of a command, with placeholders for what differs from order to order."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from unknot.model.errors import UsageError

_TOKEN = re.compile(r"\{\{|\}\}|\{([A-Za-z_][A-Za-z_0-9]*)\}|[{}]")
_PORT = re.compile(r"port(0|[1-9][0-9]*)")

TESTS, TESTS_FILE, TEST, RESULTS = "tests", "tests_file", "test", "results"
_NAMES = (TESTS, TESTS_FILE, TEST, RESULTS, "dir", "worker", "port0")

_LONGEST_WORD = 128 * 1024
"""Linux refuses a longer one, whatever the limit of the whole is; with the NUL that ends it."""

_POINTER = 8
_HEADROOM = 4096


def placeholders(words: Iterable[str]) -> set[str]:
    """The names in braces, known or not. Raises ValueError for a brace that stands alone."""
    return {name for word in words for _, name in _pieces(word) if name}


def fault(words: Iterable[str], allowed: Iterable[str] = _NAMES) -> str:
    """What is wrong with the placeholders, in words; empty if nothing is. `port0` allows every port."""
    allowed = set(allowed)
    try:
        names = placeholders(words)
    except ValueError as problem:
        return str(problem)
    for name in sorted(names):
        if ("port0" if _PORT.fullmatch(name) else name) not in allowed:
            known = ", ".join(f"{{{one}}}" for one in _NAMES if one in allowed)
            return f"{{{name}}} means nothing here; there are {known}, and {{{{ and }}}} for braces"
    return ""


def filled(
    words: Sequence[str], values: Mapping[str, str], tests: Sequence[str] = (), separator: str = ","
) -> list[str]:
    """The words with their placeholders filled. What is filled in is not looked at again: a test's id may have braces.

    Raises UsageError for a placeholder that has no value, and for a test whose id has the separator in it where tests
    are joined by it.
    """
    ready: list[str] = []
    for word in words:
        if word == "{tests}":
            ready.extend(tests)
        else:
            ready.append("".join(_filled_pieces(word, values, tests, separator)))
    return ready


def _filled_pieces(word: str, values: Mapping[str, str], tests: Sequence[str], separator: str) -> Iterator[str]:
    for text, name in _pieces(word):
        if not name:
            yield text
        elif name == TESTS:
            yield joined(tests, separator)
        elif name in values:
            yield values[name]
        else:
            raise UsageError(
                f"the word `{word}` of the command cannot be filled: there is no {{{name}}} here",
                hint="{port0}, {port1}, … need an instance with so many `ports`",
                slug="placeholder-unknown",
            )


def joined(tests: Sequence[str], separator: str) -> str:
    for test in tests:
        if separator in test:
            raise UsageError(
                f"the test `{test}` has the separator `{separator}` in its id, so a list of tests cannot be split",
                hint="choose another `separator`, make `{tests}` a word of its own, or use `{tests_file}`",
                slug="id-contains-separator",
            )
    return separator.join(tests)


def size(words: Iterable[str]) -> int:
    """The bytes that these take in a new process, as the kernel counts."""
    return sum(len(os.fsencode(word)) + 1 + _POINTER for word in words)


def check_length(words: Sequence[str], rest: int) -> None:
    """Raises UsageError if the kernel would refuse the command line; `rest` is the size of its environment."""
    longest = max(words, key=len)
    if len(os.fsencode(longest)) + 1 > _LONGEST_WORD:
        what = f"a word of {len(os.fsencode(longest)):,} bytes"
    elif size(words) + rest + _HEADROOM > os.sysconf("SC_ARG_MAX"):
        what = f"a command line of {size(words):,} bytes"
    else:
        return
    raise UsageError(
        f"{what} is longer than this system allows: `{longest[:60]}…`",
        hint="give the tests in a file: use `{tests_file}` instead of `{tests}`",
        slug="command-too-long",
    )


def _pieces(word: str) -> Iterator[tuple[str, str]]:
    """Plain text with an empty name, or no text and the name of a placeholder."""
    start = 0
    for token in _TOKEN.finditer(word):
        if token.start() > start:
            yield word[start : token.start()], ""
        start = token.end()
        if token.group() in ("{{", "}}"):
            yield token.group()[0], ""
        elif token.group(1):
            yield "", token.group(1)
        else:
            raise ValueError(f"`{word}` has a single `{token.group()}`; write {{{{ and }}}} for braces")
    if start < len(word):
        yield word[start:], ""
