"""A text that a regular expression accepts, as in the attribute `pattern` of a field.

Idea
    Walks the parsed expression once and writes the least that it asks for, a little more where it allows any number.
    Characters are taken from all ranges of a class in turn, so that conditions that look ahead, such as "a digit
    somewhere", are met by chance where the text is free.
Assumptions
    The dialects of JavaScript and of Python agree on what occurs in forms; what Python cannot parse has no text.
Guarantee
    Without assertions and back references in the expression, the text matches as a whole. Nothing is ever matched, and
    an expression that asks for a long text, or for nothing over and over again, has none: no hostile one takes long.
Cost
    Linear in the expression and in the text, which has 200 characters at most.
"""

import re
import re._constants as op  # type: ignore[import-not-found,import-untyped,unused-ignore]
import re._parser as parser  # type: ignore[import-not-found,import-untyped,unused-ignore]
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

_LONGEST_PATTERN = 500
_LONGEST = 200
_MOST_VISITS = 5_000
"""Of parts of the expression, each as often as it is repeated."""

_OPEN = 8
"""So many of what may be repeated at will."""

_ANY = ("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789", "-_.!")
_CATEGORIES: dict[Any, Sequence[str]] = {
    op.CATEGORY_DIGIT: ("0123456789",),
    op.CATEGORY_WORD: _ANY[:3],
    op.CATEGORY_SPACE: (" ",),
    op.CATEGORY_NOT_DIGIT: _ANY[:2],
    op.CATEGORY_NOT_WORD: ("-.!",),
    op.CATEGORY_NOT_SPACE: _ANY,
}


def matching_text(pattern: str, number: int) -> str:
    """Another text for another number, where the expression leaves a choice. Empty if there is none.

    >>> matching_text("[A-Z]{2}-[0-9]{3}", 4)
    'EF-789'
    """
    if len(pattern) > _LONGEST_PATTERN:
        return ""
    try:
        with warnings.catch_warnings():
            # Python warns of what it may read otherwise one day.
            warnings.simplefilter("ignore")
            parsed = parser.parse(_in_python(pattern))
        return _Writer(number).text(parsed)
    except (re.error, OverflowError, RecursionError, _TooMuch):
        return ""


class _TooMuch(Exception):
    """The expression asks for more than is written."""


def _in_python(pattern: str) -> str:
    """Named groups and escapes of JavaScript as Python writes them."""
    pattern = re.sub(r"\(\?<([A-Za-z_]\w*)>", r"(?P<\1>", pattern)
    return re.sub(r"\\/", "/", pattern).removeprefix("^").removesuffix("$")


class _Writer:
    def __init__(self, number: int) -> None:
        self._number = number
        self._length = 0
        self._visits = 0
        self._groups: dict[int, str] = {}

    def text(self, parsed: Iterable[Any]) -> str:
        self._visits += 1
        if self._visits > _MOST_VISITS:
            raise _TooMuch
        return "".join(self._written(kind, given) for kind, given in parsed)

    def _written(self, kind: Any, given: Any) -> str:
        if kind is op.LITERAL:
            return self._one((chr(given),))
        if kind is op.ANY:
            return self._one(_ANY)
        if kind is op.NOT_LITERAL:
            return self._one(_without(_ANY, {chr(given)}))
        if kind is op.IN:
            return self._one(_alphabets(given))
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            return self._repeated(*given)
        if kind is op.BRANCH:
            return self.text(given[1][self._number % len(given[1])])
        if kind is op.SUBPATTERN:
            self._groups[given[0] or 0] = text = self.text(given[3])
            return text
        if kind is op.ATOMIC_GROUP:
            return self.text(given)
        if kind is op.GROUPREF:
            return self._counted(self._groups.get(given, ""))
        # Assertions and borders take no characters.
        return ""

    def _repeated(self, least: int, most: int, body: Sequence[Any]) -> str:
        is_open = most == op.MAXREPEAT
        times = max(least, min(_OPEN, most) if is_open or most >= _OPEN else least or min(most, 1))
        if len(body) != 1 or body[0][0] not in (op.IN, op.ANY, op.NOT_LITERAL):
            times = max(least, min(most, 1))
        return "".join(self.text(body) for _ in range(times))

    def _one(self, alphabets: Sequence[str]) -> str:
        if not alphabets:
            return ""
        alphabet = alphabets[self._length % len(alphabets)]
        return self._counted(alphabet[(self._number + self._length) % len(alphabet)])

    def _counted(self, text: str) -> str:
        self._length += len(text)
        if self._length > _LONGEST:
            raise _TooMuch
        return text


def _alphabets(given: Sequence[tuple[Any, Any]]) -> Sequence[str]:
    """The characters of a class, by its ranges."""
    found: list[str] = []
    is_negated = any(kind is op.NEGATE for kind, _ in given)
    for kind, value in given:
        if kind is op.LITERAL:
            found.append(chr(value))
        elif kind is op.RANGE:
            # Of large ranges, the beginning.
            found.append("".join(map(chr, range(value[0], min(value[1], value[0] + 90) + 1))))
        elif kind is op.CATEGORY:
            found.extend(_CATEGORIES.get(value, ()))
    if is_negated:
        return _without(_ANY, set("".join(found)))
    return found


def _without(alphabets: Iterable[str], excluded: set[str]) -> Sequence[str]:
    left = ("".join(char for char in alphabet if char not in excluded) for alphabet in alphabets)
    return [alphabet for alphabet in left if alphabet]
