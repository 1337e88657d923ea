"""Reads the names of tests: whether a test reads or writes, and what it is about."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from unknot.model.suite import Suite
from unknot.web.hints.names.grammar import Role, Word, tag_words
from unknot.web.hints.names.lexicon import ARTICLES, CONJUNCTIONS, word_list
from unknot.web.hints.names.verb_kinds import Kind, kind_of
from unknot.web.hints.names.words import levels, split


@dataclass(frozen=True)
class NamedTest:
    """`verb` is the one that determines `kind`, empty if there is none; `kind` is None if it is unknown. `object` is
    the direct object of the first verb, empty if it is unknown; `nouns` are all nouns of the name."""

    verb: str = ""
    kind: Kind | None = None
    object: str = ""
    nouns: frozenset[str] = frozenset()

    @property
    def objects(self) -> frozenset[str]:
        return frozenset({self.object} if self.object else ())


def read_name(test: str) -> NamedTest:
    """Accepts any id. The function or title counts; if it has no verb (`test_1`) or no noun (`TestUser::test_create`),
    the class does, and then the file.

    >>> read_name("SearchAndRemoveCourseTest")
    NamedTest(verb='remove', kind='write', object='course', nouns=frozenset({'course'}))
    >>> read_name("tests/test_user.py::TestUser::test_create[admin]")
    NamedTest(verb='create', kind='write', object='user', nouns=frozenset({'user'}))
    """
    phrases = [tag_words(split(level)) for level in levels(test)]
    telling = next((phrase for phrase in phrases if any(word.role is Role.VERB for word in phrase)), [])
    naming = next((phrase for phrase in phrases if _nouns(phrase)), [])
    verb, kind = _kind(telling)
    about = _object(telling) if naming is telling else _last_noun(naming)
    return NamedTest(verb, kind, about if verb else "", _nouns(naming))


def _kind(phrase: Sequence[Word]) -> tuple[str, Kind | None]:
    """A test with any writing verb writes; one with an unknown verb may write."""
    kinds = {word.base: _effect(phrase, place) for place, word in enumerate(phrase) if word.role is Role.VERB}
    for wanted in ("write", None, "read", "neutral"):
        for verb, kind in kinds.items():
            if kind == wanted:
                return verb, None if kind == "neutral" else kind
    return "", None


def _effect(phrase: Sequence[Word], place: int) -> Kind | Literal["neutral"] | None:
    kind = kind_of(phrase[place].base)
    return "read" if kind == "write" and is_refused(phrase, place) else kind


def _nouns(phrase: Sequence[Word]) -> frozenset[str]:
    return frozenset(word.base for word in phrase if word.role is Role.NOUN)


def _object(phrase: Sequence[Word]) -> str:
    """The object of the first verb that has one. For a verb at the end it is the noun before it: `user` in
    user_delete."""
    places = [place for place, word in enumerate(phrase) if word.role is Role.VERB]
    for place in places:
        if found := _after(phrase[place:]):
            return found
    return _last_noun(phrase) if places and places[-1] == len(phrase) - 1 else ""


def _after(phrase: Sequence[Word]) -> str:
    """The last noun of the first group of nouns: `event` in AddCourseEvent. A noun after a preposition is no object."""
    rest = list(phrase)
    while rest and (rest[0].role in (Role.VERB, Role.MODIFIER) or rest[0].text in ARTICLES | CONJUNCTIONS):
        del rest[0]
    end = next((place for place, word in enumerate(rest) if word.role is not Role.NOUN), len(rest))
    return rest[end - 1].base if end else ""


def _last_noun(phrase: Sequence[Word]) -> str:
    return next((word.base for word in reversed(phrase) if word.role is Role.NOUN), "")


def suite_names(suite: Suite) -> tuple[NamedTest, ...]:
    """The names of a whole suite, in reference order. Nouns that every name has do not distinguish tests (such as the
    name of the application in PasswordManagerAddEntry) and are left out."""
    found = [read_name(test) for test in suite.tests]
    everywhere = frozenset.intersection(*(each.nouns for each in found)) if found else frozenset()
    return tuple(replace(each, nouns=each.nouns - everywhere) for each in found)


_NEGATIONS = word_list("cannot never not")
_UNACCEPTABLE = word_list("forbidden incorrect insufficient invalid unauthorised unauthorized wrong")
_DEALS_WITH_SUCH = word_list("clean clear correct delete discard drop erase fix purge reject remove replace report")
"""Verbs that succeed on unacceptable things."""


def is_refused(phrase: Sequence[Word], place: int) -> bool:
    """Whether the name says that the action of the verb at this place is refused: `cannot delete folder`,
    `AddWrongEmailUser`. Such a test leaves nothing behind that another could need.

    Only unambiguous words count. `Denied`, `Empty`, `Negative` or `Duplicate` may also describe what is written: in the
    suites studied, one test adds a course that denies enrolment, one a room whose name is cut because it is too long,
    and one an empty folder.
    """
    if _is_negated(phrase[:place]):
        return True
    unacceptable = any(word.text in _UNACCEPTABLE for word in phrase)
    return unacceptable and phrase[place].base not in _DEALS_WITH_SUCH


def _is_negated(before: Sequence[Word]) -> bool:
    """Whether a negation precedes it, separated only by auxiliaries and other verbs."""
    for word in reversed(before):
        if word.text in _NEGATIONS:
            return True
        if word.role not in (Role.LINK, Role.VERB) or word.text in CONJUNCTIONS - {"or"}:
            return False
    return False
