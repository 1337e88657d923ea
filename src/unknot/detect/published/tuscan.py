"""Tuscan: every test right after every other, for whoever wants certainty on pairs.

Reference
    Wei et al., "Probabilistic and Systematic Coverage of Consecutive Test-Method Pairs for Detecting Order-Dependent
    Flaky Tests", TACAS 2021, who take the orders from Tuscan squares.
Idea
    About n orders of all tests show every ordered pair side by side, where nobody can clean up in between. They are run
    as they are, whatever tests need, and every outcome is read. Whoever deviates is run alone. If it fails there too,
    it is brittle, and everybody is tried as its setter, one by one. If not, the sequence before it is reduced to who
    broke it; everybody else is tried in that one's place, and between the two, one by one. A pair of which the orders
    said nothing (the first had failed, or the second failed for another reason) is run once more by itself.
Assumptions
    A test does its work when it does as wanted. More tests do not undo what a setter did.
Guarantee
    When it says it is complete: every single setter of a test that only single ones serve, every single polluter of a
    test that passes alone or after what it needs, and every single cleaner of such a pollution. Each need and each
    conflict is shown by two orders.
    Misses, by construction: tests that break another only together, unless some order happens to hold them all without
    a cleaner behind them; of the ways to serve a test that needs several others, those that group testing does not
    show, because a polluter hides them.
Cost
    n orders of n tests for an even n, n + 1 for an odd one. Then short orders: n for each brittle test, 2n for each
    victim and n for each of its pollutions, and one for each pair that was left open.
"""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from unknot.detect.engine import orders
from unknot.detect.engine.deviation import deviating, may_be_claimed_about
from unknot.detect.engine.findings import Clause
from unknot.detect.engine.options import DEFAULT_OPTIONS, Options, ProgressCallback, no_progress
from unknot.detect.engine.parallel import Search, side_by_side
from unknot.detect.engine.reduction import reduce_clauses
from unknot.detect.engine.session import SearchSession
from unknot.detect.engine.subsets import singles
from unknot.detect.flaky.sequential_test import settle
from unknot.detect.published.refinement import carry_out
from unknot.detect.sieve.conflict_causes import find_culprits, unexplained
from unknot.detect.sieve.isolation import Seen, deviations, each_alone
from unknot.detect.sieve.setters import Needs, needs_of
from unknot.hints.position import any_other
from unknot.model.dependencies import Dependencies
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import Suite
from unknot.oracle.protocol import Oracle

_MOST_ROUNDS = 16
"""Each round explains a sight of every broken test, or finds an alternative; a suite that needs more is marked
incomplete."""


def tuscan(
    suite: Suite, oracle: Oracle, options: Options = DEFAULT_OPTIONS, on_progress: ProgressCallback = no_progress
) -> Dependencies:
    """A detector; see the module for what it guarantees."""
    return carry_out(
        "tuscan",
        lambda session, options: _try_all_pairs(session),
        suite,
        oracle,
        options,
        on_progress,
        suspects=any_other,
    )


def _try_all_pairs(session: SearchSession) -> bool:
    squares = [session.request(order) for order in orders.tuscan(len(session.suite))]
    session.start_step("running every test right after every other", len(squares))
    runs = session.runs(squares)
    brittle = _brittle_in(session, runs)
    are_served = _find_setters(session, brittle)
    seen = Seen()
    for run in runs:
        deviations(session, run, seen)
    return _find_polluters(session, seen) and are_served


def _brittle_in(session: SearchSession, runs: Sequence[Run]) -> set[int]:
    """Who deviated in some run, and does alone. Every test stands first in some order, so none is missed."""
    wanted = session.findings.wanted
    doubtful = sorted({test for run in runs for test in deviating(session, run) if may_be_claimed_about(session, test)})
    session.start_step("running alone who did not do as wanted", len(doubtful))
    alone = each_alone(session, doubtful)
    return {test for test in doubtful if alone[test] is not wanted[test] and test not in session.findings.flaky}


