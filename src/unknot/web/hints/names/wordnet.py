"""The part of WordNet 3.0 in this package: parts of speech, irregular forms, and the hierarchy of verbs.

Loaded on first use, in less than a tenth of a second, and cached. `tools/pack_wordnet.py` creates the data files and
describes their format; WordNet's licence is next to them.
"""

import pkgutil
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Words:
    """`parts` has the parts of speech of each single word, the most frequent first: n for noun, v, a, and r for adverb.
    `irregular` has the base of each irregular form of a noun or verb."""

    parts: Mapping[str, str]
    irregular: Mapping[tuple[str, str], str]


@dataclass(frozen=True)
class Verbs:
    """Synsets are numbers. `hypernyms` has those above each; `senses` those of each verb, the most frequent first."""

    hypernyms: Sequence[tuple[int, ...]]
    senses: Mapping[str, tuple[int, ...]]


@cache
def words() -> Words:
    alike, irregular = _lines("words.z")
    parts: dict[str, str] = {}
    for line in alike:
        frequent_first, *single = line.split()
        parts.update(dict.fromkeys(single, frequent_first))
    forms: dict[tuple[str, str], str] = {}
    for line in irregular:
        form, part, base = line.split()
        forms[form, part] = base
    return Words(parts, forms)


@cache
def verbs() -> Verbs:
    synsets, lemmas = _lines("verbs.z")
    above = [tuple(map(int, line.split())) if line != "-" else () for line in synsets]
    senses = (line.split() for line in lemmas)
    return Verbs(above, {verb: tuple(map(int, numbers)) for verb, *numbers in senses})


def _lines(file: str) -> tuple[list[str], list[str]]:
    """The two halves of a data file."""
    packed = pkgutil.get_data(__package__, f"data/{file}")
    assert packed is not None, f"the package lacks its data file {file}"
    first, _, second = zlib.decompress(packed).decode("ascii").partition("\n\n")
    return first.split("\n"), second.split("\n")
