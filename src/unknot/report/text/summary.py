"""The closing table of `detect`, and `report --format text`."""

from collections import Counter
from collections.abc import Sequence

from rich.text import Text

from unknot.model.cause import Cause, shared_causes
from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.suite import TestId
from unknot.report.commands import printable_command
from unknot.report.relations import group_relations, relations_of
from unknot.report.report import Report
from unknot.report.roles import Roles
from unknot.report.text.explain import explain
from unknot.report.text.lines import Lines, print_text
from unknot.report.wording import (
    cause_words,
    cost_words,
    counted,
    headline,
    how_sure,
    suspicion_words,
    when_failing_words,
)

__all__ = ["explain", "print_text", "summary"]

_MOST = 5
"""Alternatives listed per claim; `explain` lists all of them. So many causes and tests are listed elsewhere, too."""

_MOST_OF_A_CAUSE = 3
"""So many tests with one cause are shown with their proofs."""


def summary(report: Report, *, in_full: bool = True) -> Text:
    """The whole result: the causes of several dependencies; each dependent test with its claims and the two commands
    that prove each (for alternative polluters, those of the first); flaky and failing tests, what is suspected and what
    is unknown, the cost, and the paths of the files. If it is not `in_full`, only the first tests of each cause.

    Print it with `print_text`. It reads the same without colour or a terminal. Each id and each command is on one line
    of its own; long lists of alternatives are shortened.
    """
    lines = Lines()
    roles = Roles(report.dependencies)
    lines.line(" ".join(filter(None, [headline(roles), report.not_restored])), "bold")
    shared = shared_causes(report.dependencies)
    _add_causes(lines, shared)
    hidden = set[TestId]() if in_full else _alike(report.dependencies, shared)
    for test in roles.dependents:
        if test not in hidden:
            lines.line()
            _add_dependent(lines, report, roles, test)
    if hidden:
        lines.line()
        lines.line(f"{counted(len(hidden), 'more test')} for the same causes:", "bold")
        few = tuple(test for test in roles.dependents if test in hidden)
        lines.tests("", few, most=_MOST, rest="unknot report, or unknot explain TEST")
    _add_lists(lines, report.dependencies)
    lines.line()
    _add_closing(lines, report)
    return lines.text


def _add_causes(lines: Lines, shared: Sequence[Cause]) -> None:
    if shared:
        lines.line()
        words = tuple(cause_words(cause, f"`{cause.location.name}`") for cause in shared)
        lines.tests("causes", words, most=_MOST, rest="unknot report --format json")


def _alike(dependencies: Dependencies, shared: Sequence[Cause]) -> set[TestId]:
    """Tests all of whose dependencies have causes that enough earlier tests show."""
    cause_of = {claim: place for place, cause in enumerate(shared) for claim in cause.claims}
    seen = Counter[int]()
    found = set[TestId]()
    for test in Roles(dependencies).dependents:
        claims: tuple[Need | Conflict, ...] = (
            *dependencies.needs_of.get(test, ()),
            *dependencies.conflicts_of.get(test, ()),
        )
        places = {cause_of[claim] for claim in claims if claim in cause_of}
        if all(claim in cause_of for claim in claims) and all(seen[place] >= _MOST_OF_A_CAUSE for place in places):
            found.add(test)
        seen.update(places)
    # A few more are not worth a list of their own.
    return found if len(found) > _MOST_OF_A_CAUSE else set()


def _add_dependent(lines: Lines, report: Report, roles: Roles, test: TestId) -> None:
    lines.title(roles.kind_in_words(test), test)
    rest = printable_command(("unknot", "explain"), (test,))
    for claim in group_relations(relations_of(report.dependencies, test)):
        lines.claim(claim, most=_MOST, rest=rest)
        for label, command in report.proof_commands(test, claim.proofs[0]):
            lines.field(label, [command])


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
