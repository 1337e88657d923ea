"""Kinds of pages that look the same and behave differently are split.

Idea
    The same action, without inputs, leads to one kind of page from some pages and to another kind from others. If one
    thing in view tells the two sides apart without exception, it is no data: it says which page it is, such as the
    number in "Step 3 of 3" or a parameter of the address. From then on, pages that have it are a kind of their own.
Assumptions
    A difference that comes from hidden state, such as what was added before, shows no such thing: that is a guard, and
    not another page. Buttons that send forms are left out, since what they lead to depends on the data.
Guarantee
    No split without several cases on each side. Deterministic. A name that was given stays.
Cost
    Linear in the cases of the action, which are limited.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from urllib.parse import parse_qsl, urlsplit

from unknot.model.web.action import Action
from unknot.web.application.observation import Observation
from unknot.web.crawl.page_kinds.page_face import page_face

_ENOUGH = 3
"""Cases on each side."""

_MOST_CASES = 60

_Parts = frozenset[str]


class Conflicts:
    """Where actions of a kind led, and which kinds were split because of it."""

    def __init__(self) -> None:
        self._cases: defaultdict[tuple[str, str], list[tuple[_Parts, str]]] = defaultdict(list)
        self._splits: defaultdict[str, dict[str, str]] = defaultdict(dict)
        """By kind: what pages have that are of another kind, and the name of that one."""

    @property
    def names(self) -> Iterator[str]:
        return (name for split in self._splits.values() for name in split.values())

    def split(self, kind: str, observation: Observation) -> str:
        """The kind of an observation that was of this kind before any split."""
        if kind not in self._splits:
            return kind
        parts = _parts(observation)
        while True:
            name = next((name for part, name in self._splits.get(kind, {}).items() if part in parts), None)
            if name is None:
                return kind
            kind = name

    def note(self, before: Observation, kind: str, action: Action, target: str, new_name: Callable[[str], str]) -> None:
        """What an action led to from a page of this kind. May split the kind."""
        if action.fields or action.writes:
            return
        cases = self._cases[kind, action.key]
        if len(cases) >= _MOST_CASES:
            return
        cases.append((_parts(before), target))
        telling = _telling(cases)
        if telling is not None:
            self._splits[kind][telling] = new_name(kind)
            for key in [key for key in self._cases if key[0] == kind]:
                del self._cases[key]


def _telling(cases: list[tuple[_Parts, str]]) -> str | None:
    """What all pages have from which the action led to one kind, and no other page has."""
    for target in sorted({target for _, target in cases}):
        having = [parts for parts, each in cases if each == target]
        others = [parts for parts, each in cases if each != target]
        if len(having) >= _ENOUGH and len(others) >= _ENOUGH:
            common = frozenset.intersection(*having) - frozenset.union(*others)
            if common:
                return min(common)
    return None


def _parts(observation: Observation) -> _Parts:
    """What is in view and in the address, with its data."""
    face = page_face(observation, observation.root)
    headings = (f"heading {each.name}" for each in observation.root.walk() if each.role == "heading")
    forms = (f"form {', '.join(sorted(each))}" for each in face.forms)
    return frozenset((*headings, *forms, *face.actions, *_address_parts(observation.address)))


def _address_parts(address: str) -> Iterator[str]:
    try:
        parts = urlsplit(address)
    except ValueError:
        return
    for name, value in parse_qsl(parts.query):
        yield f"parameter {name}={value}"
    for number, segment in enumerate(parts.path.split("/")):
        yield f"segment {number}: {segment}"
