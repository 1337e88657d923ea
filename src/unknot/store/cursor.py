"""Reads JSON that may have been edited by hand: every value knows its place in the document."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from unknot.model.sanitise import shown

_MOST_SECONDS = 1e12
"""Thirty thousand years: sums of it are still numbers."""


class Fault(Exception):
    """The document is not what it should be. `where` is the JSON path, `what` the rest of the sentence."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(f"{where}: {what}" if where else what)
        self.where = where
        self.what = what


@dataclass(frozen=True)
class Cursor:
    """A value and its JSON path, such as `needs[3].any_of`; the path of the whole document is empty. Every method
    that gives something back has checked its type, and raises Fault otherwise."""

    value: Any
    where: str = ""

    def fault(self, what: str) -> Fault:
        return Fault(self.where, what)

    def member(self, key: str) -> "Cursor":
        found = self.object()
        place = f"{self.where}.{key}" if self.where else key
        if key not in found:
            raise Fault(place, "missing")
        return Cursor(found[key], place)

    def optional(self, key: str, default: object) -> "Cursor":
        return self.member(key) if key in self.object() else Cursor(default, self.where)

    def entry(self, key: str) -> "Cursor":
        """A member of an object whose keys are test ids."""
        place = f'{self.where}["{shown(key)}"]'
        found = self.object()
        if key not in found:
            raise Fault(place, "missing")
        return Cursor(found[key], place)

    def items(self) -> Iterator["Cursor"]:
        if not isinstance(self.value, list):
            raise self._expected("a list")
        return (Cursor(value, f"{self.where}[{index}]") for index, value in enumerate(self.value))

    def object(self) -> Mapping[str, Any]:
        if not isinstance(self.value, dict):
            raise self._expected("an object")
        return self.value

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self._expected("a string")
        return self.value

    def truth(self) -> bool:
        if not isinstance(self.value, bool):
            raise self._expected("true or false")
        return self.value

    def count(self) -> int:
        # In Python true is an int too; in JSON it is no number.
        if isinstance(self.value, bool) or not isinstance(self.value, int) or self.value < 0:
            raise self._expected("a whole number, 0 or more")
        return self.value

    def seconds(self) -> float:
        return self._number("a number of seconds, 0 or more", _MOST_SECONDS)

    def share(self) -> float:
        return self._number("a number from 0 to 1", 1.0)

    def _number(self, wanted: str, most: float) -> float:
        value = self.value
        try:
            if isinstance(value, int | float) and not isinstance(value, bool):
                number = float(value)
                if math.isfinite(number) and 0 <= number <= most:
                    return number
        except OverflowError:
            pass
        raise self._expected(wanted)

    def _expected(self, wanted: str) -> Fault:
        return self.fault(f"must be {wanted}, is {_described(self.value)}")


def _described(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"the number {value!r}" if abs(value) < 1e15 else "a number too large"
    kinds: dict[type, str] = {str: "a string", list: "a list", dict: "an object"}
    return kinds.get(type(value), "something else")
