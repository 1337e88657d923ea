"""What to enter into a field.

Idea
    What was typed before, or is in view, is worth typing again: most actions that are possible only sometimes need what
    another has made. Values that were entered together go together, such as a name and its password.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from unknot.web.crawl.view import Action, Field, View

_SEEN_BEFORE = 0.7
_TOGETHER = 0.5

_WORD = re.compile("[a-z]{3,}")
_COMMON = frozenset({"new", "the", "your", "enter", "please", "old", "current", "first", "last"})


@dataclass
class TypedValues:
    """Values that were entered since the last reset, by the words of their labels."""

    _steps: list[dict[str, str]] = field(default_factory=list)

    def clear(self) -> None:
        self._steps.clear()

    def remember(self, values: Sequence[tuple[str, str]]) -> None:
        if values:
            self._steps.append(dict(values))

    def choose(self, action: Action, view: View, chance: random.Random, *, reuse: bool = True) -> dict[str, str]:
        """A value for each field of the action that offers some."""
        together: dict[str, str] = {}
        if reuse and len(action.fields) > 1 and self._steps and chance.random() < _TOGETHER:
            together = chance.choice(self._steps)
        return {
            each.label: self._value(each, together, view, chance, reuse=reuse) for each in action.fields if each.options
        }

    def _value(self, wanted: Field, together: dict[str, str], view: View, chance: random.Random, *, reuse: bool) -> str:
        for label, value in together.items():
            if value in wanted.options and words(label) & words(wanted.label):
                return value
        if reuse and chance.random() < _SEEN_BEFORE:
            known = self._known(wanted, view)
            if known:
                return chance.choice(known)
        return chance.choice(wanted.options)

    def _known(self, wanted: Field, view: View) -> list[str]:
        """Typed into such a field, or in view."""
        typed = [
            value
            for step in self._steps
            for label, value in step.items()
            if value in wanted.options and words(label) & words(wanted.label)
        ]
        seen = [value for value in view.values if value in wanted.options]
        return list(dict.fromkeys([*typed, *seen]))


def words(label: str) -> frozenset[str]:
    """
    >>> sorted(words("new_list_name"))
    ['list', 'name']
    """
    return frozenset(_WORD.findall(label.lower())) - _COMMON
