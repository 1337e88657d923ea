"""What to enter into a field.

Idea
    What was typed before, or is in view, is worth typing again: most actions that are possible only sometimes need what
    another has made. Values that were entered together go together, such as a name and its password.
"""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from unknot.model.web.action import Action, FormField
from unknot.web.crawl.inputs.dates import end_date
from unknot.web.crawl.inputs.new_values import may_be, new_value
from unknot.web.crawl.repairs import EMPTY, NEW, learned_sort, value_of_sort
from unknot.web.crawl.view import View
from unknot.web.crawl.words import words

_SEEN_BEFORE = 0.7
"""The share of values that were typed before or are in view."""

_MADE_BEFORE = 0.3
"""The same for texts in forms that make something."""

_TOGETHER = 0.5

_REPEATED = 0.9
"""The share of fields such as "Repeat password" that get the same value. The others show what happens otherwise."""

_ODD = 0.05
"""The share of values that may be of another sort than the field asks for: what then?"""

_AFTER_ALL = 0.1
"""The share of values that are entered in a field that is better left empty."""

_LONGEST_VALUE = 40
_AGAIN = re.compile("again|repeat|confirm|verify|retype|re-enter|wiederhol|bestätig|repet|répét")

_LEFT_OUT = 0.5
"""The share of optional fields that are left as they are."""

_KEPT = 0.7
"""The same for those that hold a value already."""


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

    def choose(
        self,
        action: Action,
        view: View,
        chance: random.Random,
        *,
        reuse: bool = True,
        sorts: Mapping[tuple[str, str], str] | None = None,
    ) -> dict[str, str]:
        """A value for each field of the action, but for some that need none. `reuse=False`: none that was typed or is
        in view. `sorts` are those of the values that worked, by the keys of actions and the labels of their fields."""
        together: dict[str, str] = {}
        if reuse and len(action.fields) > 1 and self._steps and chance.random() < _TOGETHER:
            together = chance.choice(self._steps)
        chosen: dict[str, str] = {}
        radios = _chosen_radios(action, chance)
        for each in action.fields:
            sort = learned_sort(sorts, action, each) if sorts else ""
            is_left = sort != NEW and len(action.fields) > 1 and not _is_filled(each, radios, chance)
            if is_left or (sort == EMPTY and chance.random() >= _AFTER_ALL):
                continue
            again = _repeated(each, action, chosen)
            if (again and chance.random() < _REPEATED) or (again := end_date(each, chosen)):
                chosen[each.label] = again
                continue
            share = 0.0 if not reuse else _MADE_BEFORE if action.writes and not each.options else _SEEN_BEFORE
            if sort and chance.random() >= share:
                self._made += 1
                chosen[each.label] = value_of_sort(sort, each, self._made)
            else:
                chosen[each.label] = self._value(each, together, view, chance, share)
        return chosen

    def _value(
        self, wanted: FormField, together: dict[str, str], view: View, chance: random.Random, share: float
    ) -> str:
        for label, value in together.items():
            if _fits(value, wanted) and words(label) & words(wanted.label) and _apt(wanted, [value], chance):
                return value
        if share and chance.random() < share:
            known = _apt(wanted, self._known(wanted, view), chance)
            if known:
                return chance.choice(known)
        if wanted.options:
            return chance.choice(wanted.options)
        self._made += 1
        return new_value(wanted, self._made, chance)

    def entered(self, wanted: FormField) -> list[str]:
        """What was typed into such a field."""
        return [
            value
            for step in self._steps
            for label, value in step.items()
            if value and _fits(value, wanted) and words(label) & words(wanted.label)
        ]

    def _known(self, wanted: FormField, view: View) -> list[str]:
        """Typed into such a field, or in view."""
        seen = [value for value in view.values if value in wanted.options]
        if not wanted.options and wanted.constraint("type") in ("", "text", "search"):
            seen = [value for value in view.values if 2 < len(value) <= _LONGEST_VALUE]
        return list(dict.fromkeys([*self.entered(wanted), *seen]))


def _fits(value: str, wanted: FormField) -> bool:
    return value in wanted.options if wanted.options else True


def _apt(wanted: FormField, values: list[str], chance: random.Random) -> list[str]:
    """Those of the form that the field asks for; now and then all."""
    apt = values if wanted.options else [each for each in values if may_be(wanted, each)]
    return apt if len(apt) == len(values) or chance.random() >= _ODD else values


def _is_filled(wanted: FormField, radios: frozenset[str], chance: random.Random) -> bool:
    if wanted.role == "radio":
        return wanted.label in radios
    if wanted.value and wanted.role != "checkbox":
        return chance.random() >= _KEPT
    if wanted.options or wanted.required or wanted.constraint("type") in ("password", "file"):
        return True
    return chance.random() >= _LEFT_OUT


def _chosen_radios(action: Action, chance: random.Random) -> frozenset[str]:
    """One of each group."""
    groups: dict[str, list[str]] = {}
    for each in action.fields:
        if each.role == "radio":
            groups.setdefault(each.constraint("name"), []).append(each.label)
    return frozenset(chance.choice(labels) for labels in groups.values())


def _repeated(wanted: FormField, action: Action, chosen: Mapping[str, str]) -> str:
    """What another field has, if this one asks for it again."""
    for label, value in chosen.items():
        if _is_repetition(wanted.label, label):
            return value
    if wanted.constraint("type") != "password" or wanted.constraint("autocomplete") == "current-password":
        return ""
    others = [
        each.label
        for each in action.fields
        if each.constraint("type") == "password" and each.label in chosen and words(each.label) == words(wanted.label)
    ]
    return chosen[others[-1]] if others else ""


def _is_repetition(label: str, other: str) -> bool:
    """Whether a field asks for what another one asked for, such as "Password" and "Repeat password"."""
    return bool(_AGAIN.search(label.lower())) and bool(words(label) & words(other))
