"""What to enter into a field.

Idea
    What was typed before, or is in view, is worth typing again: most actions that are possible only sometimes need what
    another has made. Values that were entered together go together, such as a name and its password.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from unknot.web.crawl.new_values import new_value
from unknot.web.crawl.view import Action, FormField, View

_SEEN_BEFORE = 0.7
"""The share of values that were typed before or are in view."""

_MADE_BEFORE = 0.3
"""The same for texts in forms that make something."""

_TOGETHER = 0.5

_LONGEST_VALUE = 40
_AGAIN = re.compile("again|repeat|confirm|verify|retype|re-enter")
_WORD = re.compile("[a-z]{3,}")
_COMMON = frozenset({"new", "the", "your", "enter", "please", "old", "current", "first", "last"})


@dataclass
class TypedValues:
    """Values that were entered since the last reset, by the words of their labels."""

    _steps: list[dict[str, str]] = field(default_factory=list)
    _made: int = 0

    def clear(self) -> None:
        self._steps.clear()

    def remember(self, values: Sequence[tuple[str, str]]) -> None:
        if values:
            self._steps.append(dict(values))

    def choose(self, action: Action, view: View, chance: random.Random, *, reuse: bool = True) -> dict[str, str]:
        """A value for each field of the action. `reuse=False`: none that was typed or is in view."""
        together: dict[str, str] = {}
        if reuse and len(action.fields) > 1 and self._steps and chance.random() < _TOGETHER:
            together = chance.choice(self._steps)
        chosen: dict[str, str] = {}
        for each in action.fields:
            again = next((value for label, value in chosen.items() if _is_repetition(each.label, label)), None)
            share = 0.0 if not reuse else _MADE_BEFORE if action.writes and not each.options else _SEEN_BEFORE
            chosen[each.label] = again or self._value(each, together, view, chance, share)
        return chosen

    def _value(
        self, wanted: FormField, together: dict[str, str], view: View, chance: random.Random, share: float
    ) -> str:
        for label, value in together.items():
            if _fits(value, wanted) and words(label) & words(wanted.label):
                return value
        if share and chance.random() < share:
            known = self._known(wanted, view)
            if known:
                return chance.choice(known)
        if wanted.options:
            return chance.choice(wanted.options)
        self._made += 1
        return new_value(wanted, self._made, chance)

    def _known(self, wanted: FormField, view: View) -> list[str]:
        """Typed into such a field, or in view."""
        typed = [
            value
            for step in self._steps
            for label, value in step.items()
            if _fits(value, wanted) and words(label) & words(wanted.label)
        ]
        seen = [value for value in view.values if value in wanted.options]
        if not wanted.options and wanted.constraint("type") in ("", "text", "search"):
            seen = [value for value in view.values if 2 < len(value) <= _LONGEST_VALUE]
        return list(dict.fromkeys([*typed, *seen]))


def _fits(value: str, wanted: FormField) -> bool:
    return value in wanted.options if wanted.options else True


def _is_repetition(label: str, other: str) -> bool:
    """Whether a field asks for what another one asked for, such as "Password" and "Repeat password"."""
    return bool(_AGAIN.search(label.lower())) and bool(words(label) & words(other))


def words(label: str) -> frozenset[str]:
    """
    >>> sorted(words("new_list_name"))
    ['list', 'name']
    """
    return frozenset(_WORD.findall(label.lower())) - _COMMON
