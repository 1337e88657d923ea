"""JavaScript's text literals as the texts that they stand for."""

import re

_ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.DOTALL)
_CLASS = re.compile(r"\\(?:([^\w\s])|[a-zA-Z][+*?]?)")
_NAMED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}


def unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: _meaning(found.group(1)), text)


def looked_for_by(pattern: str) -> str:
    """The text that a regular expression looks for, as far as it is written out. Signs of the expression stay in it:
    around words they do no harm.

    >>> looked_for_by(r"^Hello,\\s+ann\\.lee\\/x$")
    '^Hello, ann.lee/x$'
    """
    return _CLASS.sub(lambda found: " " if found.group(1) is None else found.group(1), pattern)


def _meaning(escape: str) -> str:
    if escape in _NAMED:
        return _NAMED[escape]
    digits = escape[1:].strip("{}")
    if escape[0] in "ux" and digits:
        number = int(digits, 16)
        return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "?"
    return escape