def _find_setters(session: SearchSession, brittle: AbstractSet[int]) -> bool:
    """Whether each was served. Those come first that others can serve whose own needs are known; then all once more,
    among everyone, until nobody learns anything new: a brittle test may serve another in its turn."""
    findings = session.findings
    everyone = range(len(session.suite))
    waiting = set(brittle)
    while waiting:
        served = _learn_setters(session, waiting, [test for test in everyone if test not in waiting])
        if not served:
            break
        waiting -= served
    findings.give_up_on(waiting)
    usable = [test for test in everyone if test not in waiting]
    is_settled = False
    for _ in range(_MOST_ROUNDS):
        before = dict(findings.clauses)
        _learn_setters(session, brittle - waiting, usable)
        is_settled = before == findings.clauses
        if is_settled:
            break
    reduce_clauses(findings)
    return is_settled and not waiting


def _learn_setters(session: SearchSession, tests: AbstractSet[int], usable: Sequence[int]) -> set[int]:
    """Who of the tests was served."""
    session.start_step("trying everyone as the setter of brittle tests", len(tests))
    found = side_by_side({test: _needs(session, test, usable) for test in sorted(tests)}, session.run_orders)
    for test, clauses in found.items():
        if clauses:
            session.findings.learn(test, clauses)
    return {test for test, clauses in found.items() if clauses}


def _needs(session: SearchSession, test: int, usable: Sequence[int]) -> Search[tuple[Clause, ...]]:
    """One clause of all single setters; where none is enough, or others together are too, what group testing shows."""
    clingers = session.findings.stranded({test})
    candidates = [other for other in usable if other != test and other not in clingers]
    found = yield from singles(
        candidates, lambda group: session.after(group, test), session.is_as_wanted, one_by_one=True
    )
    found = yield from _without_messengers(session, test, found)
    if found and not (yield from _is_served_without(session, test, candidates, frozenset(found))):
        return (Clause(found),)
    needs = yield from needs_of(session, test, candidates, Needs())
    return needs.clauses if needs else ()


def _is_served_without(
    session: SearchSession, test: int, candidates: Sequence[int], gone: frozenset[int]
) -> Search[bool]:
    """Whether others together serve the test: those earlier, whom the reference order shows to do no harm, or all."""
    lost = session.findings.stranded(gone)
    left = [other for other in candidates if other not in gone and other not in lost]
    runs = yield [session.after(pool, test, gone) for pool in ([other for other in left if other < test], left)]
    return any(map(session.is_as_wanted, runs))


def _without_messengers(session: SearchSession, test: int, setters: tuple[int, ...]) -> Search[tuple[int, ...]]:
    """A brittle one may owe its success to those that came along to serve it: once more, without those who need nobody
    where there is a choice; and then without itself."""
    findings = session.findings
    brittle = [setter for setter in setters if setter in findings.clauses]
    avoid = frozenset(setters) - set(brittle)
    company = {setter: findings.closed([setter], avoid | {test}) for setter in brittle}
    with_it = yield [session.request([*company[setter], test]) for setter in brittle]
    without = yield [session.request([*(t for t in company[setter] if t != setter), test]) for setter in brittle]
    messengers = {
        setter
        for setter, having, lacking in zip(brittle, with_it, without, strict=True)
        if not session.is_as_wanted(having) or session.is_as_wanted(lacking)
    }
    return tuple(setter for setter in setters if setter not in messengers)


def _find_polluters(session: SearchSession, seen: Seen) -> bool:
    """Whether everything seen is explained, and no pair is left open."""
    for _ in range(_MOST_ROUNDS):
        settle(session)
        find_culprits(session, seen, unexplained(session, seen, session.findings.unresolved), one_by_one=True)
        asked = [request for test in range(len(session.suite)) for request in _open_pairs(session, test)]
        asked = [request for request in asked if request not in session.known]
        session.start_step("running pairs of which nothing is known yet", len(asked))
        for run in session.runs(asked):
            deviations(session, run, seen)
        if not asked and not unexplained(session, seen, session.findings.unresolved):
            return True
    return False


def _open_pairs(session: SearchSession, test: int) -> Iterator[OrderRequest]:
    """The test right after each of those after which it was never seen to do as wanted, and might: both with all that
    they need."""
    findings = session.findings
    if test in findings.flaky or test in findings.unresolved or findings.wanted[test].is_bad:
        return
    closure = findings.closure(test)
    out = {*closure, *session.polluters_of(test), *findings.stranded({test}), *findings.flaky, *findings.unresolved}
    for other in range(len(session.suite)):
        if other not in out and not session.pairs.right_after[test] >> other & 1:
            needed = findings.closed([*findings.closure(other)[:-1], *closure[:-1]], frozenset({test}))
            yield session.request([*(member for member in needed if member not in (test, other)), other, test])
