"""Whether a verb reads or writes."""

from collections.abc import Iterable
from functools import cache
from typing import Literal

from unknot.web.hints.names.lexicon import NEUTRAL, READS, WRITES
from unknot.web.hints.names.similarity import verb_similarity

Kind = Literal["read", "write"]

_WRITING_BASICS = ("create", "update", "delete")
_READING_BASIC = ("read",)


def kind_of(verb: str) -> Kind | Literal["neutral"] | None:
    """By the lexicon; of verbs that it lacks, by similarity. None where one cannot tell."""
    if verb in WRITES:
        return "write"
    if verb in READS or verb == "be":
        return "read"
    return "neutral" if verb in NEUTRAL else kind_by_similarity(verb)


@cache
def kind_by_similarity(verb: str) -> Kind | None:
    """By the nearest of create, read, update and delete in WordNet, as the TEDD paper does for every verb; None where
    reading and writing are equally near.

    That read is nearest is often chance: of the lexicon's own verbs for which it is, three in five write. An edge would
    be lost by it. So it counts only if, of all verbs of the lexicon, one that reads is nearest, too: then five in six
    read. Costs some hundredths of a second for such a verb.
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
