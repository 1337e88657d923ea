"""What was to be reached, beside what was measured. Every verdict is computed from the rows."""

import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from bench.detectors.endurance import MOST_MEGABYTES, MOST_SECONDS, Endurance
from bench.detectors.measure import FACTORS, OUT_OF_BUDGET, WORKERS, Row
from bench.detectors.subjects import COMPARED_SIZES, REAL

_OURS, _THEIRS, _CHOOSER = "sieve", "pfast", "auto"
_SHARE_OF_ORDERS = {"Barabási-Albert": 1 / 4, "Erdős-Rényi": 1 / 10, "Out-Degree-3-3": 1 / 10}
_SHARE_OF_TESTS = 1 / 5
_DEAR, _CHEAP = max(FACTORS), min(FACTORS)
_MOST_ABOVE_BEST = 1.2


@dataclass(frozen=True)
class Claim:
    """`value` is None where there are no figures to judge by."""

    what: str
    where: str
    limit: float
    value: float | None

    @property
    def verdict(self) -> str:
        if self.value is None:
            return "no figures"
        return "reached" if self.value <= self.limit else "not reached"


def claims(rows: Sequence[Row], endurance: Iterable[Endurance]) -> list[Claim]:
    return [
        *_against_theirs(rows),
        *_independent(rows),
        *_real(rows),
        *_chooser(rows),
        *(claim for measured in endurance for claim in _lasting(measured)),
    ]


def _against_theirs(rows: Sequence[Row]) -> Iterator[Claim]:
    """At the middle price and at the high one; medians over the graphs of a size."""
    for factor in FACTORS[1:]:
        for family, share in _SHARE_OF_ORDERS.items():
            for size in COMPARED_SIZES:
                at = [row for row in _at(rows, factor) if (row.family, row.size) == (family, size)]
                where = f"{family}, n = {size}, clean state {factor:g} tests"
                yield Claim(f"{_OURS} / {_THEIRS}, orders", where, share, _ratio(at, lambda row: row.orders))
                yield Claim(f"{_OURS} / {_THEIRS}, tests", where, _SHARE_OF_TESTS, _ratio(at, lambda row: row.tests))


def _ratio(rows: Sequence[Row], cost: Callable[[Row], int]) -> float | None:
    ours = _median(cost(row) for row in rows if row.detector == _OURS and row.right)
    theirs = _median(cost(row) for row in rows if row.detector == _THEIRS and row.right)
    return ours / theirs if ours is not None and theirs else None


def _independent(rows: Sequence[Row]) -> Iterator[Claim]:
    for row in _at(rows, _DEAR):
        if (row.family, row.detector) == ("independent", _OURS):
            limit = 2 * math.log2(row.size) + 2
            yield Claim(f"{_OURS}, orders", f"independent, n = {row.size}, expensive", limit, _sound(row, row.orders))
    for row in _at(rows, _CHEAP):
        if (row.family, row.detector) == ("independent", _OURS):
            limit = 1.1 * row.size
            yield Claim(f"{_OURS}, tests", f"independent, n = {row.size}, cheap", limit, _sound(row, row.tests))


def _real(rows: Sequence[Row]) -> Iterator[Claim]:
    for factor in FACTORS[1:]:
        for row in _at(rows, factor):
            if row.family.startswith(REAL) and row.detector == _OURS:
                where = f"{row.family}, clean state {factor:g} tests"
                yield Claim(f"{_OURS}, orders", where, row.size + 2, _sound(row, row.orders))


def _chooser(rows: Sequence[Row]) -> Iterator[Claim]:
    """By predicted wall time. At each price over all graphs together, against whichever single detector is cheapest
    there; and, harder, graph by graph, against whichever turned out cheapest on that graph."""
    for factor in FACTORS:
        for workers in WORKERS:
            yield _chosen_for_all(rows, factor, workers)
    best: dict[tuple[object, ...], float] = {}
    chosen: dict[tuple[object, ...], Row] = {}
    for row in rows:
        key = (row.family, row.probability, row.size, row.number, row.factor, row.workers)
        if row.detector == _CHOOSER:
            if row.status != OUT_OF_BUDGET:
                chosen[key] = row
        elif row.right and row.status == "complete":
            best[key] = min(row.seconds, best.get(key, math.inf))
    ratios = {key: _times(row.seconds, best[key], row.right) for key, row in chosen.items() if key in best}
    worst = max(ratios, key=lambda key: ratios[key], default=None)
    what = f"{_CHOOSER} / best on the same graph, wall time"
    if worst is None:
        yield Claim(what, "no rows", _MOST_ABOVE_BEST, None)
        return
    family, probability, size, number, factor_of_worst, workers_of_worst = worst
    above = sum(ratio > _MOST_ABOVE_BEST for ratio in ratios.values())
    p = f", p = {probability}" if probability is not None else ""
    where = (
        f"worst of {len(ratios)} rows ({above} above the limit): {family}{p}, n = {size}, graph {number}, "
        f"clean state {factor_of_worst:g} tests, {workers_of_worst} workers"
    )
    yield Claim(what, where, _MOST_ABOVE_BEST, ratios[worst])


def _chosen_for_all(rows: Sequence[Row], factor: float, workers: int) -> Claim:
    """Over the graphs on which both came to their end, the single detector in question with the right graph."""
    at = [row for row in rows if (row.factor, row.workers) == (factor, workers)]
    ours = {_graph(row): row for row in at if row.detector == _CHOOSER and row.status != OUT_OF_BUDGET}
    worst, against = None, "no rows"
    for detector in sorted({row.detector for row in at} - {_CHOOSER}):
        theirs = {_graph(row): row for row in at if row.detector == detector}
        common = [graph for graph, row in theirs.items() if row.right and row.status == "complete" and graph in ours]
        if common:
            right = all(ours[graph].right for graph in common)
            spent = sum(ours[graph].seconds for graph in common)
            ratio = _times(spent, sum(theirs[graph].seconds for graph in common), right)
            if worst is None or ratio > worst:
                worst, against = ratio, f"{detector} on {len(common)} graphs"
    where = f"against {against}, clean state {factor:g} tests, {workers} workers"
    return Claim(f"{_CHOOSER} / best single choice, wall time", where, _MOST_ABOVE_BEST, worst)


def _graph(row: Row) -> tuple[object, ...]:
    return row.family, row.probability, row.size, row.number


def _times(ours: float, theirs: float, right: bool) -> float:
    if not right:
        return math.inf
    return ours / theirs if theirs else 1.0 if not ours else math.inf


def _lasting(measured: Endurance) -> Iterator[Claim]:
    where = (
        f"{measured.tests_of_suite:,} tests, {measured.dependencies} dependencies,"
        f" clean state {measured.factor:g} tests"
        f" ({measured.orders:,} orders{'' if measured.right else ', not the whole graph'})"
    )
    finished = measured.right and measured.complete
    yield Claim(
        f"{measured.detector}, CPU seconds of thinking",
        where,
        MOST_SECONDS,
        measured.thinking if finished else math.inf,
    )
    yield Claim(f"{measured.detector}, peak MB", where, MOST_MEGABYTES, measured.megabytes)


def _at(rows: Sequence[Row], factor: float) -> list[Row]:
    return [row for row in rows if row.factor == factor and row.workers == 1]


def _sound(row: Row, value: float) -> float:
    """A cheap answer that is wrong reaches nothing."""
    return value if row.right and row.status != OUT_OF_BUDGET else math.inf


def _median(values: Iterable[float]) -> float | None:
    found = list(values)
    return statistics.median(found) if found else None
