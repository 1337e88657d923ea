"""Whether a verb reads or writes: by the lexicon, or by its similarity to known verbs in WordNet.

Similarity is that of Wu and Palmer (Verb Semantics and Lexical Selection, ACL 1994): twice the depth of the lowest
common hypernym over the depths of both. Verbs have no common root, so one is put above all of them. Scores are those of
NLTK's implementation, which takes a hypernym's depth from its longest path up and the paths down to both from the
shortest.
"""

from collections.abc import Iterable
from functools import cache
from typing import Literal

from unknot.web.hints.names.lexicon import NEUTRAL, READS, WRITES
from unknot.web.hints.names.wordnet import verbs

Kind = Literal["read", "write"]

_WRITING_BASICS = ("create", "update", "delete")
_READING_BASIC = ("read",)


def kind_of(verb: str) -> Kind | Literal["neutral"] | None:
    """By the lexicon; for other verbs, by similarity. None if it is unclear."""
    if verb in WRITES:
        return "write"
    if verb in READS or verb == "be":
        return "read"
    return "neutral" if verb in NEUTRAL else kind_by_similarity(verb)


@cache
def kind_by_similarity(verb: str) -> Kind | None:
    """By the nearest of create, read, update and delete in WordNet, as the TEDD paper does for every verb; None if
    reading and writing are equally near.

    That read is nearest is often chance: of the lexicon's own verbs for which it is, three in five write, and an edge
    would be lost. So it counts only if the nearest verb of the whole lexicon reads, too: then five in six read. Costs
    some hundredths of a second for such a verb.
    """
    nearest = _nearer(verb, _WRITING_BASICS, _READING_BASIC)
    if nearest == "read":
        return "read" if _nearer(verb, WRITES - {verb}, READS - {verb}) == "read" else None
    return nearest


def _nearer(verb: str, writing: Iterable[str], reading: Iterable[str]) -> Kind | None:
    writes = max(verb_similarity(verb, other) for other in writing)
    reads = max(verb_similarity(verb, other) for other in reading)
    if writes == reads:
        return None
    return "write" if writes > reads else "read"


_ROOT = -1


def verb_similarity(one: str, other: str) -> float:
    """The highest score of any senses of both; 0 if one of them is not a verb in WordNet."""
    senses = verbs().senses
    pairs = ((this, that) for this in senses.get(one, ()) for that in senses.get(other, ()))
    return max((synset_similarity(this, that) for this, that in pairs), default=0.0)


def synset_similarity(one: int, other: int) -> float:
    """The similarity of two synsets of `wordnet.verbs`; 1 for a synset and itself."""
    up_from_one, up_from_other = _ways_up(one), _ways_up(other)
    common = up_from_one.keys() & up_from_other.keys()
    lowest = max(_depths(synset)[0] for synset in common)
    candidates = sorted(synset for synset in common if _depths(synset)[0] == lowest)
    subsumer = one if one in candidates else candidates[0]
    depth = _depths(subsumer)[1] + 1
    return 2 * depth / (up_from_one[subsumer] + up_from_other[subsumer] + 2 * depth)


@cache
def _ways_up(synset: int) -> dict[int, int]:
    """Every hypernym, including itself and the common root, with its distance by the shortest path."""
    hypernyms = verbs().hypernyms
    steps = {synset: 0}
    level = [synset]
    while level:
        # A hypernym may be reached twice, and in WordNet 3.0 two verbs are hypernyms of each other.
        level = [above for below in level for above in hypernyms[below] if above not in steps]
        distance = max(steps.values()) + 1
        steps.update(dict.fromkeys(level, distance))
    return {**steps, _ROOT: max(steps.values()) + 1}


@cache
def _depths(synset: int, passed: frozenset[int] = frozenset()) -> tuple[int, int]:
    """The lengths of the shortest and of the longest path up; 0 for the common root as for those just below it."""
    hypernyms = verbs().hypernyms[synset] if synset != _ROOT else ()
    above = [_depths(each, passed | {synset}) for each in hypernyms if each not in passed]
    if not above:
        return 0, 0
    return 1 + min(least for least, _ in above), 1 + max(most for _, most in above)
