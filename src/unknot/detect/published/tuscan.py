"""Tuscan: every test directly after every other, for certainty on pairs.

Reference
    Wei et al., "Probabilistic and Systematic Coverage of Consecutive Test-Method Pairs for Detecting Order-Dependent
    Flaky Tests", TACAS 2021, who take the orders from Tuscan squares.
Idea
    About n orders of all tests show every ordered pair side by side, where no test can clean up in between. They are
    run as they are, whatever tests need, and every outcome counts. A test with an unexpected outcome is run alone. If
    it fails there too, it is brittle, and every other test is tried as its setter, one by one. If not, the sequence
    before it is reduced to its polluters; every other test is tried in their place, and between polluter and victim,
    one by one. A pair that the orders did not decide (the first test had failed, or the second failed for another
    reason) is run once more by itself.
Assumptions
    A test has its effect when it behaves as expected. More tests do not undo what a setter did.
Guarantee
    If the result is complete: every single setter of a test that single ones serve, every single polluter of a test
    that passes alone or after what it needs, and every single cleaner of such a pollution. Each need and each conflict
    is shown by two orders.
    Misses, by construction: tests that break another only together, unless some order happens to have them all without
    a cleaner after them; for a test that needs several others, sets that group testing does not show because a polluter
    hides them.
Cost
    n orders of n tests for an even n, n + 1 for an odd one. Then short orders: n for each brittle test, 2n for each
    victim and n for each of its pollutions, and one for each undecided pair.
"""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from unknot.detect.engine import orders
from unknot.detect.engine.findings import Clause, reduce_clauses
from unknot.detect.engine.isolation import record_broken_tests, run_each_alone
from unknot.detect.engine.options import Options
from unknot.detect.engine.parallel import Search, run_searches
from unknot.detect.engine.polluters import find_polluters
from unknot.detect.engine.session import SearchSession, unexpected_claimable
from unknot.detect.engine.setters import Needs, Scope, needs_of
from unknot.detect.engine.subsets import singles
from unknot.detect.flaky.sequential_test import decide_flakiness
from unknot.detect.published.driver import PublishedDetector
from unknot.hints.position import any_other
from unknot.model.run import OrderRequest, Run

_MAX_ROUNDS = 16
"""Each round explains one failure of every broken test, or finds an alternative. A suite that needs more rounds is
marked incomplete."""


def _try_all_pairs(session: SearchSession, _: Options) -> bool:
    squares = [session.request(order) for order in orders.tuscan(len(session.suite))]
    session.start_step("running every test right after every other", len(squares))
    runs = session.runs(squares)
    brittle = _brittle_in(session, runs)
    are_served = _find_setters(session, brittle)
    record_broken_tests(session, runs)
    return _find_polluters(session) and are_served


def _brittle_in(session: SearchSession, runs: Sequence[Run]) -> set[int]:
    """Tests with an unexpected outcome in some run and alone. Every test is first in some order, so none is missed."""
    expected = session.findings.expected
    doubtful = sorted({test for run in runs for test in unexpected_claimable(session, run)})
    session.start_step("running tests with unexpected outcomes alone", len(doubtful))
    alone = run_each_alone(session, doubtful)
    return {test for test in doubtful if alone[test] is not expected[test] and test not in session.findings.flaky}


def _find_setters(session: SearchSession, brittle: AbstractSet[int]) -> bool:
    """Returns whether each brittle test was served. Tests that others with known needs can serve come first; then all
    are searched again among all tests until nothing changes: a brittle test may serve another one."""
    findings = session.findings
    all_tests = range(len(session.suite))
    waiting = set(brittle)
    while waiting:
        served = _learn_setters(session, waiting, [test for test in all_tests if test not in waiting])
        if not served:
            break
        waiting -= served
    findings.mark_unresolved(waiting)
    usable = [test for test in all_tests if test not in waiting]
    is_settled = False
    for _ in range(_MAX_ROUNDS):
        before = dict(findings.clauses)
        _learn_setters(session, brittle - waiting, usable)
        is_settled = before == findings.clauses
        if is_settled:
            break
    reduce_clauses(findings)
    return is_settled and not waiting


