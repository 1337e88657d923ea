"""Which graphs are measured: the families at many sizes, and real web suites."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.detectors.families import FAMILIES, PROBABILITIES, Subject, drawn, drawn_with

_DATA = Path(__file__).resolve().parents[2] / "tests" / "data"
REAL = "web suite "
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


def subjects(extent: Extent, seed: int) -> Iterator[Subject]:
    for family in FAMILIES:
        for size in extent.sizes:
            graphs = extent.graphs if size < extent.large else extent.graphs_of_large
            for number in range(1 if family == "independent" else graphs):
                yield drawn(family, size, number, seed)
    for probability in PROBABILITIES:
        for number in range(extent.fixed_graphs):
            yield drawn_with(probability, extent.fixed_size, number, seed)
    yield from real()


def real() -> Iterator[Subject]:
    """The graphs of real web suites; with seconds where they are known."""
    for path in sorted(_DATA.glob("*/*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        yield Subject(
            family=f"{REAL}{path.stem}{' (timed)' if 'seconds' in document else ''}",
            size=len(document["order"]),
            number=0,
            edges=tuple(sorted((dependent, prerequisite) for dependent, prerequisite in document["dependencies"])),
            seconds=tuple(document.get("seconds", ())),
        )
