"""The base forms of words: `entry` for entries, `remove` for removing."""

from functools import lru_cache
from typing import Literal, NamedTuple

from unknot.web.hints.names.lexicon import NEUTRAL, READS, TWO_WORDS, WRITES
from unknot.web.hints.names.wordnet import words

Form = Literal["base", "s", "ed", "ing"]

_NOUN_ENDINGS = (("s", ""), ("ies", "y"), ("ves", "f"), ("ves", "fe"), ("es", ""))
_NO_PLURAL = ("ss", "us", "is")
_VERB_ENDINGS: tuple[tuple[Form, str, tuple[str, ...]], ...] = (
    ("s", "ies", ("y",)),
    ("s", "es", ("e", "")),
    ("s", "s", ("",)),
    ("ed", "ied", ("y",)),
    ("ed", "ed", ("e", "")),
    ("ing", "ing", ("e", "")),
)


class VerbForm(NamedTuple):
    base: str
    form: Form


def known_verb(verb: str) -> bool:
    """Whether the lexicon has it."""
    return verb in WRITES or verb in READS or verb in NEUTRAL


def is_verb(word: str) -> bool:
    return known_verb(word) or "v" in words().parts.get(word, "")


@lru_cache(maxsize=4096)
def verb_form(word: str) -> VerbForm | None:
    """Which form of which verb a word can be; None if it is not a verb.

    >>> verb_form("removing"), verb_form("sees"), verb_form("chosen"), verb_form("username")
    (VerbForm(base='remove', form='ing'), VerbForm(base='see', form='s'), VerbForm(base='choose', form='ed'), None)
    """
    if known_verb(word):
        return VerbForm(word, "base")
    if irregular := words().irregular.get((word, "v")):
        return VerbForm(irregular, _form_by_ending(word))
    candidates = [VerbForm(base, form) for form, ending, rests in _VERB_ENDINGS for base in _stems(word, ending, rests)]
    for each in candidates:
        if known_verb(each.base):
            return each
    if is_verb(word):
        return VerbForm(word, "base")
    return next((each for each in candidates if is_verb(each.base)), None)


def _form_by_ending(word: str) -> Form:
    if word.endswith("ing"):
        return "ing"
    return "s" if word.endswith("s") else "ed"


def _stems(word: str, ending: str, rests: tuple[str, ...]) -> list[str]:
    if not word.endswith(ending) or len(word) < len(ending) + 2:
        return []
    stem = word.removesuffix(ending)
    # As in stopped, tagging: the last letter is doubled.
    doubled = [stem[:-1]] if ending in ("ed", "ing") and stem[-1] == stem[-2] else []
    return [*(stem + rest for rest in rests), *doubled]


def noun_base(word: str) -> str:
    """The singular, if the word is a plural; otherwise the word. A plural that is not in WordNet loses its s.

    >>> noun_base("entries"), noun_base("status"), noun_base("children"), noun_base("wishlists"), noun_base("courses")
    ('entry', 'status', 'child', 'wishlist', 'course')
    """
    known = words()
    if irregular := known.irregular.get((word, "n")):
        return irregular
    if not word.endswith("s") or word.endswith(_NO_PLURAL) or len(word) < 4:
        return word
    singulars = [word.removesuffix(ending) + rest for ending, rest in _NOUN_ENDINGS if word.endswith(ending)]
    nouns = [singular for singular in singulars if "n" in known.parts.get(singular, "")]
    if nouns:
        return nouns[0]
    return word if word in known.parts else word[:-1]


def join_verbs(tokens: list[str]) -> list[str]:
    """Joins verbs of two words, whatever form the first has.

    >>> join_verbs(["user", "logs", "in", "to", "shop"])
    ['user', 'login', 'to', 'shop']
    """
    found: list[str] = []
    for token in tokens:
        form = verb_form(found[-1]) if found else None
        if form is not None and (form.base, token) in TWO_WORDS:
            found[-1] = TWO_WORDS[form.base, token]
        else:
            found.append(token)
    return found
