"""Two runs for chosen claims, where the others have theirs already.

Idea
    The same two orders as for any claim: with all that the test needs and with that less what is claimed; without the
    polluters and with them. A claim that stood before was repeated then, and is shown by running each order once; one
    that is new is shown by running each twice more.
Guarantee
    A claim is shown only if each run of the first order did as wanted and none of the second. Nothing is dropped from
    the findings here.
Cost
    Two orders for an old claim, five for a new need, four for a new conflict; and one for each polluter.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from unknot.detect.engine.findings import Clause, Pollution
from unknot.detect.engine.session import SearchSession
from unknot.detect.flaky.sequential_test import differed_first, settle
from unknot.model.dependencies import Proof
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import Order

_ONCE = (0,)
_TWICE_MORE = (1, 2)

NeedClaim = tuple[int, Clause]


def shown_needs(
    session: SearchSession, old: Collection[NeedClaim], new: Collection[NeedClaim], *, may_ask: bool
) -> dict[NeedClaim, Proof]:
    """When nothing may be asked any more, only what was seen already counts."""
    proofs = {claim: _need_proof(session, *claim) for claim in (*old, *new)}
    bare = {claim: session.request(_without_company(session, *claim)) for claim in new}
    answers = _answers(
        session,
        [
            *_questions((proofs[claim] for claim in old), _ONCE),
            *_questions((proofs[claim] for claim in new), _TWICE_MORE),
            *bare.values(),
        ],
        may_ask=may_ask,
    )
    found: dict[NeedClaim, Proof] = {}
    for claim, proof in proofs.items():
        if _holds(session, answers, proof, _TWICE_MORE if claim in bare else _ONCE):
            run = answers(bare[claim]) if claim in bare else None
            if claim not in bare or (run is not None and not session.is_as_wanted(run)):
                found[claim] = proof
    return found


def shown_conflicts(
    session: SearchSession, old: Collection[Pollution], new: Collection[Pollution], *, may_ask: bool
) -> dict[Pollution, Proof]:
    """Old ones, whose sequence may have lost members, are shown in a sequence made anew, and come back with it."""
    renewed = [replace(known, sequence=_sequence(session, known)) for known in old]
    proofs = {known: _conflict_proof(session, known) for known in (*renewed, *new)}
    rests = {known: [session.request(_less(session, known, one)) for one in known.polluters] for known in proofs}
    answers = _answers(
        session,
        [
            *_questions((proofs[known] for known in renewed), _ONCE),
            *_questions((proofs[known] for known in new), _TWICE_MORE),
            *(request for requests in rests.values() for request in requests),
        ],
        may_ask=may_ask,
    )

    def is_minimal(known: Pollution) -> bool:
        """Whether each polluter has a part in it: one may only have brought along whom it needs."""
        runs = [answers(request) for request in rests[known]]
        return all(run is not None and session.is_as_wanted(run) for run in runs)

    return {
        known: proof
        for known, proof in proofs.items()
        if _holds(session, answers, proof, _ONCE if known in renewed else _TWICE_MORE) and is_minimal(known)
    }


def contradicted(session: SearchSession) -> set[NeedClaim]:
    """Clauses whose test did as wanted in some run without any of the members: there are more than are known."""
    findings = session.findings
    found: set[NeedClaim] = set()
    for run in session.known.values():
        worked: set[int] = set()
        for test, outcome in session.outcomes(run):
            if outcome is findings.wanted[test]:
                clauses = findings.clauses.get(test, ())
                found |= {(test, clause) for clause in clauses if worked.isdisjoint(clause.any_of)}
                worked.add(test)
    return found


_Answers = Callable[[OrderRequest], Run | None]


def _answers(session: SearchSession, requests: list[OrderRequest], *, may_ask: bool) -> _Answers:
    if may_ask:
        session.run_orders(requests)
        if differed_first(session):
            settle(session)
            # Now that it is known who is flaky, those runs that it spoilt are repeated.
            session.run_orders(requests)
    return session.known.get


def _questions(proofs: Iterable[Proof], attempts: tuple[int, ...]) -> list[OrderRequest]:
    return [
        OrderRequest(order, attempt)
        for proof in proofs
        for order in (proof.passes, proof.fails)
        for attempt in attempts
    ]


def _holds(session: SearchSession, answers: _Answers, proof: Proof, attempts: tuple[int, ...]) -> bool:
    def told(order: Order) -> set[bool]:
        runs = (answers(OrderRequest(order, attempt)) for attempt in attempts)
        return {session.is_as_wanted(run) for run in runs if run is not None}

    return told(proof.passes) == {True} and told(proof.fails) == {False}


def _need_proof(session: SearchSession, test: int, clause: Clause) -> Proof:
    closure = session.findings.closure(test)
    taken = {member for member in clause.any_of if member in closure}
    lost = session.findings.stranded(taken) - {test}
    without = [other for other in closure if other not in taken and other not in lost]
    return Proof(session.suite.order(closure), session.suite.order(without))


def _without_company(session: SearchSession, test: int, clause: Clause) -> list[int]:
    """What the other clauses alone call for: who comes along only to serve a member of this one may pollute, and the
    member may be no setter but clean up after it."""
    findings = session.findings
    closure = findings.closure(test)
    gone = frozenset(clause.any_of)
    others = [other for other in findings.clauses[test] if other != clause]
    heads = [next(member for member in other.any_of if member in closure) for other in others]
    kept = set(findings.closed(heads, gone)) - gone - findings.stranded(gone)
    return [other for other in closure if other in kept or other == test]


def _conflict_proof(session: SearchSession, known: Pollution) -> Proof:
    base = set(session.findings.closure(known.victim)[:-1])
    passes = [*(test for test in known.sequence if test in base), known.victim]
    return Proof(session.suite.order(passes), session.suite.order([*known.sequence, known.victim]))


def _sequence(session: SearchSession, known: Pollution) -> tuple[int, ...]:
    members = [*known.polluters, *session.findings.closure(known.victim)[:-1]]
    closed = session.findings.closed(members, frozenset({known.victim}))
    return tuple(test for test in closed if test != known.victim)


def _less(session: SearchSession, known: Pollution, polluter: int) -> list[int]:
    lost = session.findings.stranded({polluter})
    return [*(test for test in known.sequence if test != polluter and test not in lost), known.victim]
