"""`check` as JUnit XML, for services that show test results."""

from unknot.model.comparison import subject
from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.suite import TestId
from unknot.report.check.findings import CheckReport
from unknot.report.export.junit import to_junit


def check_junit(check: CheckReport) -> str:
    """One case for each test, as pytest names it; one with new dependencies has failed, with all of them. What a test
    does in suite order is not part of it."""
    found: dict[TestId, list[str]] = {}
    for finding in check.findings:
        proof = (f"{label}: {command}" for label, command in finding.commands)
        found.setdefault(subject(finding.claim), []).append(
            "\n".join([f"new dependency: {finding.message}", *finding.why, *proof])
        )
    results = {
        test: Result(Outcome.FAILED, 0.0, "\n\n".join(found[test])) if test in found else Result(Outcome.PASSED, 0.0)
        for test in check.comparison.now.suite.tests
    }
    return to_junit(results, check.comparison.now.cost.seconds)
