"""What is known of a kind of page, and whether an observation is of it."""

from collections.abc import Callable
from typing import Generic, TypeVar

from unknot.model.web.stars import matches
from unknot.web.crawl.addresses import without_parameters
from unknot.web.crawl.page_kinds.page_face import PageFace, Words, is_title, title_parts

_MOST_FACES = 20
"""More examples of one kind tell nothing new."""

_Part = TypeVar("_Part", str, Words)


class KnownKind:
    """What all of its pages had, and any of them."""

    def __init__(self, name: str, face: PageFace) -> None:
        self.name = name
        self.first = face
        self.addresses = [face.address]
        """One of each form."""
        self.forms = face.forms
        """Those of any page; in the following as well, unless it says `always`."""
        self.always_forms = face.forms
        self.actions = face.actions
        self.headings = face.headings
        self.always_headings = face.headings
        self._headings_at = {face.address: face.headings}
        """Those that each address has always had."""
        self._paths = {without_parameters(face.address)}
        self._faces = [face]

    @property
    def parts(self) -> "frozenset[Part]":
        return self.forms | self.headings | self.actions

    def add(self, face: PageFace) -> None:
        self.always_forms &= face.forms
        self.forms |= face.forms
        self.actions |= face.actions
        self.headings |= face.headings
        self.always_headings = _common(self.always_headings, face.headings)
        known = self._headings_at.get(face.address, face.headings)
        self._headings_at[face.address] = _common(known, face.headings)
        self._paths.add(without_parameters(face.address))
        if len(self._faces) < _MOST_FACES and not any(_same(face, each) for each in self._faces):
            self._faces.append(face)

    def agrees(self, face: PageFace, shared: "frozenset[Part]", fixed: Words, is_data: Callable[[str], bool]) -> bool:
        """Whether a page at an address of the same form is of this kind. `shared` are parts of many kinds of pages,
        `fixed` headings that other kinds have, so that they are no data. `is_data`: whether a heading is known to show
        data."""
        if face.is_empty or self.first.is_empty:
            return face.is_empty == self.first.is_empty
        forms = _Relation(face.forms - shared, self.always_forms - shared, self.forms - shared, _is_form)
        if forms.is_replaced or _have_no_field_in_common(face.forms - shared, self.forms - shared):
            return False
        actions = _Relation(face.actions - shared, frozenset(), self.actions - shared, _agree)
        known = self._headings_at.get(face.address)
        always = self.always_headings if known is None else known
        headings = _Relation(
            face.headings - shared,
            always - shared,
            self.headings - shared,
            lambda one, other: _fit(one, other, is_data),
        )
        if headings.is_replaced:
            if self.is_in_another_language(face):
                return True
            if known is not None or headings.added & fixed:
                return False
            if any(_have_same_content(face, each, shared) for each in self._faces):
                return True
            if self._has_one_name:
                return False
            if any(_have_same_actions(face, each, shared) for each in self._faces):
                return True
            is_common = forms.is_common or actions.is_common or face.is_text
            return is_common and not self._is_chosen_by_parameters(face) and all(map(is_data, headings.added))
        if actions.is_apart and not forms.is_common:
            return not forms.is_any and headings.is_common
        return forms.is_common or actions.is_common or headings.is_common or not (forms.is_any and actions.is_any)

    @property
    def _has_one_name(self) -> bool:
        """Whether its headings were the same at several addresses, so that they are no data: an error, for example."""
        return len(self._paths) > 1 and self.headings == self.always_headings

    def _is_chosen_by_parameters(self, face: PageFace) -> bool:
        """Whether only parameters tell its address from known ones. They may choose another page."""
        return without_parameters(face.address) in self._paths

    def is_in_another_language(self, face: PageFace) -> bool:
        """The forms are the same, and all that they say is not."""
        here, there = dict(self.first.labels), dict(face.labels)
        both = here.keys() & there.keys()
        return face.forms == self.first.forms and bool(both) and all(here[name] != there[name] for name in both)

    def is_the_same_elsewhere(self, face: PageFace, shared: "frozenset[Part]") -> bool:
        """Whether a page at any address is of this kind: nothing but the address tells it from one that is."""
        return any(_looks_like(face, each, shared) for each in self._faces)


