"""Who did not do as wanted in a run."""

from collections.abc import Iterator

from unknot.detect.engine.session import SearchSession
from unknot.model.outcome import Outcome
from unknot.model.run import Run


def deviating(session: SearchSession, run: Run) -> Iterator[int]:
    """In the order in which they ran. Whoever was not reached did nothing at all, and so nothing else than wanted."""
    wanted = session.findings.wanted
    for test, outcome in session.outcomes(run):
        if outcome is not wanted[test] and outcome is not Outcome.NOT_RUN:
            yield test


def may_be_claimed_about(session: SearchSession, test: int) -> bool:
    """Whether what the test is wanted to do is known and worth having."""
    return test not in session.findings.flaky and not session.findings.wanted[test].is_bad


def first_to_blame(session: SearchSession, run: Run) -> int | None:
    """The first that did not do as wanted and about which something may be claimed."""
    return next((test for test in deviating(session, run) if may_be_claimed_about(session, test)), None)


def failed_in_the_end(session: SearchSession, run: Run) -> bool:
    """Whether the last test of the run came to a verdict, and not to the one wanted. Who took the process down, or was
    not reached, said nothing."""
    return run.last.is_verdict and not session.is_as_wanted(run)