def _learn_setters(session: SearchSession, tests: AbstractSet[int], usable: Sequence[int]) -> set[int]:
    """Returns the tests that were served."""
    session.start_step("trying every test as setter of brittle tests", len(tests))
    found = run_searches({test: _needs(session, test, usable) for test in sorted(tests)}, session.run_orders)
    for test, clauses in found.items():
        if clauses:
            session.findings.learn(test, clauses)
    return {test for test, clauses in found.items() if clauses}


def _needs(session: SearchSession, test: int, usable: Sequence[int]) -> Search[tuple[Clause, ...]]:
    """One clause of all single setters; if none suffices, or others together do too, what group testing shows."""
    dependents = session.findings.unrunnable_without({test})
    candidates = [other for other in usable if other != test and other not in dependents]
    found = yield from singles(
        candidates, lambda group: session.after(group, test), session.is_as_expected, one_by_one=True
    )
    found = yield from _without_indirect_setters(session, test, found)
    if found and not (yield from _is_served_without(session, test, candidates, frozenset(found))):
        return (Clause(found),)
    needs = yield from needs_of(session, test, Scope(candidates), Needs())
    return needs.clauses if needs else ()


def _is_served_without(
    session: SearchSession, test: int, candidates: Sequence[int], gone: frozenset[int]
) -> Search[bool]:
    """Whether other tests together serve the test: the earlier ones, which the reference order shows to be harmless, or
    all."""
    lost = session.findings.unrunnable_without(gone)
    left = [other for other in candidates if other not in gone and other not in lost]
    runs = yield [session.after(pool, test, gone) for pool in ([other for other in left if other < test], left)]
    return any(map(session.is_as_expected, runs))


def _without_indirect_setters(session: SearchSession, test: int, setters: tuple[int, ...]) -> Search[tuple[int, ...]]:
    """A brittle setter may only bring along the tests that serve it: try it without setters that need nothing, if there
    is a choice, and then try those tests without it."""
    findings = session.findings
    brittle = [setter for setter in setters if setter in findings.clauses]
    avoid = frozenset(setters) - set(brittle)
    context = {setter: findings.closure_of([setter], avoid | {test}) for setter in brittle}
    with_it = yield [session.request([*context[setter], test]) for setter in brittle]
    without = yield [session.request([*(t for t in context[setter] if t != setter), test]) for setter in brittle]
    indirect = {
        setter
        for setter, having, lacking in zip(brittle, with_it, without, strict=True)
        if not session.is_as_expected(having) or session.is_as_expected(lacking)
    }
    return tuple(setter for setter in setters if setter not in indirect)


def _find_polluters(session: SearchSession) -> bool:
    """Returns whether every failure is explained and no pair is undecided."""
    findings = session.findings
    for _ in range(_MAX_ROUNDS):
        decide_flakiness(session)
        find_polluters(session, findings.unexplained(findings.unresolved), one_by_one=True)
        requests = [request for test in range(len(session.suite)) for request in _open_pairs(session, test)]
        requests = [request for request in requests if request not in session.known]
        session.start_step("running undecided pairs", len(requests))
        record_broken_tests(session, session.runs(requests))
        if not requests and not findings.unexplained(findings.unresolved):
            return True
    return False


def _open_pairs(session: SearchSession, test: int) -> Iterator[OrderRequest]:
    """The test directly after each test after which it was never shown to behave as expected, and might; both with all
    that they need."""
    findings = session.findings
    if test in findings.flaky or test in findings.unresolved or findings.expected[test].is_bad:
        return
    out = {
        *findings.closure(test),
        *session.polluters_of(test),
        *findings.unrunnable_without({test}),
        *findings.flaky,
        *findings.unresolved,
    }
    for other in range(len(session.suite)):
        if other not in out and not session.pairs.directly_after[test] >> other & 1:
            yield session.directly_after(other, test)


tuscan = PublishedDetector("tuscan", _try_all_pairs, source=any_other)
