"""Which texts can be the id of a test."""

import re
import unicodedata
from collections.abc import Mapping

from unknot.model.errors import UsageError

PLACEHOLDERS = ("classname", "name", "file", "suite", "combinations")
"""`suite` is the path of the suites around a test, joined by ` > `; the others are attributes of the test."""

_FIELD = re.compile(r"\{([^{}]*)\}")


class IdTemplate:
    """`{classname}.{name}`: text between two placeholders is their separator, and vanishes with an empty part."""

    def __init__(self, template: str) -> None:
        """Raises UsageError for a placeholder that no document can fill."""
        pieces = _FIELD.split(template)
        self._fields = tuple(pieces[1::2])
        self._prefix, *self._separators = pieces[0::2]
        self._suffix = self._separators.pop() if self._separators else ""
        wrong = [field for field in self._fields if field not in PLACEHOLDERS]
        if wrong or not self._fields:
            what = f"`{{{wrong[0]}}}`, which is unknown" if wrong else "no placeholder"
            raise UsageError(
                f"the id `{template}` of the results has {what}",
                hint="use " + ", ".join(f"{{{known}}}" for known in PLACEHOLDERS) + ", as in {classname}.{name}",
                slug="results-config",
            )

    @property
    def wants_suite(self) -> bool:
        return "suite" in self._fields

    def fill(self, values: Mapping[str, str]) -> str:
        """Empty if all parts are empty."""
        text = ""
        for separator, field in zip(("", *self._separators), self._fields, strict=True):
            if value := values.get(field, ""):
                text += separator + value if text else value
        return self._prefix + text + self._suffix if text else ""


MOST_CHARACTERS = 4096
_REFUSED_KINDS = frozenset({"Cc", "Cs", "Zl", "Zp"})
"""Control characters, halves of characters, and what some programs take for the end of a line."""
_SHOWN = 60


def check_id(text: str) -> str:
    """Why this text cannot be a test's id; empty if it can.

    An id is a word of a command or a line of a file, and nothing else: whatever stays one word and one line is kept as
    it is, also if it looks like a path, an option or a piece of shell. Cost: one look at each character."""
    if not text:
        return "it is empty"
    if len(text) > MOST_CHARACTERS:
        return f"it has {len(text):,} characters, more than {MOST_CHARACTERS:,}: {shown(text)}"
    if text.isascii() and text.isprintable():
        return ""
    for place, character in enumerate(text, 1):
        if unicodedata.category(character) in _REFUSED_KINDS:
            return f"{_kind(character)} (U+{ord(character):04X}) at character {place}: {shown(text)}"
    return ""


def shown(text: str) -> str:
    """An id in a message: on one line, whatever it holds, and not longer than a line."""
    cut = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
    safe = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut)
    return "`" + "".join(safe) + "`"


def _kind(character: str) -> str:
    if character == "\0":
        return "a NUL"
    if character in "\r\n\x85\u2028\u2029":
        return "an end of line"
    return "half a character" if unicodedata.category(character) == "Cs" else "a control character"
