"""Which closures were seen to work: what a graph says is enough counts only after an order has shown it."""

from collections.abc import Collection

from unknot.detect.engine.session import SearchSession


def works(session: SearchSession, before: tuple[int, ...], test: int) -> bool:
    """Whether a run has shown that the test does as wanted after exactly these. The reference order is such a run for
    all that precedes the test."""
    if before == tuple(range(test)):
        return not session.findings.wanted[test].is_bad
    run = session.known.get(session.request([*before, test]))
    return run is not None and session.is_as_wanted(run)


def verify(session: SearchSession, tests: Collection[int]) -> bool:
    """Runs the closures among these that no order has shown yet; gives up on whoever does not do as wanted there, so
    that it is taken to need all that precedes it. Whether there was none of them."""
    unseen = [test for test in tests if not works(session, session.findings.closure(test)[:-1], test)]
    failing = session.failing_closures(unseen)
    session.findings.give_up_on(failing)
    return not failing


def give_up_on_unseen(session: SearchSession) -> None:
    """For a search that stops, wherever it is: a dependent of which some needs are known, and not shown to be all,
    counts as untried."""
    findings = session.findings
    findings.give_up_on(
        test for test in list(findings.clauses) if not works(session, findings.closure(test)[:-1], test)
    )
