"""Everything that is known of one test, for programs."""

from collections.abc import Sequence
from typing import Any

from unknot.model.recording import Stack
from unknot.model.suite import TestId
from unknot.recorder.sentences import Reason, why
from unknot.report.claims import claims_of
from unknot.report.report import Report
from unknot.report.roles import Roles


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
    """`reasons` and `cuts` belong to the claims, in the order of `claims_of`."""
    dependencies, roles = report.dependencies, Roles(report.dependencies)
    claims = []
    for number, claim in enumerate(claims_of(dependencies, test)):
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
