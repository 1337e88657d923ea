"""The ways to crawl that are compared: which step to take, and which pages are the same."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from unknot.web.crawl.explorer import Explorer
from unknot.web.crawl.kinds import FoldedKinds, PageKinds
from unknot.web.crawl.page_kinds.dom_kinds import ExactDom, LevenshteinDom
from unknot.web.crawl.promising import PromisingFirst
from unknot.web.crawl.random_walk import RandomWalk
from unknot.web.crawl.systematic import DepthFirst


@dataclass(frozen=True)
class Way:
    """Both are made for each run, the explorer by a seed."""

    explorer: Callable[[int], Explorer]
    kinds: Callable[[], PageKinds]


OURS = "ours"

WAYS: Mapping[str, Way] = {
    OURS: Way(PromisingFirst, FoldedKinds),
    "depth first exact DOM": Way(DepthFirst, ExactDom),
    "depth first Levenshtein 0.9": Way(DepthFirst, LevenshteinDom),
    "random": Way(RandomWalk, FoldedKinds),
}
