"""The rows as Markdown."""

from collections.abc import Callable, Sequence

from bench.candidates.measure import Asked, Row, saving
from bench.candidates.published import OURS, TABLE_3
from bench.kit.result import markdown

_EDGES = ("extracted", "filtered", "kept", "false", "manifest", "recovered", "disconnected", "final", "lost")
_COSTS: dict[str, Callable[[Asked], float]] = {
    "orders": lambda asked: asked.orders,
    "tests": lambda asked: asked.tests,
    "seconds": lambda asked: asked.seconds,
}


def goals_table(rows: Sequence[Row]) -> str:
    """Savings beside the one that the paper has for the same configuration; equal ones count as reached."""
    head = ("configuration", "paper, minutes", *_COSTS, "seconds as in the paper")
    body = []
    for configuration in (*list(TABLE_3)[1:], *OURS):
        published = TABLE_3.get(configuration)
        savings = [_saved(rows, configuration, cost) for cost in _COSTS.values()]
        goal, reached = "", ""
        if published is not None:
            goal, reached = f"{published.saving} %", _yes(round(savings[-1]) >= published.saving)
        body.append([configuration, goal, *(f"{percent:.0f} %" for percent in savings), reached])
    return markdown(head, body)


def _saved(rows: Sequence[Row], configuration: str, cost: Callable[[Asked], float]) -> float:
    own = [row.tedd for row in rows if row.configuration == configuration]
    return saving(own, _complete(rows), cost)


def _complete(rows: Sequence[Row]) -> list[Asked]:
    """What it takes to validate the complete graph."""
    return [row.tedd for row in rows if row.configuration == "original"]


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
        complete = _complete([each for each in rows if each.suite == row.suite])
        saved = " / ".join(f"{saving([row.tedd], complete, cost):.0f}" for cost in _COSTS.values())
        body.append([row.suite, row.configuration, *edges, *_asked(row.tedd), saved])
    return markdown(("suite", "configuration", *_EDGES, *_COSTS, "with proofs", "right", "saved"), body)


def sieve_table(rows: Sequence[Row], plain: dict[str, Asked]) -> str:
    """sieve without candidates, with those of each configuration, and the least that TEDD runs in any."""
    body = []
    for suite, asked in plain.items():
        own = [row for row in rows if row.suite == suite]
        least = min((row for row in own if row.configuration in TABLE_3), key=lambda row: row.tedd.orders)
        body.append([suite, f"tedd at its least: {least.configuration}", *_asked(least.tedd), ""])
        body.append([suite, "sieve, no candidates", *_asked(asked), _yes(asked.orders < least.tedd.orders)])
        for row in own:
            fewer = _yes(row.sieve.orders < least.tedd.orders)
            body.append([suite, f"sieve, {row.configuration}", *_asked(row.sieve), fewer])
    return markdown(("suite", "search", *_COSTS, "with proofs", "right", "fewer orders"), body)


def _asked(asked: Asked) -> list[str]:
    figures = [f"{asked.orders:,}", f"{asked.tests:,}", f"{asked.seconds:,.0f}", f"{asked.with_proofs:,}"]
    return [*figures, _yes(asked.right)]


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"
