"""Which closures were seen to work: what a graph says is enough counts only after an order has shown it."""

from collections.abc import Collection

from unknot.detect.engine.session import Lab


def works(lab: Lab, before: tuple[int, ...], test: int) -> bool:
    """Whether a run has shown that the test does as wanted after exactly these. The reference order is such a run for
    all that precedes the test."""
    if before == tuple(range(test)):
        return not lab.findings.wanted[test].is_bad
    run = lab.known.get(lab.question([*before, test]))
    return run is not None and lab.is_as_wanted(run)


def verify(lab: Lab, tests: Collection[int]) -> bool:
    """Runs the closures among these that no order has shown yet; gives up on whoever does not do as wanted there, so
    that it is taken to need all that precedes it. Whether there was none of them."""
    unseen = [test for test in tests if not works(lab, lab.findings.closure(test)[:-1], test)]
    failing = lab.failing_closures(unseen)
    lab.findings.give_up_on(failing)
    return not failing


def give_up_on_unseen(lab: Lab) -> None:
    """For a search that stops, wherever it is: a dependent of which some needs are known, and not shown to be all,
    counts as untried."""
    findings = lab.findings
    findings.give_up_on(test for test in list(findings.clauses) if not works(lab, findings.closure(test)[:-1], test))
