"""The base forms of words: `entry` for entries, `remove` for removing."""

from functools import lru_cache
from typing import Literal, NamedTuple

from unknot.web.hints.names.lexicon import TWO_WORDS, VERBS
from unknot.web.hints.names.wordnet import words

Form = Literal["base", "s", "ed", "ing", "none"]

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


_NO_VERB = VerbForm("", "none")


@lru_cache(maxsize=4096)
def verb_form(word: str) -> VerbForm:
    """Which form of which verb a word can be; "none" if it is not a verb.

    >>> verb_form("removing"), verb_form("sees").base, verb_form("chosen").base, verb_form("username").form
    (VerbForm(base='remove', form='ing'), 'see', 'choose', 'none')
    """
    if word in VERBS:
        return VerbForm(word, "base")
    if irregular := words().irregular.get((word, "v")):
        return VerbForm(irregular, _form_by_ending(word))
    candidates = [VerbForm(base, form) for form, ending, rests in _VERB_ENDINGS for base in _stems(word, ending, rests)]
    known = [each for each in candidates if each.base in VERBS]
    others = [each for each in (VerbForm(word, "base"), *candidates) if "v" in words().parts.get(each.base, "")]
    return next(iter(known + others), _NO_VERB)


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
        joined = TWO_WORDS.get(f"{verb_form(found[-1]).base}-{token}") if found else None
        if joined:
            found[-1] = joined
        else:
            found.append(token)
    return found
