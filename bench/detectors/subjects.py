"""Which graphs are measured: the families at many sizes, and those of real web suites."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bench.detectors.families import FAMILIES, PROBABILITIES, Subject, drawn, drawn_with

_DATA = Path(__file__).resolve().parents[2] / "tests" / "data"
PUBLISHED, CORRECTED = "published", "corrected"
"""How the family of a web suite ends."""
COMPARED_SIZES = (202, 402)
"""At these sizes ratios to PFAST are taken."""


@dataclass(frozen=True)
class Extent:
    """How much is measured. `large` begins where fewer graphs of a size must do."""

    sizes: tuple[int, ...]
    graphs: int
    graphs_of_large: int
    large: int
    fixed_graphs: int
    fixed_size: int
    seconds: float
    """CPU seconds after which a detector is stopped on a graph."""
    orders: int
    tests: int
    endurance: tuple[int, int]
    """Tests and dependencies of the suite on which thinking is measured."""


WHOLE = Extent(
    sizes=(2, 12, 22, 32, 52, 72, 102, 202, 402, 492),
    graphs=2,
    graphs_of_large=1,
    large=300,
    fixed_graphs=4,
    fixed_size=50,
    seconds=30.0,
    orders=60_000,
    tests=20_000_000,
    endurance=(5_000, 200),
)
SMALL = Extent(
    sizes=(2, 12, 32),
    graphs=2,
    graphs_of_large=1,
    large=30,
    fixed_graphs=1,
    fixed_size=50,
    seconds=1.0,
    orders=5_000,
    tests=100_000,
    endurance=(500, 20),
)


def drawn_from(extent: Extent, seed: int) -> Iterator[Subject]:
    for family in FAMILIES:
        for size in extent.sizes:
            graphs = extent.graphs if size < extent.large else extent.graphs_of_large
            for number in range(1 if family == "independent" else graphs):
                yield drawn(family, size, number, seed)
    for probability in PROBABILITIES:
        for number in range(extent.fixed_graphs):
            yield drawn_with(probability, extent.fixed_size, number, seed)


def web_suites() -> Iterator[Subject]:
    """The graphs of real web suites with measured seconds: as published, and corrected where cleaners and alternatives
    were published as plain needs."""
    for path in sorted((_DATA / "timed-graphs").glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        published = Subject(
            family=f"{path.stem}, {PUBLISHED}",
            size=len(document["order"]),
            number=0,
            edges=tuple(sorted((dependent, prerequisite) for dependent, prerequisite in document["dependencies"])),
            seconds=tuple(document["seconds"]),
        )
        yield published
        correction = _DATA / "corrected-graphs" / path.name
        if correction.exists():
            yield _corrected(published, path.stem, json.loads(correction.read_text(encoding="utf-8")))


def _corrected(published: Subject, name: str, correction: Any) -> Subject:
    clauses = [(dependent, tuple(any_of)) for dependent, any_of in correction["needs"]]
    gone = {(dependent, prerequisite) for dependent, prerequisite in correction["not needs"]}
    single = {(dependent, any_of[0]) for dependent, any_of in clauses if len(any_of) == 1}
    return replace(
        published,
        family=f"{name}, {CORRECTED}",
        edges=tuple(sorted(set(published.edges) - gone | single)),
        alternatives=tuple((dependent, any_of) for dependent, any_of in clauses if len(any_of) > 1),
        conflicts=tuple(
            (each["victim"], tuple(each["polluters"]), tuple(each["cleaners"])) for each in correction["conflicts"]
        ),
    )
