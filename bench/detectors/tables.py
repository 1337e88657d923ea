"""The rows as Markdown."""

import statistics
from collections.abc import Callable, Sequence

from bench.detectors import bound
from bench.detectors.claims import Claim
from bench.detectors.families import FIXED
from bench.detectors.measure import FACTORS, OUT_OF_BUDGET, WORKERS, Row
from bench.detectors.subjects import REAL
from bench.kit.result import markdown

_PUBLISHED = {
    "claroline": {"pradet": 751.0, "pfast": 138.0, "mem-fast": 8143.1},
    "expresscart": {"pradet": 342.0, "pfast": 67.0, "mem-fast": 218.4},
    "mrbs": {"pradet": 198.0, "pfast": 98.0, "mem-fast": 968.0},
    "ppma": {"pradet": 229.0, "pfast": 75.0, "mem-fast": 176.1},
}
"""Orders on the real applications, averaged over ten runs, of which some were flaky; the other two web suites of that
table have no graph here."""


def claims_table(claims: Sequence[Claim]) -> str:
    rows = [[claim.what, claim.where, _number(claim.limit), _number(claim.value), claim.verdict] for claim in claims]
    return markdown(("what", "where", "limit", "measured", "verdict"), rows)


def families_table(rows: Sequence[Row], sizes: Sequence[int]) -> str:
    """Orders / tests at a price of one test and one worker, medians, with the lower bound beside them."""
    detectors = _detectors(rows)
    keys = list(dict.fromkeys((row.family, row.probability, row.size) for row in rows if not _is_real(row)))
    body = []
    for family, probability, size in keys:
        if probability is None and size not in sizes:
            continue
        at = [row for row in _usual(rows) if (row.family, row.probability, row.size) == (family, probability, size)]
        name = f"{family} {probability}" if family == FIXED else family
        cells = [_cost([row for row in at if row.detector == detector]) for detector in detectors]
        edges = round(statistics.mean(row.edges for row in at))
        least = f"{bound.orders(size, edges):.1f} / {bound.bits(size, edges):,.0f}"
        body.append([name, str(size), str(edges), least, *cells])
    return markdown(("family", "n", "edges", "lower bound", *detectors), body)


def bound_table(rows: Sequence[Row], sizes: Sequence[int]) -> str:
    """How many times the lower bound sieve asks and runs."""
    body = []
    for family in dict.fromkeys(row.family for row in rows if not _is_real(row) and row.probability is None):
        for size in sizes:
            for factor in FACTORS:
                at = [
                    row for row in rows if (row.family, row.size, row.factor, row.workers) == (family, size, factor, 1)
                ]
                ours = [row for row in at if row.detector == "sieve" and row.right and bound.bits(size, row.edges)]
                if ours:
                    asked = statistics.median(row.orders / bound.orders(size, row.edges) for row in ours)
                    ran = statistics.median(row.tests / bound.bits(size, row.edges) for row in ours)
                    body.append([family, str(size), f"{factor:g}", f"{asked:.1f}", f"{ran:.1f}"])
    return markdown(("family", "n", "clean state in tests", "orders / bound", "tests / bound"), body)


def real_table(rows: Sequence[Row]) -> str:
    """Orders on real graphs, at a clean state of one test; the published figure in brackets."""
    detectors = _detectors(rows)
    body = []
    for family in dict.fromkeys(row.family for row in rows if _is_real(row)):
        at = {row.detector: row for row in _usual(rows) if row.family == family}
        published = _PUBLISHED.get(family.removeprefix(REAL).removesuffix(" (timed)"), {})
        any_row = next(iter(at.values()))
        cells = []
        for detector in detectors:
            told = f" ({published[detector]:g})" if detector in published else ""
            cells.append(f"{_told(at[detector], lambda row: row.orders)}{told}")
        least = f"{bound.orders(any_row.size, any_row.edges):.1f}"
        body.append([family.removeprefix(REAL), str(any_row.size), str(any_row.edges), least, *cells])
    return markdown(("web suite", "n", "edges", "lower bound", *detectors), body)


def time_table(rows: Sequence[Row], size: int) -> str:
    """Predicted wall time, in tests, medians."""
    detectors = _detectors(rows)
    body = []
    for family in dict.fromkeys(row.family for row in rows if row.size == size and not _is_real(row)):
        for factor in FACTORS:
            for workers in WORKERS:
                price = (family, size, factor, workers)
                at = [row for row in rows if (row.family, row.size, row.factor, row.workers) == price]
                cells = [_seconds([row for row in at if row.detector == detector]) for detector in detectors]
                body.append([family, f"{factor:g}", str(workers), *cells])
    return markdown((f"family, n = {size}", "clean state", "workers", *detectors), body)


def _usual(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if (row.factor, row.workers) == (1.0, 1)]


def _detectors(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(row.detector for row in rows))


def _is_real(row: Row) -> bool:
    return row.family.startswith(REAL)


def _cost(rows: Sequence[Row]) -> str:
    return _median_told(
        rows,
        lambda some: " / ".join(
            f"{statistics.median(values):,.0f}"
            for values in ([row.orders for row in some], [row.tests for row in some])
        ),
    )


def _seconds(rows: Sequence[Row]) -> str:
    return _median_told(rows, lambda some: f"{statistics.median(row.seconds for row in some):,.0f}")


def _median_told(rows: Sequence[Row], told: Callable[[Sequence[Row]], str]) -> str:
    """A star where the graph found was not the hidden one in every case."""
    if not rows or any(row.status == OUT_OF_BUDGET for row in rows):
        return OUT_OF_BUDGET
    return told(rows) + ("" if all(row.right for row in rows) else " *")


def _told(row: Row, value: Callable[[Row], int]) -> str:
    return _median_told([row], lambda some: f"{value(some[0]):,}")


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.3f}" if value < 10 else f"{value:,.0f}" if value != float("inf") else "no right answer"
