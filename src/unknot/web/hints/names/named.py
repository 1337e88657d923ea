"""What the name of one test says: whether it reads or writes, and what it is about."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from unknot.web.hints.names.function_words import ARTICLES, CONJUNCTIONS
from unknot.web.hints.names.grammar import Role, Word, tagged
from unknot.web.hints.names.refusal import is_refused
from unknot.web.hints.names.verb_kinds import Kind, kind_of
from unknot.web.hints.names.words import levels, split


@dataclass(frozen=True)
class NamedTest:
    """`verb` is the one that decides about `kind`, empty if there is none; `kind` is None where one cannot tell.
    `object` is what the first verb is about, empty if that is not known; `nouns` are all things named."""

    verb: str = ""
    kind: Kind | None = None
    object: str = ""
    nouns: frozenset[str] = frozenset()


def named(test: str) -> NamedTest:
    """Of any id, whatever characters it has. The function or title counts; where it has no verb (`test_1`) or names
    nothing (`TestUser::test_create`), the class does, and then the file.

    >>> named("SearchAndRemoveCourseTest")
    NamedTest(verb='remove', kind='write', object='course', nouns=frozenset({'course'}))
    >>> named("tests/test_user.py::TestUser::test_create[admin]")
    NamedTest(verb='create', kind='write', object='user', nouns=frozenset({'user'}))
    """
    phrases = [tagged(split(level)) for level in levels(test)]
    telling = next((phrase for phrase in phrases if any(word.role is Role.VERB for word in phrase)), [])
    naming = next((phrase for phrase in phrases if _nouns(phrase)), [])
    verb, kind = _kind(telling)
    about = _object(telling) if naming is telling else _last_noun(naming)
    return NamedTest(verb, kind, about if verb else "", _nouns(naming))


def _kind(phrase: Sequence[Word]) -> tuple[str, Kind | None]:
    """Whoever writes anything writes; whoever does something that is not known may write."""
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
    """Of the first verb that has one. A verb at the end is about the noun before it: of user_delete, user."""
    places = [place for place, word in enumerate(phrase) if word.role is Role.VERB]
    for place in places:
        if found := _after(phrase[place:]):
            return found
    return _last_noun(phrase) if places and places[-1] == len(phrase) - 1 else ""


def _after(phrase: Sequence[Word]) -> str:
    """The last noun of the first group of nouns: of AddCourseEvent, event. What follows a preposition is no object."""
    rest = list(phrase)
    while rest and (rest[0].role in (Role.VERB, Role.MODIFIER) or rest[0].text in ARTICLES | CONJUNCTIONS):
        del rest[0]
    end = next((place for place, word in enumerate(rest) if word.role is not Role.NOUN), len(rest))
    return rest[end - 1].base if end else ""


def _last_noun(phrase: Sequence[Word]) -> str:
    return next((word.base for word in reversed(phrase) if word.role is Role.NOUN), "")
