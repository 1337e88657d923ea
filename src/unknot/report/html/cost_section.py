"""What the detection cost, beside what other algorithms would have."""

from collections.abc import Iterator
from html import escape
from math import log10

from unknot.model.sanitise import shown
from unknot.report.duration import duration
from unknot.report.report import Alternative, Report

_BAR = 320
_OWN = ' class="own"'


def cost_section(report: Report) -> Iterator[str]:
    """A table with a bar for each row, on a scale on which each step is ten times the one before."""
    cost = report.dependencies.cost
    mine = Alternative(cost.algorithm, cost.orders, cost.tests, cost.seconds, report.dependencies.complete)
    others = sorted(report.alternatives, key=lambda other: (other.orders, other.algorithm))
    yield '<section id="cost" aria-labelledby="cost-h"><h2 id="cost-h">Cost of the detection</h2>'
    if others:
        yield (
            '<p class="dim">An order is one run from a clean state. What the others would have asked is simulated on '
            "what was found, with the seconds that the tests took here; bars are on a logarithmic scale.</p>"
        )
    else:
        yield (
            '<p class="dim">An order is one run from a clean state. What other algorithms would have asked is not '
            "known.</p>"
        )
    most = max([1, mine.orders, *(other.orders for other in others)])
    yield '<div class="scroll" tabindex="0" role="group" aria-label="Cost by algorithm">'
    yield '<table class="costs"><thead><tr>'
    yield '<th scope="col">Algorithm</th><th scope="col" class="number">Orders</th><th scope="col"></th>'
    yield '<th scope="col" class="number">Test runs</th><th scope="col" class="number">Time</th>'
    yield '<th scope="col">Finds</th></tr></thead><tbody>'
    yield _row(mine, most, own=True)
    yield from (_row(other, most, own=False) for other in others)
    yield "</tbody></table></div></section>"


def _row(cost: Alternative, most: int, *, own: bool) -> str:
    width = _BAR * log10(1 + cost.orders) / log10(1 + most)
    bar = (
        f'<svg class="bar{" own" if own else ""}" viewBox="0 0 {_BAR} 14" width="{_BAR}" height="14" '
        f'aria-hidden="true"><rect width="{width:.1f}" height="14" rx="3"></rect></svg>'
    )
    finds = "all of it" if cost.complete else "not all of it"
    if own:
        finds = "this report" if cost.complete else "this report, unfinished"
    return (
        f'<tr{_OWN if own else ""}><th scope="row">{escape(shown(cost.algorithm))}</th>'
        f'<td class="number">{cost.orders:,}</td><td>{bar}</td><td class="number">{cost.tests:,}</td>'
        f'<td class="number">{duration(cost.seconds)}</td><td>{finds}</td></tr>'
    )
