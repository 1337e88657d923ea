"""Which texts can be the id of a test."""

import unicodedata

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
