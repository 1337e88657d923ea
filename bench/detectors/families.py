"""Random dependency graphs, drawn from a seed: the three families on which PFAST was measured, and none at all.

Tests are numbered in reference order, and an edge leads from a dependent to a prerequisite before it, so that every
graph is acyclic and green in its own order. The same seed, family, size and number give the same graph everywhere.
"""

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Edges = tuple[tuple[int, int], ...]

PROBABILITIES = (0.0001, 0.0005, 0.001, 0.005, 0.01, 0.02)


@dataclass(frozen=True)
class Subject:
    """A graph to be found again. `probability` is that of an edge where it is the same for all sizes. `alternatives`
    are dependents, each with tests any one of which it needs; `conflicts` are a victim, its polluters, and cleaners."""

    family: str
    size: int
    number: int
    edges: Edges
    probability: float | None = None
    seconds: tuple[float, ...] = ()
    """Of each test; a second each if empty."""
    alternatives: tuple[tuple[int, tuple[int, ...]], ...] = ()
    conflicts: tuple[tuple[int, tuple[int, ...], tuple[int, ...]], ...] = ()

    def __post_init__(self) -> None:
        if not all(0 <= prerequisite < dependent < self.size for dependent, prerequisite in self.edges):
            raise ValueError(f"{self.family}, {self.size} tests: an edge does not lead to an earlier test")


def erdos_renyi(size: int, chance: random.Random) -> Edges:
    """Every earlier test is needed with the probability ln n / n, so that edges grow like n log n."""
    return _equally_likely(size, math.log(size) / size, chance)


def barabasi_albert(size: int, chance: random.Random) -> Edges:
    """The first two tests are joined. Every later one is joined with each earlier one, independently, with the earlier
    one's share of all ends of edges so far as probability: about one edge each, and the rich get richer."""
    degrees = [1, 1]
    edges = [(1, 0)]
    for later in range(2, size):
        total = sum(degrees)
        chosen = [earlier for earlier in range(later) if chance.random() < degrees[earlier] / total]
        for earlier in chosen:
            degrees[earlier] += 1
        degrees.append(len(chosen))
        edges += [(later, earlier) for earlier in chosen]
    return tuple(edges)


def out_degree(size: int, chance: random.Random) -> Edges:
    """Every test needs three earlier ones, all equally likely; the first few as many as there are."""
    return tuple((later, earlier) for later in range(size) for earlier in sorted(_some(later, chance)))


def independent(_size: int, _chance: random.Random) -> Edges:
    """What a good suite looks like."""
    return ()


FAMILIES: Mapping[str, Callable[[int, random.Random], Edges]] = {
    "Erdős-Rényi": erdos_renyi,
    "Barabási-Albert": barabasi_albert,
    "Out-Degree-3-3": out_degree,
    "independent": independent,
}
FIXED = "Erdős-Rényi, fixed p"


def drawn(family: str, size: int, number: int, seed: int) -> Subject:
    return Subject(family, size, number, FAMILIES[family](size, _chance(seed, family, size, number)))


def drawn_with(probability: float, size: int, number: int, seed: int) -> Subject:
    """Erdős-Rényi with a probability that does not depend on the size."""
    chance = _chance(seed, f"{FIXED} {probability}", size, number)
    return Subject(FIXED, size, number, _equally_likely(size, probability, chance), probability)


def scattered(size: int, edges: int, seed: int) -> Subject:
    """So many edges, all pairs equally likely."""
    chance = _chance(seed, "scattered", size, 0)
    found: set[tuple[int, int]] = set()
    while len(found) < edges:
        earlier, later = sorted(chance.sample(range(size), 2))
        found.add((later, earlier))
    return Subject("scattered", size, 0, tuple(sorted(found)))


def _equally_likely(size: int, probability: float, chance: random.Random) -> Edges:
    pairs = ((later, earlier) for later in range(size) for earlier in range(later))
    return tuple(pair for pair in pairs if chance.random() < probability)


def _some(later: int, chance: random.Random) -> list[int]:
    return chance.sample(range(later), min(3, later))


def _chance(seed: int, family: str, size: int, number: int) -> random.Random:
    return random.Random(f"{seed}/{family}/{size}/{number}")
