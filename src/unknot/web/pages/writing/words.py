"""Words of labels, headings and addresses, as names of code."""

import builtins
import keyword
import re
import unicodedata
from collections.abc import Iterable, Sequence

from unknot.web.hints.names.forms import noun_base
from unknot.web.hints.names.lexicon import VERBS
from unknot.web.hints.names.wordnet import words as known_words

_MOST_LETTERS = 28
"""Of a name: a line has room for a class and its base class."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[a-z0-9]+")
_NOT_ITS_OWN = str.maketrans({"'": "", "’": "", "ß": "ss", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ı": "i"})
_ARTICLES = frozenset({"a", "an", "the"})
_PARTICLES = frozenset({"in", "out", "up", "on", "off", "back", "down", "away", "over"})
_MORE_VERBS = frozenset({"borrow", "recommend", "filter", "toggle", "undo", "redo", "signup", "login", "logout"})
_NO_COMMANDS = frozenset({"home", "people", "back", "next", "last", "more", "can"})
"""Words that are verbs as well, but name places or directions in menus."""

RESERVED = frozenset({*keyword.kwlist, *keyword.softkwlist, *dir(builtins), "self", "cls", "l"})
"""No name of ours is one of these. Linters take `l` for a 1."""


def words_of(text: str) -> list[str]:
    """In small letters, without accents; words in other scripts than Latin are left out.

    >>> words_of("Où est l'adresse?"), words_of("BoardListPage"), words_of("日本語")
    (['ou', 'est', 'ladresse'], ['board', 'list', 'page'], [])
    """
    plain = unicodedata.normalize("NFKD", text.translate(_NOT_ITS_OWN))
    # What remains of a word in another script, such as a digit, is no name.
    if sum(map(str.isalpha, plain)) > 2 * sum(each.isascii() and each.isalpha() for each in plain):
        return []
    without_accents = "".join(char for char in plain if not unicodedata.combining(char))
    return _WORD.findall(_CAMEL.sub(" ", without_accents).lower())


def without_articles(words: Sequence[str]) -> list[str]:
    """Also without "new" behind a verb that makes something: "add a new bill" adds a bill."""
    kept = [each for each in words if each not in _ARTICLES] or list(words)
    if len(kept) > 2 and kept[0] in ("add", "create", "make") and kept[1] == "new":
        del kept[1]
    return kept


def is_command(words: Sequence[str]) -> bool:
    """Whether they begin with a verb that tells what to do.

    >>> is_command(["add", "book"]), is_command(["log", "in"]), is_command(["reading", "lists"]), is_command(["people"])
    (True, True, False, False)
    """
    if not words or words[0] in _NO_COMMANDS:
        return False
    if words[0] in VERBS or words[0] in _MORE_VERBS or is_phrasal(words):
        return True
    again = words[0].removeprefix("re")
    if again != words[0] and again in VERBS and words[0] not in known_words().parts:
        return True
    return known_words().parts.get(words[0], "").startswith("v")


def is_phrasal(words: Sequence[str]) -> bool:
    """Whether they are a verb with a particle, such as "log in"."""
    return len(words) > 1 and words[1] in _PARTICLES and "v" in known_words().parts.get(words[0], "")


def singular(words: Sequence[str]) -> list[str]:
    """
    >>> singular(["reading", "lists"]), singular(["people"])
    (['reading', 'list'], ['person'])
    """
    if not words:
        return []
    last = "person" if words[-1] == "people" else "datum" if words[-1] == "data" else noun_base(words[-1])
    return [*words[:-1], "data" if last == "datum" else last]


def plural(words: Sequence[str]) -> list[str]:
    """
    >>> plural(["title"]), plural(["category"]), plural(["reading", "lists"])
    (['titles'], ['categories'], ['reading', 'lists'])
    """
    if not words or singular(words) != list(words):
        return list(words)
    last = words[-1]
    if last.endswith("y") and last[-2:-1] not in ("a", "e", "i", "o", "u", ""):
        return [*words[:-1], f"{last[:-1]}ies"]
    return [*words[:-1], f"{last}es" if last.endswith(("s", "x", "ch", "sh")) else f"{last}s"]


def snake(words: Iterable[str]) -> str:
    """A name of a method, parameter or module; empty if there are no words.

    >>> snake(["class"]), snake(["2", "factors"]), snake(["l"])
    ('class_', 'n2_factors', 'l_')
    """
    name = "_".join(_not_too_many(words))
    if name[:1].isdigit():
        name = f"n{name}"
    return f"{name}_" if name in RESERVED else name


def pascal(words: Iterable[str], most: int = _MOST_LETTERS) -> str:
    """A name of a class with at most so many letters.

    >>> pascal(["add", "book"])
    'AddBook'
    """
    name = "".join(each.capitalize() for each in _not_too_many(words, most))
    return f"N{name}" if name[:1].isdigit() else name


def _not_too_many(words: Iterable[str], most: int = _MOST_LETTERS) -> list[str]:
    kept: list[str] = []
    for each in words:
        if kept and len("_".join([*kept, each])) > most:
            break
        kept.append(each[:most])
    return kept


class TakenNames:
    """Gives each thing a name of its own."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)

    def take(self, wanted: str, otherwise: Sequence[str] = ()) -> str:
        """The first that is free, or the first one with a number."""
        candidates = [each for each in (wanted, *otherwise) if each]
        name = next((each for each in candidates if each not in self._taken), "")
        number = 2
        while not name or name in self._taken:
            name = f"{candidates[0].rstrip('_')}_{number}" if candidates[0].islower() else f"{candidates[0]}{number}"
            number += 1
        self._taken.add(name)
        return name
