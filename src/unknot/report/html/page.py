"""The HTML report: one file that needs no network and no library."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from unknot import __version__
from unknot.model.dependencies import Dependencies
from unknot.model.suite import TestId
from unknot.report.html.cause_list import cause_list, has_causes
from unknot.report.html.data import page_data
from unknot.report.html.noscript import noscript_table
from unknot.report.html.overview import legend, overview, search_section
from unknot.report.html.style import RESULT, code
from unknot.report.plan.plan_html import plan_section
from unknot.report.plan.plan_report import PlanReport
from unknot.report.report import Report
from unknot.report.roles import Roles
from unknot.report.wording import counted, headline, how_sure
from unknot.store.atomic import write_atomically


@dataclass(frozen=True)
class PairCounts:
    """The number of ordered pairs of tests by state: what does the first do to the second when it runs before it?

    `silent`: pairs with a flaky test, about which nothing is claimed. `open`: neither confirmed nor silent. `untried`
    counts only open pairs if it is known which pairs are untried (`which_known`)."""

    all: int
    needed: int
    breaking: int
    silent: int
    untried: int
    which_known: bool

    @property
    def open(self) -> int:
        return self.all - self.needed - self.breaking - self.silent

    def sentence(self) -> str:
        """
        >>> PairCounts(90, 4, 1, 0, 0, True).sentence()
        '90 ordered pairs: 4 needed, 1 breaking, 85 cleared, 0 untried.'
        """
        head = f"{counted(self.all, 'ordered pair')}: {self.needed:,} needed, {self.breaking:,} breaking, "
        tail = f", {self.silent:,} with a flaky test (nothing claimed)" if self.silent else ""
        if self.which_known:
            return f"{head}{self.open - self.untried:,} cleared, {self.untried:,} untried{tail}."
        return (
            f"{head}{self.open:,} others{tail}. Of these {counted(self.untried, 'pair')} "
            f"{'is' if self.untried == 1 else 'are'} untried; which ones is unknown."
        )


def pair_counts(dependencies: Dependencies) -> PairCounts:
    """Cost: linear in the claims and in the untried rows."""
    size, flaky = len(dependencies.suite), set(dependencies.flaky)
    needed = {(need.dependent, option) for need in dependencies.needs for option in need.any_of}
    breaking = {(found.victim, polluter) for found in dependencies.conflicts for polluter in found.polluters} - needed
    steady = size - len(flaky)
    confirmed = {pair for pair in needed | breaking if flaky.intersection(pair)}
    silent = size * (size - 1) - steady * (steady - 1) - len(confirmed)
    which_known = bool(dependencies.untried_rows) or not dependencies.untried
    untried = _open_untried(dependencies, needed | breaking) if dependencies.untried_rows else dependencies.untried
    return PairCounts(size * (size - 1), len(needed), len(breaking), silent, untried, which_known)


def _open_untried(dependencies: Dependencies, confirmed: set[tuple[TestId, TestId]]) -> int:
    at = dependencies.suite.index
    rows = list(dependencies.untried_rows)
    for test, other in confirmed:
        rows[at[test]] &= ~(1 << at[other])
    flaky = {at[test] for test in dependencies.flaky}
    steady = ~sum(1 << place for place in flaky)
    return sum((row & steady).bit_count() for place, row in enumerate(rows) if place not in flaky)


_NO_SCRIPT = '<noscript><p class="dim">This section needs JavaScript, which is disabled.</p></noscript>'


def to_html(report: Report, plan: PlanReport | None = None) -> str:
    """The page, with a section on the plan if one is given. Guarantee: all text of the suite is escaped,
    the page loads nothing, and no script but its own runs. Without scripts it has the same content except for the
    drawings of graph and pairs. Cost: linear in the suite, the claims, the lengths of the proofs' orders
    and the tests that the plan runs, but for sorting."""
    return "".join(f"{line}\n" for line in _page(report, plan))


def write_html(path: Path, report: Report, plan: PlanReport | None = None) -> None:
    """Raises StorageError; replaces the file atomically."""
    write_atomically(path, to_html(report, plan))


def _page(report: Report, plan: PlanReport | None) -> Iterator[str]:
    title = headline(Roles(report.dependencies))
    yield "<!DOCTYPE html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{RESULT.content_security_policy()}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>unknot: {title}</title><style>{RESULT.style()}</style></head><body>"
    yield '<a class="skip" href="#main">Skip to the result</a>'
    yield from _header(report, plan)
    yield '<main id="main" tabindex="-1">'
    yield f'<section id="overview" aria-labelledby="overview-h"><h1 id="overview-h">{title}</h1>'
    yield from overview(report)
    yield "</section>"
    yield from cause_list(report)
    yield from _graph(report.dependencies)
    if report.dependencies.has_any:
        yield "<noscript>"
        yield from noscript_table(report)
        yield "</noscript>"
    yield from _explored(report.dependencies)
    if plan is not None:
        yield '<section id="plan" aria-labelledby="plan-h">'
        yield from plan_section(plan)
        yield "</section>"
    yield from _lists(report.dependencies)
    yield from search_section(report)
    yield f'</main><footer class="dim">Written by unknot {escape(__version__)}.</footer>'
    yield f'<script type="application/json" id="data">{page_data(report)}</script>'
    yield f"<script>{RESULT.script()}</script></body></html>"


def _header(report: Report, plan: PlanReport | None) -> Iterator[str]:
    names = {
        **({"causes": "Causes"} if has_causes(report) else {}),
        **({"graph": "Graph"} if _has_graph(report.dependencies) else {}),
        "tests": "Tests",
        "pairs": "Pairs",
        **({"plan": "Plan"} if plan is not None else {}),
        "search": "Search",
    }
    links = "".join(f'<li><a href="#{name}">{text}</a></li>' for name, text in names.items())
    yield f'<header><span class="brand">unknot</span><nav aria-label="Sections"><ul>{links}</ul></nav></header>'


def _graph(dependencies: Dependencies) -> Iterator[str]:
    """Filled by the script, as the sections below."""
    if _has_graph(dependencies):
        yield f'<section id="graph" aria-labelledby="graph-h"><h2 id="graph-h">Graph</h2>{_NO_SCRIPT}'
        yield from legend()
        yield "</section>"


def _explored(dependencies: Dependencies) -> Iterator[str]:
    """The sections that the script fills; without it, their content in words."""
    yield f'<section id="tests" aria-labelledby="tests-h"><h2 id="tests-h">Tests</h2>{_NO_SCRIPT}</section>'
    yield '<section id="pairs" aria-labelledby="pairs-h"><h2 id="pairs-h">Pairs of tests</h2>'
    yield f"<p>{pair_counts(dependencies).sentence()}</p></section>"


def _has_graph(dependencies: Dependencies) -> bool:
    return dependencies.has_any or bool(dependencies.flaky)


def _lists(dependencies: Dependencies) -> Iterator[str]:
    if dependencies.flaky:
        yield '<section aria-labelledby="flaky-h"><h2 id="flaky-h">Flaky tests</h2>'
        yield "<p>Different outcomes in the same order; nothing is claimed about these tests.</p>"
        rows = (f"<li>{code(test)} {how_sure(dependencies, test)}".rstrip() + "</li>" for test in dependencies.flaky)
        yield f"<ul>{''.join(rows)}</ul></section>"
    if dependencies.failing:
        yield '<section aria-labelledby="failing-h">'
        yield '<h2 id="failing-h">Tests that do not pass in suite order</h2>'
        rows = (f"<li>{code(test)} ({dependencies.outcomes[test].value})</li>" for test in dependencies.failing)
        yield f"<ul>{''.join(rows)}</ul></section>"
