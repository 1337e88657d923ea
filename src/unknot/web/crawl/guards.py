"""When an action is possible: learned from the tries that worked and those that did not.

Idea
    Before each try, facts are noted: a value is in a list in view; a list is empty, or has one item; two values are
    equal; a value was entered before in a field of an action that worked since the reset. A condition is a fact, or its
    opposite, or two of these. The simplest one that held whenever it worked and never when it did not is the guard.
Assumptions
    What decides is in view, or was entered. Other guards are not found, or a stand-in for them is, such as a list that
    always changes together with what decides.
Guarantee
    No guard without support: if success had nothing to do with the facts, the chance that one of them still separates
    the tries is less than `chance` for each action. Deterministic.
Cost
    For each step the fields times the lists in view and the fields entered since the reset; for two facts, their number
    squared times the different failures, at most 300 of these.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import combinations
from math import comb

from unknot.model.web.web_model import Guard
from unknot.web.crawl.explorer import ChosenStep
from unknot.web.crawl.view import View

CHANCE = 0.001
GUESS = 0.05
"""For choosing values, where an error costs steps only."""

_MOST_FAILURES = 300
_AGAIN = 1.1
"""A guard that was not found is looked for again after so many times the tries."""

_MOST_IN_PAIRS = 30
_MOST_WALKS = 64


class _Sort(IntEnum):
    """Of facts, the simplest first."""

    IN_LIST = 0
    EQUAL = 1
    EMPTY = 2
    ONE_AT_MOST = 3
    ENTERED = 4


@dataclass(frozen=True, order=True, slots=True)
class _Fact:
    """`parameter` is the label of a field; `other` the name of a list, or the label of another field, which belongs to
    `action` if that is given."""

    sort: _Sort
    parameter: str
    other: str
    action: str = ""

    def text(self, *, holds: bool) -> str:
        match self.sort:
            case _Sort.IN_LIST:
                return f"`{self.parameter}` {'' if holds else 'not '}in the list `{self.other}`"
            case _Sort.EQUAL:
                return f"`{self.parameter}` {'equal to' if holds else 'other than'} `{self.other}`"
            case _Sort.EMPTY:
                return f"{'nothing' if holds else 'something'} in the list `{self.other}`"
            case _Sort.ONE_AT_MOST:
                return f"{'at most one' if holds else 'more than one'} in the list `{self.other}`"
        return f"`{self.parameter}` {'' if holds else 'not '}entered before as `{self.other}` of {self.action}"


_Condition = tuple[tuple[_Fact, bool], ...]
_Entered = Mapping[tuple[str, str], frozenset[str]]
"""By the title of an action and a label, what was entered since the reset when it worked."""


@dataclass
class _Tries:
    """`always` and `ever` are facts that held at all of the tries that worked, and at some."""

    worked: int = 0
    failed: int = 0
    always: frozenset[_Fact] = frozenset()
    ever: frozenset[_Fact] = frozenset()
    failures: dict[frozenset[_Fact], None] = field(default_factory=dict)
    never_failing: frozenset[_Fact] = frozenset()
    """Facts that held at each failure."""
    in_failures: frozenset[_Fact] = frozenset()
    found: _Condition | None = None
    found_at: int = 0
    """The number of tries then."""

    def counts(self, facts: frozenset[_Fact], *, worked: bool) -> None:
        if worked:
            self.always = facts if not self.worked else self.always & facts
            self.ever |= facts
            self.worked += 1
        else:
            self.never_failing = facts if not self.failed else self.never_failing & facts
            self.in_failures |= facts
            self.failed += 1
            if len(self.failures) < _MOST_FAILURES:
                self.failures[facts] = None
        if self.found is not None and _holds(self.found, facts) != worked:
            self.found, self.found_at = None, 0

    def condition(self, chance: float) -> _Condition | None:
        if self.found is None and self.worked + self.failed >= _AGAIN * self.found_at:
            self.found, self.found_at = _found(self, chance), self.worked + self.failed
        return self.found


class Guards:
    """Collects steps, of several walks if need be: each step begins at the view at which another one has ended."""

    def __init__(self, chance: float = CHANCE) -> None:
        self._chance = chance
        self._tries: defaultdict[tuple[str, str], _Tries] = defaultdict(_Tries)
        self._walks: dict[int, tuple[View, _Entered]] = {}
        """By the identity of the view at which they are; it is kept so that no other has the same."""

    def begin(self, view: View) -> None:
        """After a reset."""
        self._walks[id(view)] = view, {}
        # Those that were left have ended.
        while len(self._walks) > _MOST_WALKS:
            del self._walks[next(iter(self._walks))]

    def add(self, place: str, before: View, chosen: ChosenStep, after: View) -> None:
        """`place` is where the action belongs: a kind of page, or what many of them share."""
        _, entered = self._walks.pop(id(before), (before, {}))
        facts = frozenset(_facts(before, chosen.values, entered))
        self._tries[place, chosen.action.key].counts(facts, worked=not after.refused)
        if not after.refused:
            title = chosen.action.title
            entered = dict(entered)
            for label, value in chosen.values:
                entered[title, label] = entered.get((title, label), frozenset()) | {value}
        self._walks[id(after)] = after, entered

    def guard(self, place: str, key: str) -> Guard | None:
        tries = self._tries[place, key]
        condition = tries.condition(self._chance)
        if condition is None:
            return None
        text = ", and ".join(fact.text(holds=holds) for fact, holds in condition)
        first = condition[0][0]
        values = first.other if first.sort in (_Sort.IN_LIST, _Sort.EMPTY, _Sort.ONE_AT_MOST) else ""
        return Guard(f"needs {text}", tries.worked, tries.failed, first.parameter, values)

    def allows(self, place: str, key: str, view: View, values: Mapping[str, str]) -> bool:
        """Whether the guard, as far as it is known, holds for these values."""
        condition = self._tries[place, key].condition(self._chance)
        if condition is None:
            return True
        _, entered = self._walks.get(id(view), (view, {}))
        return _holds(condition, frozenset(_facts(view, tuple(values.items()), entered)))


def _facts(view: View, values: tuple[tuple[str, str], ...], entered: _Entered) -> Iterator[_Fact]:
    given = [(label, value) for label, value in values if value]
    for each in view.lists:
        for label, value in given:
            if value in each.examples:
                yield _Fact(_Sort.IN_LIST, label, each.name)
        if not each.examples:
            yield _Fact(_Sort.EMPTY, "", each.name)
        if len(each.examples) <= 1:
            yield _Fact(_Sort.ONE_AT_MOST, "", each.name)
    for (label, value), (other, same) in combinations(given, 2):
        if value == same:
            yield _Fact(_Sort.EQUAL, label, other)
    for (action, field_label), known in entered.items():
        for label, value in given:
            if value in known:
                yield _Fact(_Sort.ENTERED, label, field_label, action)


def _holds(condition: _Condition, facts: frozenset[_Fact]) -> bool:
    return all((fact in facts) == holds for fact, holds in condition)


def _found(tries: _Tries, chance: float) -> _Condition | None:
    if not tries.worked or not tries.failed:
        return None
    known = tries.ever | tries.in_failures
    support = comb(tries.worked + tries.failed, tries.failed)
    if 2 * len(known) >= chance * support:
        return None
    separating = [((fact, True),) for fact in tries.always - tries.in_failures]
    separating += [((fact, False),) for fact in tries.never_failing - tries.ever]
    if separating:
        return min(separating, key=_rank)
    if 2 * len(known) ** 2 >= chance * support or len(tries.failures) >= _MOST_FAILURES:
        return None
    possible = [(fact, True) for fact in tries.always] + [(fact, False) for fact in tries.in_failures - tries.ever]
    possible = sorted(possible, key=lambda each: _rank((each,)))[:_MOST_IN_PAIRS]
    pairs = [pair for pair in combinations(possible, 2) if not any(_holds(pair, facts) for facts in tries.failures)]
    return min(pairs, key=_rank, default=None)


def _rank(condition: _Condition) -> tuple[object, ...]:
    return tuple((fact.sort, not holds, fact) for fact, holds in condition)
