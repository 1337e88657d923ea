"""The role of each word of a test's name: verb, noun, modifier or link.

Names are not sentences: `SearchAndRemoveCourse`, `user can post a comment`, `order_create`, `login`. Words that are
noun and verb (`view`, `order`, `post`) are distinguished by their position. Verbs are searched in this order: those of
the lexicon, and those that only WordNet has where a verb must be; participles (`items removed`); nouns for actions
(`UserRegistration`, `user editing`); a plain `is` or `has`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from unknot.web.hints.names.forms import Form, join_verbs, noun_base, verb_form
from unknot.web.hints.names.lexicon import (
    ACTIONS,
    ACTORS,
    ARTICLES,
    BEFORE_A_VERB,
    BEING,
    CONJUNCTIONS,
    LINKS,
    LOOKING,
    MODALS,
    OFTEN_NOUNS,
    READS,
    STOP_WORDS,
    VERBS,
    WIDGETS,
)
from unknot.web.hints.names.wordnet import words

_Places = dict[int, str]
"""The base form of the verb at each position of a name."""


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
    verbs = _verb_places(kept)
    return [_word(kept, place, verbs) for place in range(len(kept))]


def _word(tokens: Sequence[str], place: int, verbs: _Places) -> Word:
    token = tokens[place]
    if place in verbs:
        return Word(token, Role.VERB, verbs[place])
    if token in LINKS or len(token) == 1 or _is_actor(tokens, place, verbs):
        return Word(token, Role.LINK, token)
    if verb_form(token).form == "ed":
        return Word(token, Role.MODIFIER, token)
    singular = noun_base(token)
    return Word(token, Role.NOUN if _names_a_thing(singular) else Role.MODIFIER, singular)


def _is_actor(tokens: Sequence[str], place: int, verbs: _Places) -> bool:
    """Whether it is the subject: `user can add`, `admin removes`; but not in `add user should work`."""
    after = _next(tokens, place)
    acts = place + 1 in verbs and verb_form(after).form == "s"
    is_subject = all(verb in LOOKING for before, verb in verbs.items() if before < place)
    return tokens[place] in ACTORS and is_subject and (after in MODALS or acts)


def _names_a_thing(word: str) -> bool:
    """Words that are not in WordNet are nouns (`username`, `wishlist`); those that are more often adjectives or adverbs
    are not."""
    parts = words().parts.get(word)
    return parts is None or ("n" in parts and parts[0] in "nv")


def _verb_places(tokens: Sequence[str]) -> _Places:
    """Expects words in lower case without stop words; empty if there is no verb."""
    acts = {**_lexical(tokens), **_unknown(tokens), **_passive(tokens)}
    return (
        dict(sorted(acts.items()))
        or _in_form(tokens, "ed")
        or _actions(tokens)
        or _in_form(tokens, "ing")
        or _being(tokens)
    )


def _lexical(tokens: Sequence[str]) -> _Places:
    found: _Places = {}
    for place in range(len(tokens)):
        if verb := _sure(tokens, place, bool(found)):
            found[place] = verb
    sure = frozenset(found)
    for place in range(len(tokens)):
        if place not in sure and (verb := _often_noun(tokens, place, sure, bool(found))):
            found[place] = verb
    return found


def _sure(tokens: Sequence[str], place: int, is_later: bool) -> str | None:
    """A verb of the lexicon that is rarely another part of speech."""
    form = verb_form(tokens[place])
    if form.base not in VERBS or form.form == "ed" or _is_auxiliary(tokens, place):
        return None
    if form.base in OFTEN_NOUNS and form.form != "ing":
        return None
    if form.form == "ing" and _is_noun(tokens[place]) and not _acts(tokens, place):
        return None
    if form.form == "s" and is_later and _is_noun(form.base):
        return None
    names_widget = noun_base(_next(tokens, place)) in WIDGETS and any(token in READS for token in tokens[:place])
    return None if names_widget else form.base


def _acts(tokens: Sequence[str], place: int) -> bool:
    """Whether a word like `booking` is an action: `after booking`, `booking a room`."""
    return _follows(tokens, place, LINKS) or _next(tokens, place) in ARTICLES


def _often_noun(tokens: Sequence[str], place: int, sure: frozenset[int], is_later: bool) -> str | None:
    """A verb of the lexicon that is as often a noun: it starts the name, is where a verb must be, or is the only one
    among nouns."""
    form = verb_form(tokens[place])
    if form.base not in OFTEN_NOUNS or form.form not in ("base", "s"):
        return None
    after = _next(tokens, place)
    if after in BEING | MODALS:
        return None
    joins = after in CONJUNCTIONS and place + 2 in sure
    leads = place == 0 and place + 1 not in sure and not _has_subject(tokens, sure)
    alone = not is_later and not LINKS & set(tokens[:place])
    return form.base if joins or leads or alone or _follows(tokens, place, BEFORE_A_VERB) else None


def _has_subject(tokens: Sequence[str], verbs: frozenset[int]) -> bool:
    """Whether the name has a subject: `order history shows totals`, `comments can be deleted`."""
    return any(verb_form(tokens[place]).form == "s" or _follows(tokens, place, MODALS) for place in verbs if place)


def _unknown(tokens: Sequence[str]) -> _Places:
    """Verbs that the lexicon lacks, where only a verb can be, or which are never another part of speech."""
    found: _Places = {}
    for place, token in enumerate(tokens):
        parts = words().parts.get(token, " ")
        must_be = place == 0 or _follows(tokens, place, MODALS)
        if token not in LINKS and token not in VERBS and (parts == "v" or (must_be and parts[0] == "v")):
            found[place] = token
    return found


def _passive(tokens: Sequence[str]) -> _Places:
    """Passive verbs (`order is placed`), unless the name starts with a verb of checking."""
    if tokens and tokens[0] in LOOKING:
        return {}
    return {place: verb for place, verb in _in_form(tokens, "ed").items() if _follows(tokens, place, BEING)}


def _in_form(tokens: Sequence[str], form: Form) -> _Places:
    found = {place: verb_form(token) for place, token in enumerate(tokens) if token not in LINKS}
    return {place: verb.base for place, verb in found.items() if verb.form == form and verb.base in VERBS}


def _actions(tokens: Sequence[str]) -> _Places:
    singulars = {place: noun_base(token) for place, token in enumerate(tokens)}
    return {place: ACTIONS[noun] for place, noun in singulars.items() if noun in ACTIONS}


def _being(tokens: Sequence[str]) -> _Places:
    return next(({place: "be"} for place, token in enumerate(tokens) if token in BEING), {})


def _is_auxiliary(tokens: Sequence[str], place: int) -> bool:
    """`do` is a verb only at the start: DoExercise, but not `user does not see`."""
    return tokens[place] in LINKS and not (tokens[place] == "do" and place == 0 and _next(tokens, place) != "not")


def _is_noun(word: str) -> bool:
    return "n" in words().parts.get(word, "")


def _next(tokens: Sequence[str], place: int) -> str:
    return tokens[place + 1] if place + 1 < len(tokens) else ""


def _follows(tokens: Sequence[str], place: int, before: frozenset[str]) -> bool:
    return place > 0 and tokens[place - 1] in before
