"""Suites to plan for: real graphs with measured seconds, and synthetic ones drawn from a seed."""

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.detectors.families import Edges, barabasi_albert, erdos_renyi, independent, out_degree, scattered
from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.suite import Suite, TestId

_TIMED_GRAPHS = Path(__file__).resolve().parents[2] / "tests" / "data" / "timed-graphs"
_NO_PROOF = Proof((), ())
_TESTS_A_FILE = 20
_DENSE = ("Erdős-Rényi", "Out-Degree-3-3")
_MOST_IF_DENSE = 1_000
"""In larger suites of these families most tests need thousands of others, which no suite does."""

_SPREAD = 1.0
"""Of the logarithm of a test's seconds: the slowest of a hundred takes about ten times the median."""


@dataclass(frozen=True)
class Subject:
    """A suite by what is known of it; `family` groups subjects in the tables."""

    family: str
    dependencies: Dependencies


def real() -> Iterator[Subject]:
    for path in sorted(_TIMED_GRAPHS.glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        edges = tuple((dependent, prerequisite) for dependent, prerequisite in document["dependencies"])
        yield Subject(path.stem, _dependencies(document["order"], edges, document["seconds"]))


def synthetic(sizes: Sequence[int], seed: int) -> Iterator[Subject]:
    for size in sizes:
        for family, draw in _FAMILIES.items():
            if family in _DENSE and size > _MOST_IF_DENSE:
                continue
            chance = random.Random(f"{seed} {family} {size}")
            names = [f"tests/test_{place // _TESTS_A_FILE}.py::test_{place}" for place in range(size)]
            seconds = [chance.lognormvariate(0.0, _SPREAD) for _ in names]
            edges = draw(size, chance)
            if family == "shared set-up":
                for place in {prerequisite for _, prerequisite in edges}:
                    seconds[place] = size / 50
            conflicts = _conflicts(size, chance) if family == "conflicts" else ()
            yield Subject(family, _dependencies(names, edges, seconds, conflicts))


def _chains(size: int, chance: random.Random) -> Edges:
    """Create, look at, edit, remove: groups of neighbours in which every test needs an earlier one of its group."""
    edges = []
    start = 0
    while start < size:
        end = min(size, start + chance.randint(1, 9))
        edges += [(place, chance.randrange(start, place)) for place in range(start + 1, end)]
        start = end
    return tuple(edges)


def _shared_set_up(size: int, chance: random.Random) -> Edges:
    """Half of the tests need one of five long ones."""
    return tuple((place, chance.randrange(5)) for place in range(5, size) if chance.random() < 0.5)


def _some(size: int, chance: random.Random) -> Edges:
    return scattered(size, size // 5, chance.randrange(1 << 30)).edges


def _conflicts(size: int, chance: random.Random) -> Sequence[tuple[int, int, int | None]]:
    """Polluter, victim and what cleans in between: a fifth of them have no cleaner, and then the victim comes first."""
    found: list[tuple[int, int, int | None]] = []
    for _ in range(size // 10):
        first, second, third = sorted(chance.sample(range(size), 3))
        found.append((third, first, None) if chance.random() < 0.2 else (first, third, second))
    return found


_FAMILIES: Mapping[str, Callable[[int, random.Random], Edges]] = {
    "independent": independent,
    "scattered": _some,
    "chains": _chains,
    "shared set-up": _shared_set_up,
    "conflicts": _some,
    "Barabási-Albert": barabasi_albert,
    "Erdős-Rényi": erdos_renyi,
    "Out-Degree-3-3": out_degree,
}


def _dependencies(
    names: Sequence[str],
    edges: Edges,
    seconds: Sequence[float],
    conflicts: Sequence[tuple[int, int, int | None]] = (),
) -> Dependencies:
    tests = tuple(map(TestId, names))
    return Dependencies(
        Suite(tests),
        dict.fromkeys(tests, Outcome.PASSED),
        dict(zip(tests, seconds, strict=True)),
        tuple(Need(tests[dependent], (tests[prerequisite],), _NO_PROOF) for dependent, prerequisite in edges),
        tuple(
            Conflict(tests[victim], (tests[polluter],), () if cleaner is None else (tests[cleaner],), _NO_PROOF)
            for polluter, victim, cleaner in conflicts
        ),
    )
