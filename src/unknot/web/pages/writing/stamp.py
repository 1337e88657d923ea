"""The first lines of generated files: what they were made for, and whether they are as they were written."""

import ast
import hashlib
import json
import keyword
from dataclasses import dataclass

_DIGEST, _CLASS, _KIND = "# Digest: ", "# Class: ", "# Made for: "
_HEAD = 6
"""Lines in which stamps are looked for."""


@dataclass(frozen=True)
class Stamp:
    """`made_for` is the kind of page or the component, empty for other files; `name` the class of the user's file,
    empty if a class of ours could not have it."""

    digest: str
    made_for: str = ""
    name: str = ""


def stamped(text: str, advice: str, made_for: str = "", name: str = "", *, by: str = "unknot pages") -> str:
    """The text with a stamp: `by` is the command that wrote it, `advice` says what to change instead. Raises
    SyntaxError if it is no Python: then it is not to be written."""
    lines = [f"# Written by `{by}`: {advice}", f"{_DIGEST}{_digest(text)}"]
    if made_for:
        # ASCII, and without line breaks, whatever the page said.
        lines += [f"{_CLASS}{name}", f"{_KIND}{json.dumps(made_for)}"]
    return "\n".join([*lines, text])


def stamp_of(text: str) -> Stamp | None:
    """None if the file was not written by unknot."""
    head = text.split("\n", _HEAD)[:_HEAD]
    found = {
        mark: line.removeprefix(mark).strip()
        for line in head
        for mark in (_DIGEST, _CLASS, _KIND)
        if line.startswith(mark)
    }
    try:
        made_for = json.loads(found.get(_KIND, '""'))
    except ValueError:
        return None
    if _DIGEST not in found or not isinstance(made_for, str):
        return None
    name = found.get(_CLASS, "")
    can_be_ours = name.isascii() and name.isidentifier() and name[:1].isalpha() and not keyword.iskeyword(name)
    return Stamp(found[_DIGEST], made_for, name if can_be_ours else "")


def is_as_written(text: str) -> bool:
    """Whether the code is as it was written, apart from its format and comments."""
    stamp = stamp_of(text)
    try:
        return stamp is not None and stamp.digest == _digest(text)
    except (SyntaxError, ValueError, RecursionError):
        return False


def is_same_code(one: str, other: str) -> bool:
    """Whether two files that unknot has written have the same content, apart from format and comments."""
    mine, theirs = stamp_of(one), stamp_of(other)
    return mine is not None and mine == theirs


def _digest(text: str) -> str:
    return hashlib.sha256(ast.unparse(ast.parse(text)).encode("utf-8", "surrogatepass")).hexdigest()[:16]
