"""JavaScript's text literals as the texts that they stand for."""

import re

_ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.DOTALL)
_NAMED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}


def unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: _meaning(found.group(1)), text)


def _meaning(escape: str) -> str:
    if escape in _NAMED:
        return _NAMED[escape]
    digits = escape[1:].strip("{}")
    if escape[0] in "ux" and digits:
        number = int(digits, 16)
        return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "?"
    return escape
