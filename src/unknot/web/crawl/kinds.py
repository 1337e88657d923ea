"""Which observations are of the same kind of page."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Protocol

from unknot.model.web.action import Action
from unknot.web.application.observation import Observation
from unknot.web.crawl.addresses import address_template, segments, without_parameters
from unknot.web.crawl.page_kinds.conflicts import Conflicts
from unknot.web.crawl.page_kinds.known_kind import KnownKind, Part
from unknot.web.crawl.page_kinds.noise import Noise, noise_of
from unknot.web.crawl.page_kinds.page_face import PageFace, page_face, title_text, without_numbers
from unknot.web.crawl.page_kinds.page_names import numbered
from unknot.web.crawl.parts import REPEATED, SHARED


class PageKinds(Protocol):
    """Gives observations the names of page kinds."""

    needs_html: bool
    """Whether it compares documents, so that the application has to keep them."""

    noise: Noise
    """What is known to change by itself."""

    def kind_of(self, observation: Observation) -> str:
        """Learns from it, and from a second look if it has one."""

    def typed(self, values: Sequence[str]) -> None:
        """These values were entered: where they show up again, they are data."""

    def wants_twin(self, observation: Observation) -> bool:
        """Whether it should be looked at again, so that it is known what is noise on it. Before `kind_of`."""

    def led_to(self, before: Observation, kind: str, action: Action, target: str) -> None:
        """An action without inputs, on a page of this kind, led to a page of the kind `target`."""


class KindByTitle:
    """For simulated applications, and for page objects: the title says which page it is."""

    needs_html = False
    noise = Noise()

    def kind_of(self, observation: Observation) -> str:
        return observation.title

    def typed(self, values: Sequence[str]) -> None:
        pass

    def wants_twin(self, observation: Observation) -> bool:  # noqa: ARG002
        return False

    def led_to(self, before: Observation, kind: str, action: Action, target: str) -> None:
        pass


class FoldedKinds:
    """Kinds of page by what a person would call the same page.

    Idea
        Data makes no kind: rows, numbers, what was typed, and noise are folded away. What is left of a page is its
        *face*: the form of its address, its own forms, tables, headings and actions, without what is on many pages
        (menus, headers, footers) and without dialogs, which are a part of the page below. That a page has more or less
        than others of a kind is a state of it: an empty list, a message, a button that not everybody has. A page is
        another one if something was *replaced*: it lacks what the kind always has, and has what the kind never had, in
        its forms or in its headings. Headings that are replaced are data at another address if the forms or the table
        are those of a known page, unless other kinds have these headings. A page with the same headings as a known one,
        and the same forms or the same table, is of its kind at any address: errors, forms that are shown again, a list
        that is the front page as well. From then on this address is one of the kind.
    Assumptions
        Pages with the same headings, and the same forms or columns, serve the same purpose.
    Guarantee
        Deterministic: depends on what was seen and typed before, in that order. The order of elements, and how many
        rows there are, count for nothing.
    Cost
        Linear in the tree and in the kinds known.
    """

    needs_html = False

    def __init__(self) -> None:
        self.noise = Noise()
        self._kinds: list[KnownKind] = []
        self._last_at: dict[str, KnownKind] = {}
        self._typed: dict[str, None] = {}
        self._data: set[str] = set()
        self._with_twins: set[KnownKind] = set()
        self._conflicts = Conflicts()
        self._in_rows: set[str] = set()
        """Texts of rows and list items: where they are a part of a heading, they are data there."""
        self._fixed: set[str] = set()
        """Parts of addresses that are data, and those that were there before anything like them was typed."""

    def typed(self, values: Sequence[str]) -> None:
        self._typed |= dict.fromkeys(value for value in values if len(value) > _SHORTEST)
        self._data.update({_slug(value) for value in values if len(value) > _SHORTEST} - self._fixed)

    def wants_twin(self, observation: Observation) -> bool:
        """Once for each kind, as soon as it can be had."""
        kind = self._found(self._face(observation))
        return kind is None or kind not in self._with_twins

    def led_to(self, before: Observation, kind: str, action: Action, target: str) -> None:
        self._conflicts.note(before, kind, action, target, self._new_name)

    def kind_of(self, observation: Observation) -> str:
        if observation.again is not None:
            self.noise |= noise_of(observation.root, observation.again)
        face = self._face(observation)
        if len(self._in_rows) < _MOST_TEXTS:
            self._in_rows.update(_texts_in_rows(observation))
        self._fixed.update(_segments_in_view(observation) - self._data)
        kind = self._found(face)
        if kind is None:
            kind = KnownKind(self._new_name(self._template(face.address)), face)
            self._kinds.append(kind)
        else:
            self._learn_segments(kind, face)
            if not kind.is_in_another_language(face):
                kind.add(face)
            if self._template(face.address) not in map(self._template, kind.addresses):
                kind.addresses.append(face.address)
        self._last_at[face.address] = kind
        if observation.again is not None:
            self._with_twins.add(kind)
        return self._conflicts.split(kind.name, observation)

    def _found(self, face: PageFace) -> KnownKind | None:
        shared = self._shared()
        if face.is_covered and face.address in self._last_at:
            # The page below cannot be seen.
            return self._last_at[face.address]
        template = self._template(face.address)
        same_address = [kind for kind in self._kinds if template in map(self._template, kind.addresses)]
        elsewhere = [kind for kind in self._kinds if kind not in same_address]
        for kind in (*same_address, *elsewhere):
            if kind.is_the_same_elsewhere(face, shared):
                return kind
        for kind in same_address:
            fixed = frozenset(heading for each in self._kinds if each is not kind for heading in each.headings)
            if kind.agrees(face, shared, fixed, self._is_data):
                return kind
        return None

    def _shared(self) -> frozenset[Part]:
        """Parts that many kinds have."""
        counted = Counter(part for kind in self._kinds for part in kind.parts)
        return frozenset(part for part, count in counted.items() if count >= _MANY)

    def _learn_segments(self, kind: KnownKind, face: PageFace) -> None:
        """Where addresses of one kind differ in one part, this part is data if the page has a form, or if one of the
        two is known to be. A page that says that something went wrong may be at any address."""
        one, other = segments(kind.first.address), segments(face.address)
        different = [{*pair} for pair in zip(one, other, strict=False) if pair[0] != pair[1]]
        if len(one) != len(other) or len(different) != 1:
            return
        if different[0] & self._data or (face.forms and len(one) > 1):
            self._data |= different[0]

    def _face(self, observation: Observation) -> PageFace:
        return page_face(observation, self.noise.without(observation.root), self._typed)

    def _is_data(self, heading: str) -> bool:
        words = _words(title_text(heading))
        return "*" in heading or any(text in words for text in self._in_rows)

    def _template(self, address: str) -> str:
        return without_parameters(address_template(address, frozenset(self._data)))

    def _new_name(self, template: str) -> str:
        """The address, with a number if other kinds have it as well."""
        taken = {*(kind.name for kind in self._kinds), *self._conflicts.names}
        return numbered(template or "/", taken)


_WORD = re.compile(r"[\w*]+")

_MANY = 3
"""Parts on so many kinds of pages belong to none of them."""

_SHORTEST = 2
"""Shorter values may be a part of anything by chance."""

_MOST_TEXTS = 5_000
_LONGEST = 60
"""Longer texts are in no heading."""


def _texts_in_rows(observation: Observation) -> Iterator[str]:
    """As words, without numbers, which are not in faces. Menus are lists too, but no data; nor are names of columns."""
    waiting = [(observation.root, False)]
    while waiting:
        each, in_row = waiting.pop()
        if each.role in SHARED or each.role == "columnheader":
            continue
        if in_row and each.text and _SHORTEST < len(each.text) <= _LONGEST:
            yield _words(without_numbers(each.text))
        waiting.extend((child, in_row or each.role in REPEATED) for child in each.children)


def _words(text: str) -> str:
    """So that a text is in another one only as whole words.

    >>> _words("Tom & Emma's")
    ' Tom Emma s '
    """
    return f" {' '.join(_WORD.findall(text))} "


def _segments_in_view(observation: Observation) -> set[str]:
    links = (each.attribute("href") for each in observation.root.walk())
    addresses = [observation.address, *filter(None, links)]
    return {segment for address in addresses for segment in segments(address)}


def _slug(value: str) -> str:
    """What an address may make of a name.

    >>> _slug("Summer trip, 2026")
    'summer-trip-2026'
    """
    return re.sub(r"[^\w.~]+", "-", value.lower()).strip("-")
