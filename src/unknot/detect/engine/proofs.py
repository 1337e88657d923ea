"""Nothing is called a dependency without its two runs."""

from collections.abc import Sequence

from unknot.detect.engine.findings import Clause, Pollution, Sight
from unknot.detect.engine.parallel import side_by_side
from unknot.detect.engine.session import SearchSession
from unknot.detect.flaky.dependents import provide_for_heirs
from unknot.detect.flaky.sequential_test import settle, steadiness
from unknot.model.dependencies import Conflict, Need, Proof
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import Order

_FRESH = (1, 2)
"""Each proof order is run twice more. The run that led here does not count: a search picks its runs by their outcome,
and so picks a flaky test's failures."""


def prove_needs(session: SearchSession, *, may_ask: bool) -> tuple[Need, ...]:
    """The clauses that two orders show, as needs; a clause that cannot be shown is dropped from the findings.

    When nothing may be asked any more, only what was seen already counts.
    """
    if may_ask:
        settle(session)
        provide_for_heirs(session)
    flaky = set(session.findings.flaky)
    claims = {
        (test, clause): _need_proof(session, test, clause)
        for test, clauses in sorted(session.findings.clauses.items())
        for clause in clauses
    }
    seen = {key for key in claims if _sight(session, *key) is not None}
    shown = _shown(session, [proof for key, proof in claims.items() if key not in seen], may_ask=may_ask)
    if session.findings.flaky != flaky:
        # Whoever turned out to be flaky may have misled more than its own proofs.
        return prove_needs(session, may_ask=may_ask)
    bare = {key: _without_company(session, *key) for key in claims if key not in seen}
    answers = session.run_orders(list(bare.values())) if may_ask else session.known
    needs = []
    for (test, clause), proof in claims.items():
        if (test, clause) in seen or (proof in shown and _fails(session, answers.get(bare[test, clause]))):
            needs.append(Need(session.suite.tests[test], session.suite.order(clause.any_of), proof, clause.complete))
        else:
            session.findings.learn(test, tuple(other for other in session.findings.clauses[test] if other != clause))
    return tuple(need for need in needs if session.suite.index[need.dependent] not in session.findings.flaky)


def prove_conflicts(session: SearchSession, *, may_ask: bool) -> tuple[Conflict, ...]:
    """As `prove_needs`, for pollutions."""
    claims = [(known, _conflict_proof(session, known)) for known in session.findings.pollutions]
    shown = _shown(session, [proof for _, proof in claims], may_ask=may_ask)
    proved = [
        (known, proof) for known, proof in claims if proof in shown and _is_minimal(session, known, may_ask=may_ask)
    ]
    session.findings.pollutions = [known for known, _ in proved]
    return tuple(
        Conflict(
            victim=session.suite.tests[known.victim],
            polluters=session.suite.order(known.polluters),
            cleaners=session.suite.order(known.cleaners),
            proof=proof,
            complete=known.complete,
        )
        for known, proof in sorted(proved, key=lambda pair: (pair[0].victim, pair[0].polluters))
        if known.victim not in session.findings.flaky
    )


def _fails(session: SearchSession, run: Run | None) -> bool:
    return run is not None and not session.is_void(run) and not session.is_as_wanted(run)


def _sight(session: SearchSession, test: int, clause: Clause) -> Sight | None:
    return session.findings.sights.get((test, clause.any_of[0])) if len(clause.any_of) == 1 else None


def _need_proof(session: SearchSession, test: int, clause: Clause) -> Proof:
    """With the closure, and with the closure less the clause's test and whoever cannot run without it; or the two
    orders in which it was seen."""
    sight = _sight(session, test, clause)
    if sight is not None:
        return Proof(session.suite.order((*sight.with_it, test)), session.suite.order((*sight.without, test)))
    closure = session.findings.closure(test)
    taken = {member for member in clause.any_of if member in closure}
    lost = session.findings.stranded(taken) - {test}
    without = [other for other in closure if other not in taken and other not in lost]
    return Proof(session.suite.order(closure), session.suite.order(without))


def _without_company(session: SearchSession, test: int, clause: Clause) -> OrderRequest:
    """What the other clauses alone call for. Who is there only to serve a member of this one may pollute, and the
    member may be no setter at all but clean up after it: then the test does as wanted here."""
    findings = session.findings
    closure = findings.closure(test)
    gone = frozenset(clause.any_of)
    others = (_served(other, closure) for other in findings.clauses[test] if other != clause)
    kept = set(findings.closed(others, gone)) - gone - findings.stranded(gone)
    return session.request([other for other in closure if other in kept or other == test])


def _served(clause: Clause, closure: Sequence[int]) -> int:
    """The member of the clause that the closure takes."""
    return next(member for member in clause.any_of if member in closure)


def _conflict_proof(session: SearchSession, known: Pollution) -> Proof:
    """With the victim's closure alone, and with the polluters (and what they need) in their place."""
    base = set(session.findings.closure(known.victim)[:-1])
    passes = [*(test for test in known.sequence if test in base), known.victim]
    return Proof(session.suite.order(passes), session.suite.order([*known.sequence, known.victim]))


def _is_minimal(session: SearchSession, known: Pollution, *, may_ask: bool) -> bool:
    """Whether each of several polluters has a part in it: without it, the victim does as wanted."""
    if len(known.polluters) == 1:
        return True
    requests = []
    for polluter in known.polluters:
        lost = session.findings.stranded({polluter})
        rest = [test for test in known.sequence if test != polluter and test not in lost]
        requests.append(session.request([*rest, known.victim]))
    answers = session.run_orders(requests) if may_ask else session.known
    return all(request in answers and session.is_as_wanted(answers[request]) for request in requests)


def _shown(session: SearchSession, proofs: list[Proof], *, may_ask: bool) -> list[Proof]:
    """The proofs whose first order does as wanted and whose second does not, each time; where an order did not do the
    same each time, as a rule."""
    orders = [order for proof in proofs for order in (proof.passes, proof.fails)]
    if not may_ask:
        return [
            proof
            for proof in proofs
            if _told(session, proof.passes) == {True} and _told(session, proof.fails) == {False}
        ]
    asked = [OrderRequest(order, attempt) for order in orders for attempt in _FRESH]
    session.run_orders(asked)
    shaky = [order for order in dict.fromkeys(orders) if len(_told(session, order)) > 1]
    if shaky:
        settle(session)
    # Now that it is known who is flaky, those runs that it spoilt are repeated.
    session.run_orders(asked)
    rules = side_by_side(
        {order: steadiness(session, order) for order in shaky if len(_told(session, order)) > 1}, session.run_orders
    )

    def does(order: Order, *, as_wanted: bool) -> bool:
        if order not in rules:
            return _told(session, order) == {as_wanted}
        wanted = session.findings.wanted[session.suite.index[order[-1]]]
        return not rules[order].is_flaky and (rules[order].usual is wanted) is as_wanted

    return [proof for proof in proofs if does(proof.passes, as_wanted=True) and does(proof.fails, as_wanted=False)]


def _told(session: SearchSession, order: Order) -> set[bool]:
    """Whether the last of the order did as wanted, in those repetitions that there are."""
    runs = (session.known.get(OrderRequest(order, attempt)) for attempt in _FRESH)
    return {session.is_as_wanted(run) for run in runs if run is not None and not session.is_void(run)}
