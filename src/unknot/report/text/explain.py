"""Everything that is known of one test."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from rich.text import Text

from unknot.model.errors import UsageError
from unknot.model.recording import Stack
from unknot.model.sanitise import shown
from unknot.model.suite import Order, TestId
from unknot.recorder.sentences import Reason, why
from unknot.report.commands import printable_command
from unknot.report.relations import relations_of, verdict_labels
from unknot.report.report import Report
from unknot.report.roles import Roles
from unknot.report.text.excerpts import CodeExcerpt, add_excerpt
from unknot.report.text.lines import Lines
from unknot.report.wording import how_sure


# Everything that is known of one test, for programs.
def reason_json(reason: Reason) -> dict[str, Any]:
    return {
        "kind": reason.location.kind,
        "location": reason.location.name,
        "writer": reason.writer,
        "reader": reason.reader,
        "written": _stack(reason.written),
        "read": _stack(reason.read),
        "shown": reason.shown,
        "sure": reason.sure,
        "why": why(reason),
    }


def explanation_json(
    report: Report, test: TestId, reasons: Sequence[Sequence[Reason]] = (), cuts: Sequence[dict[str, Any] | None] = ()
) -> dict[str, Any]:
    """`reasons` and `cuts` belong to the claims, in the order of `relations_of`."""
    dependencies, roles = report.dependencies, Roles(report.dependencies)
    claims = []
    for number, claim in enumerate(relations_of(dependencies, test)):
        proof = claim.proofs[0]
        claims.append(
            {
                "relation": claim.relation,
                "tests": list(claim.tests),
                "cleaners": list(claim.cleaners),
                "complete": claim.complete,
                "why": list(claim.why),
                "proof": {"passes": list(proof.passes), "fails": list(proof.fails)},
                "reasons": [reason_json(reason) for reason in (reasons[number] if number < len(reasons) else ())],
                "cut": cuts[number] if number < len(cuts) else None,
            }
        )
    return {
        "test": test,
        "kind": roles.kind(test) or None,
        "flaky": test in dependencies.flaky,
        "outcome": dependencies.outcomes[test].value,
        "seconds": dependencies.seconds.get(test, 0.0),
        "closure": list(dependencies.closure(test)),
        "claims": claims,
        "needed_by": list(roles.needed_by.get(test, ())),
        "breaks": list(roles.pollutes.get(test, ())),
        "cleans": list(roles.cleans.get(test, ())),
    }


def _stack(stack: Stack) -> list[dict[str, Any]]:
    return [{"file": frame.file, "line": frame.line, "function": frame.function} for frame in stack]


_DIFF_STYLES = {"+": "green", "-": "red", "@": "cyan"}


@dataclass(frozen=True)
class ReasonDetails:
    """What a recording and a trial say of one claim: the reasons in words, the places in the code, what was tried to
    cut it, line by line, and the change that does, as a diff."""

    why: tuple[str, ...] = ()
    excerpts: tuple[CodeExcerpt, ...] = ()
    tried: tuple[str, ...] = ()
    diff: str = ""


def explain(report: Report, test: TestId, reasoned: Sequence[ReasonDetails] = ()) -> Text:
    """Kind, expected outcome, each need and conflict with all alternatives, cleaners and its two commands, the command
    that runs the test with all it needs, and what the test is to others. Print it with `print_text`.

    `reasoned` is told with the claims, in the order of `relations_of`. Raises UsageError for a test that the suite does
    not have, with the nearest names.
    """
    dependencies = report.dependencies
    if test not in dependencies.suite.index:
        raise UsageError(f"no such test: {shown(test)}", hint=_nearest(test, dependencies.suite.tests))
    roles = Roles(dependencies)
    lines = Lines()
    lines.title(_kind(report, roles, test), test)
    outcome = dependencies.outcomes[test]
    lines.field("in suite order", [f"{outcome.value}, {dependencies.seconds.get(test, 0.0):.3f} s"])
    lines.field("flaky", filter(None, [how_sure(dependencies, test)]))
    closure = dependencies.closure(test)
    if len(closure) > 1:
        lines.field("with its needs", [printable_command(report.invocation, closure)])
    claims = relations_of(dependencies, test)
    for number, claim in enumerate(claims):
        told = reasoned[number] if number < len(reasoned) else ReasonDetails()
        lines.line()
        lines.claim(replace(claim, why=told.why or claim.why), most=len(dependencies.suite), rest="")
        lines.commands(verdict_labels(outcome), claim.proofs[0], report.invocation)
        _add_reasoned(lines, told)
    _add_others(lines, roles, test)
    return lines.text


def _add_reasoned(lines: Lines, told: ReasonDetails) -> None:
    for excerpt in told.excerpts:
        add_excerpt(lines, excerpt)
    lines.field("to cut it", told.tried)
    for line in told.diff.splitlines():
        # At the margin, and with its tabs: so that it can be copied into a patch.
        lines.text.append("\t".join(map(shown, line.split("\t"))) + "\n", _DIFF_STYLES.get(line[:1]))


def _kind(report: Report, roles: Roles, test: TestId) -> str:
    if test in report.dependencies.flaky:
        return "flaky"
    if kind := roles.kind(test):
        return kind
    return "depends on no other" if report.dependencies.complete else "depends on no other, as far as is known"


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