Part = str | Words
"""A heading, an action or a form."""


class _Relation(Generic[_Part]):
    """How the headings, forms or actions of a page stand to those of a kind. They are replaced if the page lacks what
    the kind always has, and has what it never had. One of the two alone is another state of the same page."""

    def __init__(
        self,
        has: frozenset[_Part],
        always: frozenset[_Part],
        ever: frozenset[_Part],
        agree: Callable[[_Part, _Part], bool],
    ) -> None:
        lacking = frozenset(each for each in always if not any(agree(each, other) for other in has))
        self.added: frozenset[_Part] = frozenset(each for each in has if not any(agree(each, other) for other in ever))
        self.is_replaced = bool(self.added and lacking)
        self.is_any = bool(has or ever)
        self.is_common = len(self.added) < len(has)
        self.is_apart = bool(has and ever) and not self.is_common


def _looks_like(one: PageFace, other: PageFace, shared: "frozenset[Part]") -> bool:
    forms, headings, actions = one.forms - shared, one.headings - shared, one.actions - shared
    others = other.actions - shared
    if _have_same_table(one, other, shared) and _have_same_name(headings, other.headings - shared):
        return bool(actions & others) or not (actions and others)
    if forms != other.forms - shared or headings != other.headings - shared or not (forms or headings):
        return False
    if any(map(is_title, headings)) and not forms:
        return False
    return bool(headings and forms) or _is_part(actions, others)


def _have_same_content(one: PageFace, other: PageFace, shared: "frozenset[Part]") -> bool:
    """Whether they are about the same things, whatever they are called: they have the same table, or the same forms."""
    forms = one.forms - shared
    return _have_same_table(one, other, shared) or (bool(forms) and forms == other.forms - shared)


def _have_same_table(one: PageFace, other: PageFace, shared: "frozenset[Part]") -> bool:
    """Columns may be chosen, and forms come and go: there is nothing to sort in an empty list."""
    are_columns_the_same = bool(one.columns and other.columns) and _is_part(one.columns, other.columns)
    return are_columns_the_same and _is_part(one.forms - shared, other.forms - shared)


def _have_no_field_in_common(one: frozenset[Words], other: frozenset[Words]) -> bool:
    """Both have forms: others, also where no form of a kind is on all of its pages."""
    return bool(one and other) and not (Words().union(*one) & Words().union(*other))


def _have_same_actions(one: PageFace, other: PageFace, shared: "frozenset[Part]") -> bool:
    """Of pages without forms and tables."""
    has_content = one.forms - shared or other.forms - shared or one.columns or other.columns
    return not has_content and one.actions - shared == other.actions - shared


def _have_same_name(one: Words, other: Words) -> bool:
    """The headings are the same, or the title of one has all parts of the other: "Issues - Tracker", "Issues - Mine -
    Tracker". One part alone may be the name of the site."""
    if not any(map(is_title, one | other)):
        return one == other != frozenset()
    left, right = (frozenset(part for each in side for part in title_parts(each)) for side in (one, other))
    return min(len(left), len(right)) > 1 and _is_part(left, right)


def _is_form(one: Words, other: Words) -> bool:
    """Whether two forms may be the same: fields come and go, but not most of them."""
    return _is_part(one, other) or len(one & other) >= len(one ^ other)


def _is_part(one: "frozenset[Part]", other: "frozenset[Part]") -> bool:
    """Whether one is the other with more in it."""
    return one <= other or other <= one


def _fit(one: str, other: str, is_data: Callable[[str], bool]) -> bool:
    """Whether two headings may be the same. What is all data does not stand for a heading that is none."""
    if "*" in (one, other) and one != other:
        return is_data(one) and is_data(other)
    return _agree(one, other)


def _agree(one: str, other: str) -> bool:
    """Whether the two may differ in data only: a star stands for any."""
    return one == other or matches(other, one) or matches(one, other)


def _common(one: Words, other: Words) -> Words:
    """What is in both; of two that differ in data, the one with the star."""
    return frozenset(each if matches(each, twin) else twin for each in one for twin in other if _agree(each, twin))


def _same(one: PageFace, other: PageFace) -> bool:
    return (one.forms, one.headings, one.columns, one.actions) == (
        other.forms,
        other.headings,
        other.columns,
        other.actions,
    )
