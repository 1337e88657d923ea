"""The HTML report: one file that needs no network and no library."""

from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

from unknot import __version__
from unknot.model.knots import Knots, Proof
from unknot.model.suite import Order, TestId
from unknot.report.atomic import write_atomically
from unknot.report.claims import MAYBE_MORE, Claim, claims_of, grouped, verdicts
from unknot.report.commands import printable_command
from unknot.report.flakiness import how_sure
from unknot.report.gantt_style import GANTT_STYLE
from unknot.report.headline import counted, headline
from unknot.report.html_style import SCRIPT, STYLE
from unknot.report.plan_html import plan_section
from unknot.report.plan_value import PlanReport
from unknot.report.roles import Roles
from unknot.report.shown import shown
from unknot.report.svg import to_svg
from unknot.report.value import Report

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
_OPEN = 8
"""A list of more tests than this is folded up until it is clicked."""


def to_html(report: Report, plan: PlanReport | None = None) -> str:
    """The page, with a section on the plan if one is given. Guarantee: whatever comes from the suite is shown as text,
    and nothing is loaded from anywhere; it is read the same without scripts, which only make the buttons that copy.
    Cost: linear in claims, proofs and the tests that the plan runs."""
    return "".join(f"{line}\n" for line in _page(report, plan))


def write_html(path: Path, report: Report, plan: PlanReport | None = None) -> None:
    """Raises StorageError; replaces the file whole or not at all."""
    write_atomically(path, to_html(report, plan))


def _page(report: Report, plan: PlanReport | None) -> Iterator[str]:
    roles = Roles(report.knots)
    yield "<!DOCTYPE html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>unknot: {headline(roles)}</title>"
    yield f"<style>{STYLE}{GANTT_STYLE if plan else ''}</style></head><body>"
    yield f"<h1>{headline(roles)}</h1>"
    yield from _facts(report, roles)
    if report.knots.has_any:
        yield from _graph(report.knots)
        yield from _table(report, roles)
    if plan is not None:
        yield from plan_section(plan)
    yield from _lists(report.knots)
    yield f'<p class="dim">Written by unknot {escape(__version__)}.</p>'
    yield f"<script>{SCRIPT}</script></body></html>"


def _facts(report: Report, roles: Roles) -> Iterator[str]:
    knots, cost = report.knots, report.knots.cost
    runs = f"{counted(cost.orders, 'order')}, {counted(cost.tests, 'test run')}"
    facts = [
        ("Brittle", f"{len(roles.brittle):,}: fail alone, pass after a test that they need"),
        ("Victims", f"{len(roles.victims):,}: pass alone, fail after a test that breaks them"),
        ("Search", "complete" if knots.complete else "unfinished: what is listed is proven, more may exist"),
        ("Untried", f"{counted(knots.untried, 'pair')} of tests"),
        ("Cost", f"{runs}, {cost.seconds:,.1f} s ({cost.algorithm})"),
        *([("Lock file", report.lock)] if report.lock else []),
        *(("Note", note) for note in report.notes),
    ]
    yield "<dl>"
    yield from (f"<dt>{name}</dt><dd>{_text(fact)}</dd>" for name, fact in facts)
    yield "</dl>"


def _graph(knots: Knots) -> Iterator[str]:
    yield "<h2>Graph</h2>"
    yield (
        '<p class="dim">An arrow points from a test to what it needs: solid, or in long dashes where any one of '
        "several will do. Short red dashes point from a polluter to the test it breaks, dots from a cleaner to the "
        "test it cleans for. Point at anything to read it in full.</p>"
    )
    yield f'<div class="scroll" tabindex="0">{to_svg(knots)}</div>'


def _table(report: Report, roles: Roles) -> Iterator[str]:
    yield "<h2>Dependent tests</h2>"
    yield "<table><thead><tr><th>Kind</th><th>Test</th><th>Why, and how to see it</th></tr></thead><tbody>"
    for test in roles.dependents:
        kind = roles.kind(test)
        yield f'<tr id="t{report.knots.suite.index[test]}">'
        yield f'<td class="kind {kind.replace(" and ", " ")}">{kind}</td><td>{_code(test)}</td><td>'
        for claim in grouped(claims_of(report.knots, test)):
            yield from _claim(report, test, claim)
        yield "</td></tr>"
    yield "</tbody></table>"


def _claim(report: Report, test: TestId, claim: Claim) -> Iterator[str]:
    yield '<div class="claim">'
    yield _tests(claim.relation, claim.tests)
    if not claim.complete:
        yield f'<p class="dim">{MAYBE_MORE}</p>'
    if claim.cleaners:
        yield _tests(claim.cleaning, claim.cleaners)
    if claim.why:
        yield f"because{_list(claim.why)}"
    first, *others = claim.proofs
    yield from _proof(report, test, first)
    if others:
        yield f"<details><summary>proofs of the other {len(others):,}</summary>"
        for proof in others:
            yield from _proof(report, test, proof)
        yield "</details>"
    yield "</div>"


def _proof(report: Report, test: TestId, proof: Proof) -> Iterator[str]:
    for label, order in zip(verdicts(report.knots.outcomes[test]), (proof.passes, proof.fails), strict=True):
        command = escape(printable_command(report.invocation, order))
        # The command is the element right before the button: the script relies on it.
        button = '<button type="button" hidden>copy</button>'
        yield f'<div class="proof"><span>{label}</span><code>{command}</code>{button}</div>'


def _lists(knots: Knots) -> Iterator[str]:
    if knots.flaky:
        yield "<h2>Flaky tests</h2>"
        yield "<p>The same order gave different outcomes; nothing is claimed about these.</p>"
        rows = (f"<li>{_code(test)} {how_sure(knots, test)}".rstrip() + "</li>" for test in knots.flaky)
        yield f"<ul>{''.join(rows)}</ul>"
    if knots.failing:
        yield "<h2>Tests that do not pass in the suite\u2019s own order</h2>"
        rows = (f"<li>{_code(test)} ({knots.outcomes[test].value})</li>" for test in knots.failing)
        yield f"<ul>{''.join(rows)}</ul>"


def _tests(relation: str, tests: Order) -> str:
    if len(tests) == 1:
        return f"<div>{relation} {_code(tests[0])}</div>"
    opened = " open" if len(tests) <= _OPEN else ""
    return f"<details{opened}><summary>{relation} {len(tests):,} tests</summary>{_list(tests)}</details>"


def _list(texts: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{_code(text)}</li>' for text in texts)}</ul>"


def _code(text: str) -> str:
    return f"<code>{_text(text)}</code>"


def _text(text: str) -> str:
    return escape(shown(text))
