"""PFAST: leave one test out and find the first failure; leave that test out too; repeat until no test fails.

Reference
    Polverino, Di Lauro, Biagiola, Tonella, Carzaniga: Parallelization in System-level Testing, IEEE TSE 2025.
Idea
    Of an order with one test left out, only the first failure counts: that test needs the one left out, while a later
    one may fail only because an earlier one did. The failed test is left out as well, and the rest run again. Each test
    left out starts a chain of its own, and all chains but that of the last test run side by side. Edges that follow
    from others are dropped; then the closures are run and, if one fails, repaired.
Assumptions
    Every need is a single test, all in reference order, and there are no polluters. By construction, a need with
    alternatives does not show when one of them is left out; the check of the closures finds its dependent failing, and
    repair makes a single need of it, which is one alternative of several.
Guarantee
    Under these assumptions the edges are the transitive reduction of the truth. In any suite each edge was shown by two
    runs: the reference order up to the dependent, and the order in which it failed first; and if the result is
    complete, every closure passes. Stopped at any moment, the edges shown so far are reported.
Cost
    n - 1 orders, one more for each pair of a test and another that it needs, directly or not, and one for each test
    that no other needs: 2n - 1 orders for an independent suite, and never more than n(n - 1) / 2 + 2n - 1 under the
    assumptions. Nearly every order has nearly all tests.
    Orders and tests are counted as by the authors, whose program stops an order at its first failure and forgets what
    it has run: the tests of an order count up to the first failure, and an order counts again if it is wanted again.
    Here orders run to their end, and only once. Not counted, like proofs: the closures that are part of others, which
    the paper does not run, one short order for each test that another needs.
"""

from collections.abc import Mapping, Sequence

from unknot.detect.engine.options import Options
from unknot.detect.engine.parallel import Search, run_searches
from unknot.detect.engine.session import SearchSession, is_claimable, unexpected_tests
from unknot.detect.published.driver import CountedAsPublished, PublishedDetector
from unknot.detect.published.graph import NeedGraph
from unknot.detect.published.repair import check_closures, repair
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run


def _search(session: SearchSession, _: Options) -> CountedAsPublished:
    size = len(session.suite)
    edges = NeedGraph(size)
    count = _Count(session)
    with edges.stored_if_stopped(session.findings):
        session.start_step("leaving out one test at a time", size - 1)
        chains = {left_out: _chain(session, edges, left_out) for left_out in range(size - 1)}
        ended = run_searches(chains, count.run_orders)
        edges.reduce()
        repair(session, edges, edges.not_needed_by_others(), count.run_orders)
    edges.reduce()
    edges.store_in(session.findings)
    return count.result(complete=all(ended.values()))


class _Count:
    """Runs orders, and counts them as the authors do."""

    def __init__(self, session: SearchSession) -> None:
        self._session = session
        self._orders, self._tests = session.orders, session.tests

    def run_orders(self, requests: Sequence[OrderRequest]) -> Mapping[OrderRequest, Run]:
        answers = self._session.run_orders(requests)
        self._orders += len(requests)
        self._tests += sum(_tests_to_first_failure(self._session, answers[request]) for request in requests)
        return answers

    def result(self, *, complete: bool) -> CountedAsPublished:
        return CountedAsPublished(complete, self._orders - self._session.orders, self._tests - self._session.tests)


def _tests_to_first_failure(session: SearchSession, run: Run) -> int:
    failing = next(unexpected_tests(session, run), None)
    return len(run.order) if failing is None else run.order.index(session.suite.tests[failing]) + 1


def _chain(session: SearchSession, edges: NeedGraph, left_out: int) -> Search[bool]:
    """Finds the tests that need the one left out. Returns whether every run reached its end."""
    rest = [test for test in range(len(session.suite)) if test != left_out]
    while rest:
        (run,) = yield [session.request(rest)]
        failing = next(unexpected_tests(session, run), None)
        if failing is None:
            return run.last is not Outcome.NOT_RUN
        place = rest.index(failing)
        if failing > left_out and is_claimable(session, failing):
            edges.rows[failing] |= 1 << left_out
            if run.results[place].outcome.is_verdict:
                session.findings.observe_need(failing, left_out, range(failing), rest[:place])
        del rest[place]
    return True


pfast = PublishedDetector("pfast", _search, check=check_closures)
