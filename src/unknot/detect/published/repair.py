"""Checks a graph by running closures, and adds what a failing test lacks.

Idea
    Run the closures of some tests. The first test that fails in one gets edges to earlier tests, those with the
    smallest closures first, until it behaves as expected among the tests with which it had failed. Then these edges are
    removed again one by one, in the same sequence, as long as it still does. Closures that have grown are run again.
Assumptions
    All tests behave as expected in the reference order, so that with all earlier tests the failing one passes.
Guarantee
    Edges are only added, and each was shown by two runs that differ in nothing but its prerequisite. In the end every
    test passes in each of the closures. Alternatives become a single need.
Cost
    One order for each closure. For a failing test at position p at most 2p orders more, and one for each closure that
    has grown. If an edge only brings along what is really needed, one more: it is replaced by edges to the needs of
    its prerequisite.
"""

from collections.abc import Iterable

from unknot.detect.engine.options import Options
from unknot.detect.engine.parallel import RunOrders
from unknot.detect.engine.session import SearchSession, last_test_failed, unexpected_claimable
from unknot.detect.published.graph import NeedGraph
from unknot.model.bits import positions


def check_closures(session: SearchSession, _: Options) -> bool:
    """Checks every closure that follows from the findings, also those that are part of others: outside its assumptions,
    a detector can be wrong about these although the larger ones pass. Returns whether no test is unresolved."""
    edges = NeedGraph.of(session.findings, len(session.suite))
    with edges.stored_if_stopped(session.findings):
        repair(session, edges, range(1, len(session.suite)), session.run_orders)
    edges.reduce()
    edges.store_in(session.findings)
    return not session.findings.unresolved


def repair(session: SearchSession, edges: NeedGraph, heads: Iterable[int], run_orders: RunOrders) -> None:
    """Adds edges until the closures of the heads pass. A test that fails now and then in the same order cannot be
    repaired and becomes unresolved."""
    _Repair(session, edges, run_orders).run(list(heads))


class _Repair:
    def __init__(self, session: SearchSession, edges: NeedGraph, run_orders: RunOrders) -> None:
        self._session = session
        self._edges = edges
        self._run_orders = run_orders

    def run(self, heads: list[int]) -> None:
        checked: dict[int, int] = {}
        while grown := {head: whole for head in heads if checked.get(head) != (whole := self._edges.closure(head))}:
            checked |= grown
            # Earlier tests first: what a later one lacks may follow from what an earlier one gets.
            for test, context in sorted(self._failing(list(grown.values())).items()):
                added = self._missing(test, context)
                self._edges.rows[test] |= added
                if not added:
                    self._session.findings.mark_unresolved([test])

    def _failing(self, closures: list[int]) -> dict[int, int]:
        """The tests that fail first in one of the closures, each with the tests that ran before it there."""
        self._session.start_step("running what follows from the graph", len(closures))
        requests = [self._session.request(positions(closure)) for closure in closures]
        answers = self._run_orders(requests)
        found: dict[int, int] = {}
        for closure, request in zip(closures, requests, strict=True):
            test = next(unexpected_claimable(self._session, answers[request]), None)
            if test is not None and test not in self._session.findings.unresolved:
                found.setdefault(test, closure & ((1 << test) - 1))
        return found

    def _missing(self, test: int, context: int) -> int:
        """Earlier tests without which the test fails in this context; one sufficient set of several. None if it fails
        with all of them."""
        self._session.start_step("finding what a test lacks", test)
        kept: list[int] = []
        before = context
        for target in sorted(range(test), key=lambda other: self._edges.closure(other).bit_count()):
            kept.append(target)
            # All that the target needs has a smaller closure, and is there already.
            fewer, before = before, before | 1 << target
            if self._works(before, test):
                self._observe(test, target, before, fewer)
                return self._without_superfluous(test, context, kept)
        return 0

    def _without_superfluous(self, test: int, context: int, kept: list[int]) -> int:
        """Those of the tests that must stay. The last one must: without it the test failed."""
        *untried, last = kept
        needed = 1 << last
        while untried:
            target = untried.pop(0)
            rest = needed | sum(1 << other for other in untried)
            before = context | self._edges.reached_from(rest | 1 << target)
            fewer = context | self._edges.reached_from(rest)
            if self._works(fewer, test):
                continue
            if before & ~fewer != 1 << target:
                fewer = before & ~(1 << target)
                if self._works(fewer, test):
                    untried += positions(self._edges.rows[target] & ~rest)
                    continue
            needed |= 1 << target
            self._observe(test, target, before, fewer)
        return needed

    def _works(self, before: int, test: int) -> bool:
        """Whether all tests behave as expected."""
        request = self._session.request([*positions(before), test])
        run = self._run_orders([request])[request]
        return self._session.is_as_expected(run) and next(unexpected_claimable(self._session, run), None) is None

    def _observe(self, test: int, needed: int, before: int, fewer: int) -> None:
        """Runs the order without the prerequisite if the test failed after it with others following; as a proof, it
        does not count."""
        (run,) = self._session.runs([self._session.request([*positions(fewer), test])])
        if last_test_failed(self._session, run):
            self._session.findings.observe_need(test, needed, positions(before), positions(fewer))
