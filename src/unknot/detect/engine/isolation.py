"""Finds brittle tests: which tests behave as expected without the others."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from unknot.detect.engine import orders
from unknot.detect.engine.cost import CostModel
from unknot.detect.engine.findings import Positions
from unknot.detect.engine.session import SearchSession, is_claimable
from unknot.detect.flaky.sequential_test import decide_flakiness
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run

_MAX_MOVES = 8

REPETITIONS = 3
"""How often an order is run before its outcomes are called stable."""


def check_flakiness(session: SearchSession, request: OrderRequest) -> None:
    """Repeats an order. Tests whose outcomes differ, here or in earlier runs, are examined for flakiness."""
    session.run_orders([OrderRequest(request.order, attempt) for attempt in range(REPETITIONS)])
    decide_flakiness(session)


def run_each_alone(session: SearchSession, tests: Sequence[int]) -> dict[int, Outcome]:
    """Runs every test from a clean state. Unexpected outcomes are repeated, so that no flaky test is taken for
    brittle."""
    runs = session.runs([session.request([test]) for test in tests])
    found = {test: run.last for test, run in zip(tests, runs, strict=True)}
    deviating = [test for test in tests if found[test] is not session.findings.expected[test]]
    return found | _usual_alone(session, deviating)


def _usual_alone(session: SearchSession, tests: Sequence[int]) -> dict[int, Outcome]:
    """The usual outcome of each test alone. Tests whose outcomes differ are examined for flakiness."""
    requests = {test: [session.request([test], attempt) for attempt in range(REPETITIONS)] for test in tests}
    answers = session.run_orders([request for requests in requests.values() for request in requests])
    decide_flakiness(session)
    return {
        test: Counter(answers[request].last for request in requests).most_common(1)[0][0]
        for test, requests in requests.items()
    }


def run_in_small_groups(session: SearchSession, costs: CostModel) -> list[Run]:
    """Runs every test in a small group, every other group backwards.

    The first test of each group is alone. Another one goes unnoticed if it needs help and finds it before it in its
    group, as it must have found it in the reference order and in its reverse too.
    """
    session.start_step(f"running every test nearly alone, in groups of {costs.group_size}")
    groups = orders.in_groups(len(session.suite), costs.group_size)
    return session.runs([session.request(group[:: 1 - number % 2 * 2]) for number, group in enumerate(groups)])


def _is_as_expected(session: SearchSession, run: Run) -> bool:
    findings = session.findings
    return all(outcome is findings.expected[test] or test in findings.flaky for test, outcome in session.outcomes(run))


def find_brittle_tests(session: SearchSession, costs: CostModel, tests: Sequence[int]) -> set[int]:
    """Every brittle test among these."""
    may_be_grouped = costs.group_size > 1 and not session.pairs_left() and len(tests) == len(session.suite)
    if may_be_grouped and all(_is_as_expected(session, run) for run in run_in_small_groups(session, costs)):
        find_reference_victims(session)
        return set()
    if any(expected.is_bad for expected in session.findings.expected):
        # Before tests are compared with their outcome in a single run of the reference order.
        check_flakiness(session, OrderRequest(session.suite.tests))
    session.start_step("running every test alone")
    alone = run_each_alone(session, tests)
    expected = session.findings.expected
    brittle = {test for test in tests if is_claimable(session, test) and alone[test] is not expected[test]}
    find_reference_victims(session)
    return brittle


def find_reference_victims(session: SearchSession) -> None:
    """Runs tests that fail in the reference order alone. A test that passes there is a victim of an earlier test and is
    expected to pass; one that passes sometimes is flaky; nothing is claimed about the others. The reference order is
    only repeated if one of them has passed in any run."""
    failing = {test for test, expected in enumerate(session.findings.expected) if expected.is_bad}
    alone = _usual_alone(session, sorted(failing))
    outcomes = (pair for run in session.known.values() for pair in session.outcomes(run))
    if any(test in failing and outcome is Outcome.PASSED for test, outcome in outcomes):
        check_flakiness(session, OrderRequest(session.suite.tests))
    for test, outcome in alone.items():
        if outcome is Outcome.PASSED and test not in session.findings.flaky:
            session.findings.expected[test] = Outcome.PASSED
            session.findings.reference_victims.add(test)
            session.findings.broken[test].append(tuple(range(test)))
    session.rebuild_pairs()


def order_in_which_more_pass(session: SearchSession) -> Run | None:
    """A run of all tests in which some pass that fail in the reference order and alone, and in which no other fails.
    None if no test fails, or no such run was found.

    Moves the tests that fail to the end, where all that they need has run before them, and with them whatever fails
    without them; again as long as that helps. Cost: two orders of all tests, and two for each time that it helps."""
    findings = session.findings
    order: Sequence[int] = range(len(session.suite))
    failing = {test for test in order if findings.expected[test].is_bad} - findings.flaky
    last, best = set(failing), None
    for _ in range(_MAX_MOVES):
        if not failing:
            break
        rest = [test for test in order if test not in last]
        moved = [test for test in order if test in last]
        requests = [session.request([*rest, *moved[::step]]) for step in (1, -1)]
        tried = [(_bad_tests(session, run), run) for run in session.runs(requests)]
        better = [(bad, run) for bad, run in tried if bad < failing]
        if better:
            failing, best = min(better, key=lambda pair: len(pair[0]))
            order = [test for test, _ in session.outcomes(best)]
            last = set(failing)
        else:
            before, last = last, last.union(*(bad for bad, _ in tried))
            if last == before:
                break
    return best


def _bad_tests(session: SearchSession, run: Run) -> set[int]:
    """Without flaky tests and victims of the reference order, which fail for other reasons."""
    bad = {test for test, outcome in session.outcomes(run) if outcome.is_bad}
    return bad - session.findings.flaky - session.findings.reference_victims


def passing_elsewhere(session: SearchSession) -> set[int]:
    """Tests about which nothing is claimed because they are expected to fail, and which passed in some run."""
    expected, flaky = session.findings.expected, session.findings.flaky
    return {
        test
        for run in session.known.values()
        for test, outcome in session.outcomes(run)
        if expected[test].is_bad and outcome is Outcome.PASSED and test not in flaky
    }


def record_broken_tests(
    session: SearchSession, runs: Iterable[Run], broken: defaultdict[int, list[Positions]] | None = None
) -> None:
    """Records the tests that were broken in these runs although all their known needs had passed before, in the
    findings or in `broken`."""
    findings = session.findings
    broken = findings.broken if broken is None else broken
    for run in runs:
        before: list[int] = []
        worked: set[int] = set()
        is_unreliable = session.is_unreliable(run)
        for test, outcome in session.outcomes(run):
            if outcome is findings.expected[test]:
                worked.add(test)
            elif outcome is Outcome.NOT_RUN or (is_unreliable and test in findings.flaky):
                break
            elif _may_be_broken(session, test) and findings.has_needs(test, worked):
                broken[test].append(tuple(before))
                failure = (test, tuple(before))
                failed = frozenset(before) - worked
                findings.failed[failure] = findings.failed.get(failure, failed) & failed
            before.append(test)


def _may_be_broken(session: SearchSession, test: int) -> bool:
    return is_claimable(session, test) and test not in session.findings.unresolved
