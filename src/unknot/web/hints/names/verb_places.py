"""The positions of the verbs in a name.

Names are not sentences: `SearchAndRemoveCourse`, `user can post a comment`, `order_create`, `login`. Words that are
noun and verb (`view`, `order`, `post`) are distinguished by their position. Verbs are searched in this order: those of
the lexicon, and those that only WordNet has where a verb must be; participles (`items removed`); nouns for actions
(`UserRegistration`, `user editing`); a plain `is` or `has`.
"""

from collections.abc import Sequence

from unknot.web.hints.names.forms import Form, known_verb, noun_base, verb_form
from unknot.web.hints.names.lexicon import (
    ACTIONS,
    ARTICLES,
    BEFORE_A_VERB,
    BEING,
    CONJUNCTIONS,
    LINKS,
    LOOKING,
    MODALS,
    OFTEN_NOUNS,
    READS,
    WIDGETS,
)
from unknot.web.hints.names.wordnet import words

Places = dict[int, str]
"""The base form of the verb at each position of a name."""


def verb_places(tokens: Sequence[str]) -> Places:
    """Expects words in lower case without stop words; empty if there is no verb."""
    acts = {**_lexical(tokens), **_unknown(tokens), **_passive(tokens)}
    return (
        dict(sorted(acts.items()))
        or _in_form(tokens, "ed")
        or _actions(tokens)
        or _in_form(tokens, "ing")
        or _being(tokens)
    )


def _lexical(tokens: Sequence[str]) -> Places:
    found: Places = {}
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
    if form is None or not known_verb(form.base) or form.form == "ed" or _is_auxiliary(tokens, place):
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
    if form is None or form.base not in OFTEN_NOUNS or form.form not in ("base", "s"):
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
    return any(_form(tokens[place]) == "s" or _follows(tokens, place, MODALS) for place in verbs if place)


def _unknown(tokens: Sequence[str]) -> Places:
    """Verbs that the lexicon lacks, where only a verb can be, or which are never another part of speech."""
    found: Places = {}
    for place, token in enumerate(tokens):
        parts = words().parts.get(token, " ")
        must_be = place == 0 or _follows(tokens, place, MODALS)
        if token not in LINKS and not known_verb(token) and (parts == "v" or (must_be and parts[0] == "v")):
            found[place] = token
    return found


def _passive(tokens: Sequence[str]) -> Places:
    """Passive verbs (`order is placed`), unless the name starts with a verb of checking."""
    if tokens and tokens[0] in LOOKING:
        return {}
    return {place: verb for place, verb in _in_form(tokens, "ed").items() if _follows(tokens, place, BEING)}


def _in_form(tokens: Sequence[str], form: Form) -> Places:
    found = {place: verb_form(token) for place, token in enumerate(tokens) if token not in LINKS}
    return {place: verb.base for place, verb in found.items() if verb and verb.form == form and known_verb(verb.base)}


def _actions(tokens: Sequence[str]) -> Places:
    singulars = {place: noun_base(token) for place, token in enumerate(tokens)}
    return {place: ACTIONS[noun] for place, noun in singulars.items() if noun in ACTIONS}


def _being(tokens: Sequence[str]) -> Places:
    return next(({place: "be"} for place, token in enumerate(tokens) if token in BEING), {})


def _is_auxiliary(tokens: Sequence[str], place: int) -> bool:
    """`do` is a verb only at the start: DoExercise, but not `user does not see`."""
    return tokens[place] in LINKS and not (tokens[place] == "do" and place == 0 and _next(tokens, place) != "not")


def _is_noun(word: str) -> bool:
    return "n" in words().parts.get(word, "")


def _form(token: str) -> Form | None:
    form = verb_form(token)
    return form.form if form else None


def _next(tokens: Sequence[str], place: int) -> str:
    return tokens[place + 1] if place + 1 < len(tokens) else ""


def _follows(tokens: Sequence[str], place: int, before: frozenset[str]) -> bool:
    return place > 0 and tokens[place - 1] in before
