"""The first look at a suite: its reference order, and which tests do as expected without the others."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from unknot.detect.engine import orders
from unknot.detect.engine.effort import Effort
from unknot.detect.engine.session import SearchSession
from unknot.detect.flaky.sequential_test import settle
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run

REPETITIONS = 3
"""How often an order is run before what came out of it is called stable."""


@dataclass
class Seen:
    """`broken` maps a test to the sequence after which it was seen not to do as wanted, although it does alone."""

    brittle: set[int] = field(default_factory=set)
    broken: dict[int, list[tuple[int, ...]]] = field(default_factory=dict)

    def note(self, victim: int, before: Sequence[int]) -> None:
        self.broken.setdefault(victim, []).append(tuple(before))


def find_flaky(session: SearchSession, request: OrderRequest) -> None:
    """Repeats an order. Whoever did not do the same each time, here or in what was run before, may be flaky and is
    examined; nothing is claimed about who is."""
    session.run_orders([OrderRequest(request.order, attempt) for attempt in range(REPETITIONS)])
    settle(session)


def each_alone(session: SearchSession, tests: Sequence[int]) -> dict[int, Outcome]:
    """Every test from a clean state. What deviates is run again, so that a flaky test is not taken for brittle."""
    runs = session.runs([session.request([test]) for test in tests])
    found = {test: run.last for test, run in zip(tests, runs, strict=True)}
    deviating = [test for test in tests if found[test] is not session.findings.wanted[test]]
    return found | _usual_alone(session, deviating)


def _usual_alone(session: SearchSession, tests: Sequence[int]) -> dict[int, Outcome]:
    """What each does alone time and again. Whoever does not do the same each time is examined."""
    requests = {test: [session.request([test], attempt) for attempt in range(REPETITIONS)] for test in tests}
    answers = session.run_orders([request for asked in requests.values() for request in asked])
    settle(session)
    return {
        test: Counter(answers[request].last for request in asked).most_common(1)[0][0]
        for test, asked in requests.items()
    }


def nearly_alone(session: SearchSession, effort: Effort) -> bool:
    """Every test in a small group, every other group backwards; whether all did as wanted.

    The first of each group is alone. Another goes unnoticed if it needs help and finds it before it in its group, as
    it must have found it in the reference order and in its reverse too.
    """
    groups = orders.in_groups(len(session.suite), effort.group_size)
    asked = [session.request(group[:: 1 - number % 2 * 2]) for number, group in enumerate(groups)]
    return all(_is_wanted(session, run) for run in session.runs(asked))


def _is_wanted(session: SearchSession, run: Run) -> bool:
    findings = session.findings
    return all(outcome is findings.wanted[test] or test in findings.flaky for test, outcome in session.outcomes(run))


def isolate(session: SearchSession, effort: Effort, seen: Seen, asked: Sequence[int]) -> None:
    """Finds every brittle test among those asked about."""
    if effort.group_size > 1 and not session.pairs_left() and len(asked) == len(session.suite):
        session.start_step(f"running every test nearly alone, in groups of {effort.group_size}")
        if nearly_alone(session, effort):
            rescue(session, seen)
            return
    if any(wanted.is_bad for wanted in session.findings.wanted):
        # Before anything is measured by what tests did in the one run of the reference order.
        find_flaky(session, OrderRequest(session.suite.tests))
    session.start_step("running every test alone")
    for test, outcome in each_alone(session, asked).items():
        wanted = session.findings.wanted[test]
        if test not in session.findings.flaky and outcome is not wanted and not wanted.is_bad:
            seen.brittle.add(test)
    rescue(session, seen)


def rescue(session: SearchSession, seen: Seen) -> None:
    """Tests that fail in reference order are run alone. Whoever passes there is a victim of an earlier test, and
    passing is what is wanted of it; whoever passes there now and then is flaky; of the others nothing is claimed."""
    if any(wanted.is_bad for wanted in session.findings.wanted):
        find_flaky(session, OrderRequest(session.suite.tests))
    failing = [test for test, wanted in enumerate(session.findings.wanted) if wanted.is_bad]
    for test, outcome in _usual_alone(session, failing).items():
        if outcome is Outcome.PASSED and test not in session.findings.flaky:
            session.findings.wanted[test] = Outcome.PASSED
            session.findings.rescued.add(test)
            seen.note(test, range(test))
    session.learn_again()


def deviations(session: SearchSession, run: Run, seen: Seen) -> None:
    """Notes whoever was broken in this run although all it is known to need had worked before it."""
    findings = session.findings
    before: list[int] = []
    worked: set[int] = set()
    is_void = session.is_void(run)
    for test, outcome in session.outcomes(run):
        wanted = findings.wanted[test]
        if outcome is wanted:
            worked.add(test)
        elif outcome is Outcome.NOT_RUN or (is_void and test in findings.flaky):
            return
        elif not wanted.is_bad and _may_be_broken(session, test) and findings.has_needs(test, worked):
            seen.note(test, before)
            sight = (test, tuple(before))
            failed = frozenset(before) - worked
            findings.failed[sight] = findings.failed.get(sight, failed) & failed
        before.append(test)


def _may_be_broken(session: SearchSession, test: int) -> bool:
    return test not in session.findings.flaky and test not in session.findings.unresolved
