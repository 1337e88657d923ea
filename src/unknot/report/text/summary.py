"""The closing table of `detect`, and `report --format text`."""

from rich.text import Text

from unknot.model.dependencies import Dependencies
from unknot.model.suite import TestId
from unknot.report.commands import printable_command
from unknot.report.relations import group_relations, relations_of, verdict_labels
from unknot.report.report import Report
from unknot.report.roles import Roles
from unknot.report.text.explain import explain
from unknot.report.text.lines import Lines, print_text
from unknot.report.wording import counted, headline, how_sure

__all__ = ["explain", "print_text", "summary"]

_MOST = 5
"""So many alternatives of one claim are listed; `explain` has them all."""


def summary(report: Report) -> Text:
    """All that was found, for a person: each dependent test with its claims and the two commands that prove each
    (of several alternative polluters, the first), flaky and failing tests, what is not known, the cost, and where the
    files are.

    Print it with `print_text`. Without a terminal, and without colour, it says the same. Ids and commands stand whole
    on one line each; a list of alternatives is shortened after a few.
    """
    lines = Lines()
    roles = Roles(report.dependencies)
    lines.line(headline(roles), "bold")
    for test in roles.dependents:
        lines.line()
        _add_dependent(lines, report, roles, test)
    _add_lists(lines, report.dependencies)
    lines.line()
    _add_closing(lines, report)
    return lines.text


def _add_dependent(lines: Lines, report: Report, roles: Roles, test: TestId) -> None:
    lines.title(roles.kind(test), test)
    rest = printable_command(("unknot", "explain"), (test,))
    labels = verdict_labels(report.dependencies.outcomes[test])
    for claim in group_relations(relations_of(report.dependencies, test)):
        lines.claim(claim, most=_MOST, rest=rest)
        lines.commands(labels, claim.proofs[0], report.invocation)


def _add_lists(lines: Lines, dependencies: Dependencies) -> None:
    if dependencies.flaky:
        lines.line()
        many = counted(len(dependencies.flaky), "flaky test")
        lines.line(f"{many}, about which nothing is claimed (the same order gave different outcomes):", "bold")
        for test in dependencies.flaky:
            lines.field("flaky", filter(None, [test, how_sure(dependencies, test)]))
    if dependencies.failing:
        lines.line()
        verb = "does" if len(dependencies.failing) == 1 else "do"
        lines.line(f"{counted(len(dependencies.failing), 'test')} {verb} not pass in the suite's own order:", "bold")
        for test in dependencies.failing:
            lines.field(dependencies.outcomes[test].value, [test])


def _add_closing(lines: Lines, report: Report) -> None:
    dependencies, cost = report.dependencies, report.dependencies.cost
    if dependencies.untried:
        lines.field("untried", [f"{counted(dependencies.untried, 'pair')} of tests"])
    if not dependencies.complete:
        lines.field("unfinished", ["what is listed is proven, more may exist; unknot detect goes on from here"])
    runs = f"{counted(cost.orders, 'order')}, {counted(cost.tests, 'test run')}"
    lines.field("cost", [f"{runs}, {cost.seconds:,.1f} s ({cost.algorithm})"])
    if cost.choice:
        lines.field("chosen", [cost.choice])
    lines.field("lock file", [report.lock] if report.lock else [])
    lines.field("report", [report.html] if report.html else [])
    lines.field("note", report.notes)
