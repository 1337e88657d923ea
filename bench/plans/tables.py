"""The rows as Markdown."""

import math
import statistics
from collections.abc import Callable, Sequence

from bench.kit.result import markdown
from bench.plans.measure import SOLVED, Row

_MAKERS = ("greedy", "auto", "closures", "prefix-tree", "optimal")
_LIMITS = {"greedy": 1.10, "optimal": 1.02}
_PLANNING_LIMIT = 2.0
_ELECTRIC_WORKERS = 32


def claims_table(rows: Sequence[Row]) -> str:
    few = [row for row in rows if row.size <= SOLVED]
    body = []
    for maker, limit in _LIMITS.items():
        ratios = [(row.made[maker].seconds / row.proven, row) for row in few if maker in row.made]
        worst, row = max(ratios, key=lambda entry: entry[0])
        above = sum(ratio > limit for ratio, _ in ratios)
        where = f"{row.family}, {row.size} tests, {row.workers} workers"
        told = f"{limit:.2f}", f"{worst:.3f} ({where})", f"{len(ratios) - above} of {len(ratios)}"
        body.append([f"{maker} / proven bound, up to {SOLVED} tests", *told])
    more = [row for row in rows if row.size > SOLVED]
    if more:
        ratios = [(row.made["greedy"].seconds / row.proven, row) for row in more]
        worst, row = max(ratios, key=lambda entry: entry[0])
        within = sum(ratio <= _LIMITS["greedy"] for ratio, _ in ratios)
        where = f"{row.family}, {row.size} tests, {row.workers} workers"
        told = "1.10", f"{worst:.3f} ({where})", f"{within} of {len(ratios)}"
        body.append(["greedy / bound, more tests (the bound may be far below the optimum)", *told])
        largest = [row for row in rows if row.size == max(row.size for row in rows)]
        planning = [(row.made["greedy"].planning, row) for row in largest]
        worst, row = max(planning, key=lambda entry: entry[0])
        within = sum(took < _PLANNING_LIMIT for took, _ in planning)
        where = f"{row.family}, {row.workers} workers"
        told = f"{_PLANNING_LIMIT:.0f}", f"{worst:.2f} ({where})", f"{within} of {len(planning)}"
        body.append([f"CPU seconds to plan {row.size:,} tests, greedy", *told])
    compared = [row for row in rows if "closures" in row.made]
    worst = max(row.made["auto"].seconds / row.made["closures"].seconds for row in compared)
    slower = sum(row.made["auto"].seconds > row.made["closures"].seconds * (1 + 1e-9) for row in compared)
    body.append(["auto / plan of closures", "1.00", f"{worst:.3f}", f"{len(compared) - slower} of {len(compared)}"])
    return markdown(("what", "limit", "worst", "within"), body)


def makespans_table(rows: Sequence[Row]) -> str:
    """Over the simple lower bound max(longest closure, work / workers), so that all share one measure."""
    body = []
    for row in rows:
        simple = max(row.bounds.critical, row.bounds.share)
        cells = [f"{row.made[maker].seconds / simple:.3f}" if maker in row.made else "" for maker in _MAKERS]
        repeated = row.made["greedy"].runs - row.size
        planning = f"{row.made['greedy'].planning:.2f}"
        by_file = f"{row.by_file / simple:.3f}"
        first = (row.family, f"{row.size:,}", str(row.workers), f"{row.proven / simple:.3f}")
        body.append([*first, *cells, by_file, f"{repeated:,}", planning])
    head = ("suite", "tests", "workers", "proven", *_MAKERS, "by file, unsafe", "greedy: run again", "greedy: CPU s")
    return markdown(head, body)


def speed_up_table(rows: Sequence[Row]) -> str:
    """As in ElectricTest's Table 6: serial over parallel seconds on 32 simulated workers."""
    at = [row for row in rows if row.workers == _ELECTRIC_WORKERS]
    ways: Sequence[tuple[str, Callable[[Row], float]]] = (
        ("plan", lambda row: row.bounds.work / row.made["auto"].seconds),
        ("unsafe splitting", lambda row: row.bounds.work / row.unsafe),
        ("by file, unsafe", lambda row: row.bounds.work / row.by_file),
        ("no plan can exceed", lambda row: row.bounds.work / row.proven),
    )
    body = [[row.family, f"{row.size:,}", *(f"{of(row):.1f}" for _, of in ways)] for row in at]
    means = [f"{math.exp(statistics.mean(math.log(of(row)) for row in at)):.1f}" for _, of in ways]
    averages = [f"{statistics.mean(of(row) for row in at):.1f}" for _, of in ways]
    body += [["geometric mean", "", *means], ["mean", "", *averages]]
    return markdown(("suite", "tests", *(name for name, _ in ways)), body)
