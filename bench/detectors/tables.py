"""The rows as Markdown."""

import statistics
from collections.abc import Sequence

from bench.detectors import bound
from bench.detectors.claims import Claim
from bench.detectors.families import FIXED
from bench.detectors.measure import FACTORS, OUT_OF_BUDGET, WORKERS, Row
from bench.kit.result import markdown


def claims_table(claims: Sequence[Claim]) -> str:
    rows = [[claim.what, claim.where, _number(claim.limit), _number(claim.value), claim.verdict] for claim in claims]
    return markdown(("what", "where", "limit", "measured", "verdict"), rows)


def families_table(rows: Sequence[Row], sizes: Sequence[int]) -> str:
    """Orders / tests at a price of one test and one worker, medians, with the lower bound beside them."""
    detectors = detectors_of(rows)
    keys = list(dict.fromkeys((row.family, row.probability, row.size) for row in rows))
    body = []
    for family, probability, size in keys:
        if probability is None and size not in sizes:
            continue
        at = [row for row in usual(rows) if (row.family, row.probability, row.size) == (family, probability, size)]
        name = f"{family} {probability}" if family == FIXED else family
        cells = [_cost([row for row in at if row.detector == detector]) for detector in detectors]
        edges = round(statistics.mean(row.edges for row in at))
        least = f"{bound.orders(size, edges):.1f} / {bound.bits(size, edges):,.0f}"
        body.append([name, str(size), str(edges), least, *cells])
    return markdown(("family", "n", "edges", "lower bound", *detectors), body)


def bound_table(rows: Sequence[Row], sizes: Sequence[int]) -> str:
    """How many times the lower bound sieve asks and runs."""
    body = []
    for family in dict.fromkeys(row.family for row in rows if row.probability is None):
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


def time_table(rows: Sequence[Row], size: int) -> str:
    """Predicted wall time, in tests, medians."""
    detectors = detectors_of(rows)
    body = []
    for family in dict.fromkeys(row.family for row in rows if row.size == size):
        for factor in FACTORS:
            for workers in WORKERS:
                price = (family, size, factor, workers)
                at = [row for row in rows if (row.family, row.size, row.factor, row.workers) == price]
                cells = [_seconds([row for row in at if row.detector == detector]) for detector in detectors]
                body.append([family, f"{factor:g}", str(workers), *cells])
    return markdown((f"family, n = {size}", "clean state", "workers", *detectors), body)


def usual(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if (row.factor, row.workers) == (1.0, 1)]


def detectors_of(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(row.detector for row in rows))


def marked(rows: Sequence[Row], told: str) -> str:
    """A star where what was found was not what is hidden in every case."""
    if not rows or any(row.status == OUT_OF_BUDGET for row in rows):
        return OUT_OF_BUDGET
    return told + ("" if all(row.right for row in rows) else " *")


def _cost(rows: Sequence[Row]) -> str:
    if not rows:
        return OUT_OF_BUDGET
    medians = (statistics.median(values) for values in ([row.orders for row in rows], [row.tests for row in rows]))
    return marked(rows, " / ".join(f"{value:,.0f}" for value in medians))


def _seconds(rows: Sequence[Row]) -> str:
    return marked(rows, f"{statistics.median(row.seconds for row in rows):,.0f}") if rows else OUT_OF_BUDGET


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.3f}" if value < 10 else f"{value:,.0f}" if value != float("inf") else "no right answer"
