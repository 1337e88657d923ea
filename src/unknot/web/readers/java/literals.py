"""Java's text literals as the texts that they stand for."""

import re
from textwrap import dedent

_ESCAPE = re.compile(r"\\(u+[0-9a-fA-F]{4}|[0-3]?[0-7]{1,2}|\n|.)", re.DOTALL)
_NAMED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "s": " ", "\n": ""}


def text_literal(written: str) -> str:
    """A literal as it stands in the source, with its quotes; text blocks lose their common margin."""
    if written.startswith('"""'):
        block = written[3:].removesuffix('"""').partition("\n")[2]
        return _unescaped(dedent(block))
    return _unescaped(written.removeprefix('"').removesuffix('"'))


def character(written: str) -> str:
    return _unescaped(written.removeprefix("'").removesuffix("'"))


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: _meaning(found.group(1)), text)


def _meaning(escape: str) -> str:
    if escape in _NAMED:
        return _NAMED[escape]
    if escape.startswith("u") and len(escape) > 4:
        return chr(int(escape.lstrip("u"), 16))
    return chr(int(escape, 8)) if escape.isdecimal() and not set(escape) - set("01234567") else escape
