"""The rows as pictures, each after a figure of the PFAST paper, and as a file for other programs."""

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, fields
from pathlib import Path
from typing import Any

from bench.detectors.families import FIXED
from bench.detectors.measure import OUT_OF_BUDGET, Row
from bench.detectors.plots import Chart, Series, svg

_GROWING = ("Barabási-Albert", "Erdős-Rényi", "Out-Degree-3-3")
_FACTOR, _WORKERS = 1.0, 1
"""The price at which figures are drawn, where it matters."""


def write_csv(path: Path, rows: Iterable[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(field.name for field in fields(Row))
        writer.writerows(astuple(row) for row in rows)


def read_csv(path: Path) -> list[Row]:
    """The rows that `write_csv` wrote there."""
    made: dict[object, Callable[[str], Any]] = {
        str: str,
        int: int,
        float: float,
        float | None: lambda text: float(text) if text else None,
        bool: lambda text: text == "True",
    }
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Row(**{field.name: made[field.type](row[field.name]) for field in fields(Row)})
            for row in csv.DictReader(file)
        ]


def write_figures(directory: Path, rows: Sequence[Row]) -> list[Path]:
    """Orders over n, tests and orders over p, longest closure over n."""
    drawn = [row for row in rows if (row.factor, row.workers) == (_FACTOR, _WORKERS) and row.status != OUT_OF_BUDGET]
    charts = {
        "orders-over-size.svg": [
            Chart(family, "tests in the suite", "orders", _by_size(drawn, family, lambda row: row.orders))
            for family in _GROWING
        ],
        "tests-over-size.svg": [
            Chart(family, "tests in the suite", "tests run", _by_size(drawn, family, lambda row: row.tests))
            for family in _GROWING
        ],
        "cost-over-probability.svg": [
            Chart(FIXED, "probability of an edge", "tests run", _by_p(drawn, lambda row: row.tests), even=True),
            Chart(FIXED, "probability of an edge", "orders", _by_p(drawn, lambda row: row.orders), even=True),
        ],
        "longest-closure.svg": [
            Chart(
                family,
                "tests in the suite",
                "longest closure / tests",
                _by_size([row for row in drawn if row.right], family, lambda row: row.longest / row.size),
                log=False,
            )
            for family in _GROWING
        ],
    }
    for name, some in charts.items():
        (directory / name).write_text(svg(some), encoding="utf-8")
    return [directory / name for name in charts]


def _by_size(rows: Sequence[Row], family: str, value: Callable[[Row], float]) -> Series:
    found: dict[str, dict[float, list[float]]] = {}
    for row in rows:
        if row.family == family:
            found.setdefault(row.detector, {}).setdefault(row.size, []).append(value(row))
    return found


def _by_p(rows: Sequence[Row], value: Callable[[Row], float]) -> Series:
    found: dict[str, dict[float, list[float]]] = {}
    for row in rows:
        if row.probability is not None:
            found.setdefault(row.detector, {}).setdefault(row.probability, []).append(value(row))
    return found
