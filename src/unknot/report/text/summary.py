"""The closing table of `detect`, and `report --format text`."""

from rich.text import Text

from unknot.model.dependencies import Dependencies
from unknot.model.suite import TestId
from unknot.report.commands import printable_command
from unknot.report.relations import group_relations, relations_of
from unknot.report.report import Report
from unknot.report.roles import Roles
from unknot.report.text.by_cause import add_causes, first_to_fix
from unknot.report.text.explain import explain
from unknot.report.text.lines import Lines, print_text
from unknot.report.wording import (
    cost_words,
    counted,
    headline,
    how_sure,
    suspicion_words,
    when_failing_words,
)

__all__ = ["explain", "print_text", "summary"]

_MOST = 5
"""Alternatives listed per claim; `explain` lists all of them. So many tests are listed elsewhere, too."""

_FEW = 5
"""So many dependent tests are shown with their proofs and reasons where the result is not asked for in full."""


def summary(report: Report, *, in_full: bool = True) -> Text:
    """The whole result: each dependent test with its claims, their reasons and the two commands that prove each (for
    alternative polluters, those of the first); flaky and failing tests, what is suspected and what is unknown, the
    cost, the paths of the files and the next commands. If it is not `in_full`, many dependencies are listed by their
    cause instead, a line each.

    Print it with `print_text`. It reads the same without colour or a terminal. Each command is on one line of its own;
    long lists of alternatives are shortened.
    """
    lines = Lines()
    dependencies = report.dependencies
    roles = Roles(dependencies)
    lines.hanging(" ".join(filter(None, [headline(roles), report.not_restored])), 0, "bold")
    if first := first_to_fix(dependencies):
        lines.hanging(first, 0, "bold")
    if in_full or len(roles.dependents) <= _FEW:
        for test in roles.dependents:
            lines.line()
            _add_dependent(lines, report, roles, test)
    else:
        add_causes(lines, dependencies)
    _add_lists(lines, dependencies)
    lines.line()
    _add_closing(lines, report)
    return lines.text


def _add_dependent(lines: Lines, report: Report, roles: Roles, test: TestId) -> None:
    lines.title(roles.kind_in_words(test), test)
    rest = printable_command(("unknot", "explain"), (test,))
    for claim in group_relations(relations_of(report.dependencies, test)):
        lines.claim(claim, most=_MOST, rest=rest)
        for label, command in report.proof_commands(test, claim.proofs[0]):
            lines.field(label, [command], wraps=False)


def _add_lists(lines: Lines, dependencies: Dependencies) -> None:
    if dependencies.flaky:
        lines.line()
        many = counted(len(dependencies.flaky), "flaky test")
        lines.line(f"{many} (different outcomes in the same order); nothing is claimed about them:", "bold")
        for test in dependencies.flaky:
            lines.field("flaky", filter(None, [test, how_sure(dependencies, test)]))
    if dependencies.conflicts_when_failing:
        lines.line()
        lines.line(f"{when_failing_words(dependencies)}:", "bold")
        for conflict in dependencies.conflicts_when_failing:
            lines.field("breaks", [f"{conflict.victim}  after {conflict.polluters[0]}, if that fails"])
    if dependencies.failing:
        lines.line()
        verb = "does" if len(dependencies.failing) == 1 else "do"
        lines.line(f"{counted(len(dependencies.failing), 'test')} {verb} not pass in suite order:", "bold")
        for test in dependencies.failing:
            lines.field(dependencies.outcomes[test].value, [test])


def _add_closing(lines: Lines, report: Report) -> None:
    dependencies, cost = report.dependencies, report.dependencies.cost
    label = "suspected"
    for text, tests in suspicion_words(dependencies):
        lines.field(label, [f"{text}:"])
        lines.tests("", [f"  {test}" for test in tests], most=_MOST, rest="unknot report --format json")
        label = ""
    if dependencies.untried:
        lines.field("untried", [f"{counted(dependencies.untried, 'pair')} of tests"])
    if not dependencies.complete:
        lines.field("unfinished", ["everything listed is proven, but there may be more; run `unknot detect` to resume"])
    lines.field("cost", [cost_words(cost)] if cost.is_known else [])
    if cost.choice:
        lines.field("chosen", [cost.choice])
    lines.field("lock file", [report.lock] if report.lock else [])
    lines.field("report", [report.html] if report.html else [])
    lines.field("note", report.notes)
    for purpose, command in report.next_commands:
        lines.field(purpose, [command], wraps=False)
