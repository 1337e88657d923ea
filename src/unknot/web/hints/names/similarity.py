"""How near two verbs are to each other in WordNet.

Wu, Palmer: Verb Semantics and Lexical Selection, ACL 1994: twice the depth of the lowest common hypernym over the
depths of both. Verbs have no common root, so one is put above all of them. Scores are those of NLTK's reading of the
measure, which counts a hypernym's depth by its longest way up and the ways down to both by their shortest.
"""

from functools import cache

from unknot.web.hints.names.wordnet import verbs

_ROOT = -1


def verb_similarity(one: str, other: str) -> float:
    """The highest score of any senses of both; 0 if WordNet does not know one of them as a verb."""
    senses = verbs().senses
    pairs = ((this, that) for this in senses.get(one, ()) for that in senses.get(other, ()))
    return max((synset_similarity(this, that) for this, that in pairs), default=0.0)


def synset_similarity(one: int, other: int) -> float:
    """Of two synsets of `wordnet.verbs`; 1 for a synset and itself."""
    up_from_one, up_from_other = _ways_up(one), _ways_up(other)
    common = up_from_one.keys() & up_from_other.keys()
    lowest = max(map(_least_depth, common))
    candidates = sorted(synset for synset in common if _least_depth(synset) == lowest)
    subsumer = one if one in candidates else candidates[0]
    depth = _depth(subsumer) + 1
    return 2 * depth / (up_from_one[subsumer] + up_from_other[subsumer] + 2 * depth)


@cache
def _ways_up(synset: int) -> dict[int, int]:
    """Every hypernym, itself and the common root, and how many steps up it is by the shortest way."""
    hypernyms = verbs().hypernyms
    steps = {synset: 0}
    level = [synset]
    while level:
        # A hypernym may be met twice, and in WordNet 3.0 two verbs are above each other.
        level = [above for below in level for above in hypernyms[below] if above not in steps]
        distance = max(steps.values()) + 1
        steps.update(dict.fromkeys(level, distance))
    return {**steps, _ROOT: max(steps.values()) + 1}


def _least_depth(synset: int) -> int:
    return 0 if synset == _ROOT else _depths(synset)[0]


def _depth(synset: int) -> int:
    return 0 if synset == _ROOT else _depths(synset)[1]


@cache
def _depths(synset: int, passed: frozenset[int] = frozenset()) -> tuple[int, int]:
    """The length of the shortest and of the longest way up."""
    above = [_depths(each, passed | {synset}) for each in verbs().hypernyms[synset] if each not in passed]
    if not above:
        return 0, 0
    return 1 + min(least for least, _ in above), 1 + max(most for _, most in above)
