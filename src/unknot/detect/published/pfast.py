"""PFAST: leave one test out and see who fails first; leave that one out too; go on until nobody fails.

Polverino, Di Lauro, Biagiola, Tonella, Carzaniga: Parallelization in System-level Testing, IEEE TSE 2025.

Idea
    Of an order with one test left out, only the first failure is read: that test needs the one left out, while a later
    one may fail only because an earlier one did. The one that failed is left out as well, and the rest run again. Each
    test left out makes a chain of its own, and all chains but the last test's go on side by side. What follows from
    other edges is dropped; then the closures are run and, where one fails, repaired.
Assumptions
    Every need is a single test, all in reference order, and nobody pollutes. An either-or need does not show when one
    alternative is left out, by construction; the check of the closures finds its dependent failing, and repair makes a
    plain need of it, which is one way to satisfy it and not the only one.
Guarantee
    Under these assumptions the edges are the transitive reduction of the truth. In any suite each edge told was seen in
    two runs: the reference order up to the dependent, and the order in which it failed first; and if the result is
    complete, every closure passes. Stopped at any moment, the edges seen so far are told.
Cost
    n - 1 orders, one more for each pair of a test and another that it needs, directly or not, and one for each test
    that no other needs: 2n - 1 orders for an independent suite, and never more than n(n - 1) / 2 + 2n - 1 under the
    assumptions. Nearly every order runs nearly all tests. Not counted, like proofs: the closures that are part of
    others, which the paper does not run, one short order for each test that another needs.
"""

from unknot.detect.engine.deviation import deviating, may_be_claimed_about
from unknot.detect.engine.findings import Sight
from unknot.detect.engine.options import DEFAULT_OPTIONS, Options, ProgressCallback, no_progress
from unknot.detect.engine.parallel import Search, side_by_side
from unknot.detect.engine.session import SearchSession
from unknot.detect.published.edges import Edges
from unknot.detect.published.refinement import carry_out
from unknot.detect.published.repair import check_closures, repair
from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.suite import Suite
from unknot.oracle.protocol import Oracle


def pfast(
    suite: Suite, oracle: Oracle, options: Options = DEFAULT_OPTIONS, on_progress: ProgressCallback = no_progress
) -> Dependencies:
    """A detector; see the module for what it guarantees."""
    return carry_out("pfast", _search, suite, oracle, options, on_progress, check=check_closures)


def _search(session: SearchSession, _: Options) -> bool:
    size = len(session.suite)
    edges = Edges(size)
    with edges.stored_if_stopped(session.findings):
        session.start_step("leaving out one test at a time", size - 1)
        chains = {left_out: _chain(session, edges, left_out) for left_out in range(size - 1)}
        ended = side_by_side(chains, session.run_orders)
        edges.reduce()
        repair(session, edges, edges.needed_by_nobody())
    edges.reduce()
    edges.store_in(session.findings)
    return all(ended.values())


def _chain(session: SearchSession, edges: Edges, left_out: int) -> Search[bool]:
    """Who needs the one left out; returns whether every run came to its end."""
    rest = [test for test in range(len(session.suite)) if test != left_out]
    while rest:
        (run,) = yield [session.request(rest)]
        failing = next(deviating(session, run), None)
        if failing is None:
            return run.last is not Outcome.NOT_RUN
        place = rest.index(failing)
        if failing > left_out and may_be_claimed_about(session, failing):
            edges.rows[failing] |= 1 << left_out
            if run.results[place].outcome.is_verdict:
                session.findings.sights[failing, left_out] = Sight(tuple(range(failing)), tuple(rest[:place]))
        del rest[place]
    return True
