"""JSON for files that people read, compare and merge."""

import json
import re

_WIDTH = 120
_NOT_ASCII = re.compile("[^\x00-\x7e]")


def readable_json(document: object) -> str:
    """What fits on one line stays on one line; else each member has a line of its own, so that a difference between
    two versions shows what has changed and little else. Characters that do not print are escaped: no text in the file
    can hide another. Guarantee: the same values give the same text, with a newline last. Cost: linear in the text for
    each level."""
    return _NOT_ASCII.sub(_escaped, _laid_out(document, "", 0)) + "\n"


def _laid_out(value: object, indent: str, used: int) -> str:
    """`used`: how many characters stand before the value on its line."""
    flat = _flat(value)
    if used + len(flat) < _WIDTH or not value or not isinstance(value, dict | list):
        return flat
    inner = f"{indent} "
    if isinstance(value, list):
        opening, closing = "[]"
        lines = [f"{inner}{_laid_out(each, inner, len(inner))}" for each in value]
    else:
        opening, closing = "{}"
        names = {key: f"{inner}{_flat(key)}: " for key in value}
        lines = [f"{names[key]}{_laid_out(each, inner, len(names[key]))}" for key, each in value.items()]
    return "\n".join((opening, ",\n".join(lines), f"{indent}{closing}"))


def _flat(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _escaped(found: re.Match[str]) -> str:
    return found[0] if found[0].isprintable() else json.dumps(found[0])[1:-1]
