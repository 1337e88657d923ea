"""Which of the values that a walk entered are data, and other values in their place."""

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from unknot.model.web.action import FormField
from unknot.model.web.element import Element
from unknot.web.crawl.explorer import ChosenStep
from unknot.web.crawl.inputs.new_values import new_value
from unknot.web.crawl.trace import TakenStep
from unknot.web.suite.draft import Draft, names

_FREE = frozenset({"", "text", "search", "tel", "url", "email", "password"})
"""Types of fields that take any text, or nearly."""

_SHORTEST = 3
"""Shorter values may be anywhere by chance."""

_FIRST = 100
"""Numbers of as many digits are no part of each other."""

_DRAWS = 20
_NUMBER = re.compile(r"\d+")


def data_of(walk: Sequence[TakenStep]) -> dict[str, int]:
    """The texts that were entered into free fields, and that no page had shown before, each with the place of the step
    that entered it first.

    Cost: a search in each page before each value that is entered.
    """
    found: dict[str, int] = {}
    shown: list[str] = []
    for place, step in enumerate(walk):
        if step.chosen is not None:
            free = {each.label for each in step.chosen.action.fields if is_free(each)}
            for label, value in in_sequence(step.chosen):
                is_new = label in free and len(value) >= _SHORTEST and value not in found
                if is_new and not any(names(text, value) for text in shown):
                    found[value] = place
        shown.append(_shown(step.after.observation.root))
    return found


def in_sequence(chosen: ChosenStep) -> tuple[tuple[str, str], ...]:
    """Its values, in the sequence of the fields on the page."""
    places = {field.label: place for place, field in enumerate(chosen.action.fields)}
    return tuple(sorted(chosen.values, key=lambda each: places.get(each[0], len(places))))


def is_free(field: FormField) -> bool:
    return (
        not field.options
        and not field.constraint("list")
        and field.role not in ("spinbutton", "slider")
        and field.constraint("type").lower() in _FREE
    )


class NewData:
    """Gives each draft values of its own: none is a part of another, so that a search for one does not find the other,
    and none is one that was entered by a walk. Deterministic by seed."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._number = _FIRST
        self._taken: dict[str, None] = {}
        self._given: dict[str, None] = {}

    def taken(self, values: Iterable[str]) -> None:
        """These are in use."""
        self._taken |= dict.fromkeys(values)

    def renewed(self, draft: Draft) -> tuple[Draft, dict[str, str]]:
        """With other data, and which is in the place of which. What has no other value that fits its field, and what
        nothing enters any more, is no data of it from now on."""
        other: dict[str, str] = {}
        for value in draft.data:
            field = draft.field_of(value)
            new = self._other(field, value) if field is not None else ""
            if new:
                other[value] = new
        return replace(draft, data=tuple(other)).with_data(other), other

    def filled(self, draft: Draft) -> Draft | None:
        """With a value in the first free field of its last step, if that sends a form in which nothing was entered: a
        better test, if it works as well."""
        act = draft.steps[-1]
        free = next((each for each in act.action.fields if is_free(each) and not each.value), None)
        # A password would be another one for all tests.
        if free is None or free.constraint("type").lower() == "password" or act.values or not act.action.writes:
            return None
        self._number += 1
        value = new_value(free, self._number, self._chance)
        if len(value) < _SHORTEST or value in self._taken:
            return None
        step = replace(act, values=((free.label, value),))
        return replace(draft, steps=(*draft.steps[:-1], step), data=(*draft.data, value))

    def _other(self, field: FormField, value: str) -> str:
        """Empty if there is none."""
        for _ in range(_DRAWS):
            self._number += 1
            for new in self._alternatives(field, value):
                is_part = any(new in each or each in new for each in self._given)
                if new != value and new not in self._taken and not is_part:
                    self._given[new] = None
                    return new
        return ""

    def _alternatives(self, field: FormField, value: str) -> Iterator[str]:
        """Of the same form as the value: the application has accepted that one."""
        made = new_value(field, self._number, self._chance)
        has_pattern = bool(field.constraint("pattern"))
        if has_pattern or _form(made) == _form(value):
            yield made
        if has_pattern:
            return
        numbers = list(_NUMBER.finditer(value))
        if not numbers:
            return
        last = numbers[-1]
        number = str(self._number)
        if last.group() == value:
            # A year, for example: only what is near is accepted as well.
            number = value[:-2] + number[-2:]
        longest = field.length("maxlength")
        new = f"{value[: last.start()]}{number}{value[last.end() :]}"
        if number and (longest is None or len(new) <= longest):
            yield new


def _form(value: str) -> str:
    return _NUMBER.sub("0", value)


def _shown(root: Element) -> str:
    """All that a page shows, and what its fields hold."""
    return "\n".join(text for each in root.walk() for text in (each.name, each.text, each.value) if text)
