"""The crawl strategies, by name."""

from collections.abc import Callable, Mapping

from unknot.web.crawl.explorer import Explorer
from unknot.web.crawl.promising import PromisingFirst
from unknot.web.crawl.random_walk import RandomWalk
from unknot.web.crawl.systematic import BreadthFirst, DepthFirst

EXPLORERS: Mapping[str, Callable[[int], Explorer]] = {
    "promising": PromisingFirst,
    "depth-first": DepthFirst,
    "breadth-first": BreadthFirst,
    "random": RandomWalk,
}
_STEPS, _WORKERS = 1_000_003, 7_919


def session_seed(seed: int, steps: int, worker: int = 0) -> int:
    """One that has already taken steps goes on with other choices than those with which it began, and workers choose
    independently of each other.

    >>> session_seed(3, 0)
    3
    """
    return seed + _STEPS * steps + _WORKERS * worker
