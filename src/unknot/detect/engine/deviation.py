"""Who did not do as wanted in a run."""

from collections.abc import Iterator

from unknot.detect.engine.session import Lab
from unknot.model.outcome import Outcome
from unknot.model.run import Run


def deviating(lab: Lab, run: Run) -> Iterator[int]:
    """In the order in which they ran. Whoever was not reached did nothing at all, and so nothing else than wanted."""
    wanted = lab.findings.wanted
    for test, outcome in lab.outcomes(run):
        if outcome is not wanted[test] and outcome is not Outcome.NOT_RUN:
            yield test


def may_be_claimed_about(lab: Lab, test: int) -> bool:
    """Whether what the test is wanted to do is known and worth having."""
    return test not in lab.findings.flaky and not lab.findings.wanted[test].is_bad


def first_to_blame(lab: Lab, run: Run) -> int | None:
    """The first that did not do as wanted and about which something may be claimed."""
    return next((test for test in deviating(lab, run) if may_be_claimed_about(lab, test)), None)


def failed_in_the_end(lab: Lab, run: Run) -> bool:
    """Whether the last test of the run came to a verdict, and not to the one wanted. Who took the process down, or was
    not reached, said nothing."""
    return run.last.is_verdict and not lab.is_as_wanted(run)
