"""The role of each word of a test's name: verb, noun, modifier or link."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from unknot.web.hints.names.forms import join_verbs, noun_base, verb_form
from unknot.web.hints.names.lexicon import ACTORS, LINKS, LOOKING, MODALS
from unknot.web.hints.names.verb_places import Places, verb_places
from unknot.web.hints.names.wordnet import words
from unknot.web.hints.names.words import STOP_WORDS


class Role(Enum):
    VERB = auto()
    NOUN = auto()
    MODIFIER = auto()
    LINK = auto()


@dataclass(frozen=True)
class Word:
    """`base` is the base form of the verb or the singular of the noun."""

    text: str
    role: Role
    base: str


def tag_words(tokens: Sequence[str]) -> list[Word]:
    """The words of a name without stop words, each with its role.

    >>> [f"{word.base} {word.role.name.lower()}" for word in tag_words(["remove", "empty", "search", "lists", "test"])]
    ['remove verb', 'empty modifier', 'search noun', 'list noun']
    """
    kept = join_verbs([token for token in tokens if token not in STOP_WORDS])
    verbs = verb_places(kept)
    return [_word(kept, place, verbs) for place in range(len(kept))]


def _word(tokens: Sequence[str], place: int, verbs: Places) -> Word:
    token = tokens[place]
    if place in verbs:
        return Word(token, Role.VERB, verbs[place])
    if token in LINKS or len(token) == 1 or _is_actor(tokens, place, verbs):
        return Word(token, Role.LINK, token)
    form = verb_form(token)
    if form is not None and form.form == "ed":
        return Word(token, Role.MODIFIER, token)
    singular = noun_base(token)
    return Word(token, Role.NOUN if _names_a_thing(singular) else Role.MODIFIER, singular)


def _is_actor(tokens: Sequence[str], place: int, verbs: Places) -> bool:
    """Whether it is the subject: `user can add`, `admin removes`; but not in `add user should work`."""
    after = tokens[place + 1] if place + 1 < len(tokens) else ""
    form = verb_form(after)
    acts = place + 1 in verbs and form is not None and form.form == "s"
    is_subject = all(verb in LOOKING for before, verb in verbs.items() if before < place)
    return tokens[place] in ACTORS and is_subject and (after in MODALS or acts)


def _names_a_thing(word: str) -> bool:
    """Words that are not in WordNet are nouns (`username`, `wishlist`); those that are more often adjectives or adverbs
    are not."""
    parts = words().parts.get(word)
    return parts is None or ("n" in parts and parts[0] in "nv")
