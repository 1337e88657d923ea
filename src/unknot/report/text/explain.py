"""Everything known about one test, as text and as JSON."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from rich.text import Text

from unknot.model.errors import UsageError
from unknot.model.reason import Reason
from unknot.model.sanitise import shown
from unknot.model.suite import Order, TestId
from unknot.report.commands import printable_command
from unknot.report.reasons import sentence
from unknot.report.relations import relations_of
from unknot.report.report import Report
from unknot.report.roles import Roles
from unknot.report.text.excerpts import CodeExcerpt, excerpt_lines
from unknot.report.text.lines import Lines
from unknot.report.wording import how_sure
from unknot.store.lock import stack_to_json


def reason_json(reason: Reason) -> dict[str, Any]:
    return {
        "kind": reason.location.kind,
        "location": reason.location.name,
        "writer": reason.writer,
        "reader": reason.reader,
        "written": stack_to_json(reason.written),
        "read": stack_to_json(reason.read),
        "shown": reason.shown,
        "sure": reason.sure,
        "why": sentence(reason),
    }


def explanation_json(
    report: Report, test: TestId, reasons: Sequence[Sequence[Reason]] = (), cuts: Sequence[dict[str, Any] | None] = ()
) -> dict[str, Any]:
    """`reasons` and `cuts` belong to the relations, in the order of `relations_of`."""
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


_DIFF_STYLES = {"+": "green", "-": "red", "@": "cyan"}


@dataclass(frozen=True)
class ReasonDetails:
    """What a recording and a trial say about one relation: the reasons in words, the lines of code, the attempted
    fixes, and the fix that works, as a diff."""

    why: tuple[str, ...] = ()
    excerpts: tuple[CodeExcerpt, ...] = ()
    tried: tuple[str, ...] = ()
    diff: str = ""


def explain(report: Report, test: TestId, details: Sequence[ReasonDetails] = ()) -> Text:
    """Kind, expected outcome, each need and conflict with all alternatives, cleaners and its two commands, the command
    that runs the test with its prerequisites, and the tests that depend on it. Print it with `print_text`.

    `details` belong to the relations, in the order of `relations_of`. Raises UsageError for an unknown test, with the
    closest matches.
    """
    dependencies = report.dependencies
    if test not in dependencies.suite.index:
        raise UsageError(
            f"no such test: {shown(test)}", hint=_nearest(test, dependencies.suite.tests), slug="no-such-test"
        )
    roles = Roles(dependencies)
    lines = Lines()
    lines.title(_kind(report, roles, test), test)
    outcome = dependencies.outcomes[test]
    taken = f", {dependencies.seconds[test]:.3f} s" if test in dependencies.seconds else ""
    lines.field("in suite order", [f"{outcome.value}{taken}"])
    lines.field("flaky", filter(None, [how_sure(dependencies, test)]))
    closure = dependencies.closure(test)
    if len(closure) > 1:
        lines.field("with prerequisites", [printable_command(report.invocation, closure)], wraps=False)
    add_claims(lines, report, test, details)
    _add_others(lines, roles, test)
    return lines.text


def add_claims(lines: Lines, report: Report, test: TestId, details: Sequence[ReasonDetails]) -> None:
    """Each need and conflict of the test with its two commands and its details."""
    for number, claim in enumerate(relations_of(report.dependencies, test)):
        detail = details[number] if number < len(details) else ReasonDetails()
        lines.line()
        lines.claim(replace(claim, why=detail.why or claim.why), most=len(report.dependencies.suite), rest="")
        for label, command in report.proof_commands(test, claim.proofs[0]):
            lines.field(label, [command], wraps=False)
        _add_details(lines, detail)


def _add_details(lines: Lines, detail: ReasonDetails) -> None:
    for excerpt in detail.excerpts:
        lines.field(excerpt.label, excerpt_lines(excerpt), wraps=False)
    lines.field("to remove it", detail.tried)
    for line in detail.diff.splitlines():
        # Not indented, and with its tabs, so that it can be copied into a patch.
        lines.text.append("\t".join(map(shown, line.split("\t"))) + "\n", _DIFF_STYLES.get(line[:1]))


def _kind(report: Report, roles: Roles, test: TestId) -> str:
    if test in report.dependencies.flaky:
        return "flaky"
    if kind := roles.kind_in_words(test):
        return kind
    return "independent" if report.dependencies.complete else "independent as far as known"


def _add_others(lines: Lines, roles: Roles, test: TestId) -> None:
    views = (("needed by", roles.needed_by), ("breaks", roles.pollutes), ("cleans", roles.cleans))
    for label, view in views:
        if test in view:
            lines.line()
            lines.field(label, view[test])


def _nearest(test: TestId, tests: Order) -> str:
    """Closest matches: ids that end in what was typed, else similar ids."""
    near = [known for known in tests if known.endswith(test)][:3] or get_close_matches(test, tests, n=3)
    if not near:
        return "Run `unknot report` to list the tests with dependencies."
    return "Did you mean " + " or ".join(shown(known) for known in near) + "?"
