"""What was to be reached, beside what was measured. Every verdict is computed from the rows."""

import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from bench.detectors.endurance import MOST_MEGABYTES, MOST_SECONDS, Endurance
from bench.detectors.measure import FACTORS, OUT_OF_BUDGET, Row
from bench.detectors.subjects import COMPARED_SIZES

_OURS, _THEIRS = "sieve", "pfast"
_SHARE_OF_ORDERS = {"Barabási-Albert": 1 / 4, "Erdős-Rényi": 1 / 10, "Out-Degree-3-3": 1 / 10}
_SHARE_OF_TESTS = 1 / 5
_DEAR, _CHEAP = max(FACTORS), min(FACTORS)


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
            yield Claim(f"{_OURS}, orders", f"independent, n = {row.size}, expensive", limit, sound(row, row.orders))
    for row in _at(rows, _CHEAP):
        if (row.family, row.detector) == ("independent", _OURS):
            limit = 1.1 * row.size
            yield Claim(f"{_OURS}, tests", f"independent, n = {row.size}, cheap", limit, sound(row, row.tests))


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


def sound(row: Row, value: float) -> float:
    """A cheap answer that is wrong reaches nothing."""
    return value if row.right and row.status != OUT_OF_BUDGET else math.inf


def _median(values: Iterable[float]) -> float | None:
    found = list(values)
    return statistics.median(found) if found else None
