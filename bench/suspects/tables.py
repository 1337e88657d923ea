"""The rows as Markdown."""

from collections.abc import Callable, Sequence

from bench.kit.result import markdown
from bench.suspects.measure import Asked, Row, saving
from bench.suspects.published import TABLE_3
from unknot.suspect.configurations import OURS, PUBLISHED

_EDGES = ("extracted", "filtered", "kept", "false", "manifest", "recovered", "disconnected", "final", "lost")
_COSTS: dict[str, Callable[[Asked], float]] = {
    "orders": lambda asked: asked.orders,
    "tests": lambda asked: asked.tests,
    "seconds": lambda asked: asked.seconds,
}


def goals_table(rows: Sequence[Row]) -> str:
    """Savings beside the one that the paper has for the same configuration; equal ones count as reached."""
    body = []
    for configuration, published in list(TABLE_3.items())[1:]:
        savings = [saving(_of(rows, configuration), _of(rows, "original"), cost) for cost in _COSTS.values()]
        told = [f"{percent:.0f} %" for percent in savings]
        body.append([configuration, f"{published.saving} %", *told, _yes(round(savings[-1]) >= published.saving)])
    for configuration in OURS:
        savings = [saving(_of(rows, configuration), _of(rows, "original"), cost) for cost in _COSTS.values()]
        body.append([configuration, "", *(f"{percent:.0f} %" for percent in savings), ""])
    return markdown(("configuration", "paper, minutes", *_COSTS, "seconds as in the paper"), body)


def edges_table(rows: Sequence[Row]) -> str:
    """Averages over the three suites, and the paper's over its six."""
    body = []
    for configuration, published in TABLE_3.items():
        body.append(_averages(rows, configuration))
        body.append(["in the paper", *(str(getattr(published, name)) for name in _EDGES[:-1]), ""])
    body += [_averages(rows, configuration) for configuration in OURS]
    return markdown(("configuration", *_EDGES), body)


def _averages(rows: Sequence[Row], configuration: str) -> list[str]:
    own = [row for row in rows if row.configuration == configuration]
    return [configuration, *(f"{sum(getattr(row, name) for row in own) / len(own):.0f}" for name in _EDGES)]


def suites_table(rows: Sequence[Row]) -> str:
    body = []
    for row in rows:
        edges = [str(getattr(row, name)) for name in _EDGES]
        complete = next(each for each in rows if (each.suite, each.configuration) == (row.suite, "original"))
        saved = " / ".join(f"{saving([row.tedd], [complete.tedd], cost):.0f}" for cost in _COSTS.values())
        body.append([row.suite, row.configuration, *edges, *_asked(row.tedd), saved])
    return markdown(("suite", "configuration", *_EDGES, *_COSTS, "with proofs", "right", "saved"), body)


def sieve_table(rows: Sequence[Row], plain: dict[str, Asked]) -> str:
    """sieve without suspects, with each configuration's, and the least that TEDD asks in any."""
    body = []
    for suite, asked in plain.items():
        own = [row for row in rows if row.suite == suite]
        least = min((row for row in own if row.configuration in PUBLISHED), key=lambda row: row.tedd.orders)
        body.append([suite, f"tedd at its least: {least.configuration}", *_asked(least.tedd), ""])
        body.append([suite, "sieve, no suspects", *_asked(asked), _yes(asked.orders < least.tedd.orders)])
        for row in own:
            fewer = _yes(row.sieve.orders < least.tedd.orders)
            body.append([suite, f"sieve, {row.configuration}", *_asked(row.sieve), fewer])
    return markdown(("suite", "search", *_COSTS, "with proofs", "right", "fewer orders"), body)


def _of(rows: Sequence[Row], configuration: str) -> list[Asked]:
    return [row.tedd for row in rows if row.configuration == configuration]


def _asked(asked: Asked) -> list[str]:
    figures = [f"{asked.orders:,}", f"{asked.tests:,}", f"{asked.seconds:,.0f}", f"{asked.with_proofs:,}"]
    return [*figures, _yes(asked.right)]


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"
