"""All claims as a plain table, for a browser that runs no scripts."""

from collections.abc import Iterable, Iterator
from html import escape

from unknot.model.dependencies import Proof
from unknot.model.suite import Order, TestId
from unknot.report.html.style import code
from unknot.report.relations import MAYBE_MORE, Relation, group_relations, relations_of
from unknot.report.report import Report
from unknot.report.roles import Roles

_OPEN = 8
"""Longer lists are collapsed."""
_MOST_PROVEN = 400
"""With more claims than this, commands are left out: they would be most of the page."""


def noscript_table(report: Report) -> Iterator[str]:
    """Cost: linear in the claims, and in the proofs if these are shown."""
    roles = Roles(report.dependencies)
    with_commands = len(report.dependencies.needs) + len(report.dependencies.conflicts) <= _MOST_PROVEN
    yield "<h2>Dependent tests</h2>"
    yield "<p>JavaScript is disabled. This table replaces the graph and the interactive tables.</p>"
    if not with_commands:
        yield "<p>There are too many to list their commands here: run <code>unknot explain TEST</code>.</p>"
    yield "<table><thead><tr><th>Kind</th><th>Test</th><th>Why, and how to reproduce it</th></tr></thead><tbody>"
    for test in roles.dependents:
        kind = roles.kind(test)
        yield f"<tr><td>{kind}</td><td>{code(test)}</td><td>"
        for claim in group_relations(relations_of(report.dependencies, test)):
            yield from _claim(claim)
            if with_commands:
                for proof in claim.proofs:
                    yield from _proof(report, test, proof)
        yield "</td></tr>"
    yield "</tbody></table>"


def _claim(claim: Relation) -> Iterator[str]:
    yield _tests(claim.relation, claim.tests)
    if not claim.complete:
        yield f'<p class="dim">{MAYBE_MORE}</p>'
    if claim.cleaners:
        yield _tests(claim.cleaning, claim.cleaners)
    if claim.why:
        yield f"because{_list(claim.why)}"


def _proof(report: Report, test: TestId, proof: Proof) -> Iterator[str]:
    for label, command in report.proof_commands(test, proof):
        yield f'<div class="proof"><span>{label}</span><code>{escape(command)}</code></div>'


def _tests(relation: str, tests: Order) -> str:
    if len(tests) == 1:
        return f"<div>{relation} {code(tests[0])}</div>"
    opened = " open" if len(tests) <= _OPEN else ""
    return f"<details{opened}><summary>{relation} {len(tests):,} tests</summary>{_list(tests)}</details>"


def _list(texts: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{code(text)}</li>' for text in texts)}</ul>"
