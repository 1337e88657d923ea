"""Everything that is known of one test."""

from difflib import get_close_matches

from rich.text import Text

from unknot.model.errors import UsageError
from unknot.model.suite import Order, TestId
from unknot.report.claims import claims_of, verdicts
from unknot.report.commands import printable_command
from unknot.report.flakiness import how_sure
from unknot.report.lines import Lines
from unknot.report.roles import Roles
from unknot.report.shown import shown
from unknot.report.value import Report


def explain(report: Report, test: TestId) -> Text:
    """Kind, expected outcome, each need and conflict with all alternatives, cleaners and its two commands, the command
    that runs the test with all it needs, and what the test is to others. Print it with `print_text`.

    Raises UsageError for a test that the suite does not have, with the nearest names.
    """
    knots = report.knots
    if test not in knots.suite.index:
        raise UsageError(f"no such test: {shown(test)}", hint=_nearest(test, knots.suite.tests))
    roles = Roles(knots)
    lines = Lines()
    lines.title(_kind(report, roles, test), test)
    outcome = knots.outcomes[test]
    lines.field("in suite order", [f"{outcome.value}, {knots.seconds.get(test, 0.0):.3f} s"])
    lines.field("flaky", filter(None, [how_sure(knots, test)]))
    closure = knots.closure(test)
    if len(closure) > 1:
        lines.field("with its needs", [printable_command(report.invocation, closure)])
    for claim in claims_of(knots, test):
        lines.line()
        lines.claim(claim, most=len(knots.suite), rest="")
        lines.commands(verdicts(outcome), claim.proofs[0], report.invocation)
    _add_others(lines, roles, test)
    return lines.text


def _kind(report: Report, roles: Roles, test: TestId) -> str:
    if test in report.knots.flaky:
        return "flaky"
    if kind := roles.kind(test):
        return kind
    return "depends on no other" if report.knots.complete else "depends on no other, as far as is known"


def _add_others(lines: Lines, roles: Roles, test: TestId) -> None:
    views = (("needed by", roles.needed_by), ("breaks", roles.pollutes), ("cleans", roles.cleans))
    for label, view in views:
        if test in view:
            lines.line()
            lines.field(label, view[test])


def _nearest(test: TestId, tests: Order) -> str:
    """What was perhaps meant: an id that ends in what was typed, else one that looks like it."""
    near = [known for known in tests if known.endswith(test)][:3] or get_close_matches(test, tests, n=3)
    if not near:
        return "unknot report lists the tests that take part in something"
    return "did you mean " + " or ".join(shown(known) for known in near) + "?"
