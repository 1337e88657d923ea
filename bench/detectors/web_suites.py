"""The page about real web suites: their published graphs, and the corrected ones."""

from collections.abc import Callable, Iterator, Sequence

from bench.detectors.claims import Claim, sound
from bench.detectors.measure import FACTORS, Row
from bench.detectors.subjects import CORRECTED
from bench.detectors.tables import claims_table, detectors_of, marked, usual
from bench.kit.result import machine, markdown

_TABLE_4 = {
    "claroline": {"pradet": 751.0, "pfast": 138.0, "mem-fast": 8143.1},
    "expresscart": {"pradet": 342.0, "pfast": 67.0, "mem-fast": 218.4},
    "mrbs": {"pradet": 198.0, "pfast": 98.0, "mem-fast": 968.0},
    "ppma": {"pradet": 229.0, "pfast": 75.0, "mem-fast": 176.1},
}
"""Orders on the real applications, averaged over ten runs, of which some were flaky; the other two web suites of that
table have no graph here."""

_MOST_ORDERS = {"claroline, published": 75, f"mrbs, {CORRECTED}": 50, f"ppma, {CORRECTED}": 60}
"""Of sieve, where a clean state costs a test or more; every order counts."""

_TESTS_BEFORE = {"claroline, published": 1_245, f"mrbs, {CORRECTED}": 668, f"ppma, {CORRECTED}": 735}
"""All tests that sieve of version 0.1.0 ran, at these prices."""
_SHARE_OF_TESTS = 0.6

_TEXT = """\
# What every detector costs on real web suites

Written by `bench/detectors/run.py --web` in {took:.0f} s on {cores} cores with Python {python}; orders and tests are
the same on every machine. The suites are simulated with measured durations, and keep their reference order, which is
taken as known.

`published` are the graphs that came with the TEDD and PFAST papers. `corrected` are those in which a cleaner, or one of
several alternatives, was published as a plain need
([what was changed](../../../tests/data/corrected-graphs/README.md)). Of these the published detectors can find no more
than the published graph: they know no conflicts and no alternatives.

A star: what was found is not all that is hidden in the graph. OOB: out of budget.

## What was to be reached

{claims}
## Orders, as the authors of each algorithm count them

Without proofs and checks of our own; in brackets what Table 4 of the PFAST paper has for the real application.

{own}
## All orders / tests, as a user pays for them

With the proofs of everything found, and for the published algorithms the checks of every closure. Orders run to their
end, and none is run twice. A clean state costs as much as a test; one worker.

{paid}
## Needs + conflicts found

{found}
## Predicted wall time of all orders, in minutes

One worker.

{times}"""


def page(rows: Sequence[Row], took: float) -> str:
    here = machine()
    return _TEXT.format(
        took=took,
        cores=here["cores"],
        python=here["python"],
        claims=claims_table(list(_claims(rows))),
        own=_table(rows, _own_orders),
        paid=_table(rows, lambda row: f"{row.orders:,} / {row.tests:,}"),
        found=_table(rows, lambda row: f"{row.needs} + {row.conflicts}"),
        times=_times(rows),
    )


def _claims(rows: Sequence[Row]) -> Iterator[Claim]:
    for row in rows:
        if row.detector == "sieve" and row.workers == 1 and row.family in _MOST_ORDERS:
            where = f"{row.family}, clean state {row.factor:g} tests"
            if row.factor >= 1:
                yield Claim("sieve, all orders", where, _MOST_ORDERS[row.family], sound(row, row.orders))
                most = _SHARE_OF_TESTS * _TESTS_BEFORE[row.family]
                yield Claim("sieve, all tests", where, most, sound(row, row.tests))
            price = (row.family, row.factor, row.workers, "pfast")
            theirs = [one for one in rows if (one.family, one.factor, one.workers, one.detector) == price]
            if theirs:
                yield Claim("sieve / pfast, wall time", where, 1.0, sound(row, row.seconds / theirs[0].seconds))


def _table(rows: Sequence[Row], told: Callable[[Row], str]) -> str:
    detectors = detectors_of(rows)
    body = []
    for family in dict.fromkeys(row.family for row in rows):
        at = {row.detector: row for row in usual(rows) if row.family == family}
        any_row = next(iter(at.values()))
        body.append(
            [
                *family.split(", "),
                str(any_row.size),
                str(any_row.edges),
                *(marked([at[detector]], told(at[detector])) for detector in detectors),
            ]
        )
    return markdown(("web suite", "graph", "tests", "needs", *detectors), body)


def _own_orders(row: Row) -> str:
    reported = _TABLE_4[row.family.split(", ")[0]].get(row.detector)
    return f"{row.own_orders:,}" + (f" ({reported:g})" if reported else "")


def _times(rows: Sequence[Row]) -> str:
    detectors = detectors_of(rows)
    body = []
    for family in dict.fromkeys(row.family for row in rows):
        for factor in FACTORS:
            at = {row.detector: row for row in rows if (row.family, row.factor, row.workers) == (family, factor, 1)}
            cells = (marked([at[detector]], f"{at[detector].seconds / 60:,.0f}") for detector in detectors)
            body.append([*family.split(", "), f"{factor:g}", *cells])
    return markdown(("web suite", "graph", "clean state in tests", *detectors), body)
