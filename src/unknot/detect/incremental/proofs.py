"""Two runs for selected claims, when the others have theirs already.

Idea
    The same two orders as for any claim: with all that the test needs and without what is claimed; without the
    polluters and with them. An old claim was repeated when it was found, and is shown by running each order once; a new
    one is shown by running each twice more.
Guarantee
    A claim is shown only if every run of the first order behaved as expected and none of the second did. Nothing is
    removed from the findings here.
Cost
    Two orders for an old claim, five for a new need, four for a new conflict; and one for each polluter.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from unknot.detect.engine.findings import Clause, Pollution
from unknot.detect.engine.proofs import closure_proof, conflict_proof, with_other_clauses, without_polluter
from unknot.detect.engine.session import SearchSession
from unknot.detect.flaky.sequential_test import decide_flakiness, inconsistent_tests
from unknot.model.dependencies import Proof
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import Order

_ONCE = (0,)
_TWICE_MORE = (1, 2)

NeedClaim = tuple[int, Clause]


def prove_need_claims(
    session: SearchSession, old: Collection[NeedClaim], new: Collection[NeedClaim], *, may_run: bool
) -> dict[NeedClaim, Proof]:
    """If nothing may be run, only runs that exist count."""
    proofs = {claim: closure_proof(session, *claim) for claim in (*old, *new)}
    bare = {claim: with_other_clauses(session, *claim) for claim in new}
    answers = _answers(
        session,
        [
            *_requests((proofs[claim] for claim in old), _ONCE),
            *_requests((proofs[claim] for claim in new), _TWICE_MORE),
            *bare.values(),
        ],
        may_run=may_run,
    )
    found: dict[NeedClaim, Proof] = {}
    for claim, proof in proofs.items():
        if _holds(session, answers, proof, _TWICE_MORE if claim in bare else _ONCE):
            run = answers(bare[claim]) if claim in bare else None
            if claim not in bare or (run is not None and not session.is_as_expected(run)):
                found[claim] = proof
    return found


def prove_conflict_claims(
    session: SearchSession, old: Collection[Pollution], new: Collection[Pollution], *, may_run: bool
) -> dict[Pollution, Proof]:
    """The sequence of an old conflict may have lost tests: it is rebuilt, and the conflict is returned with the new
    one."""
    renewed = [replace(known, sequence=_sequence(session, known)) for known in old]
    proofs = {known: conflict_proof(session, known) for known in (*renewed, *new)}
    rests = {known: [without_polluter(session, known, one) for one in known.polluters] for known in proofs}
    answers = _answers(
        session,
        [
            *_requests((proofs[known] for known in renewed), _ONCE),
            *_requests((proofs[known] for known in new), _TWICE_MORE),
            *(request for requests in rests.values() for request in requests),
        ],
        may_run=may_run,
    )

    def is_minimal(known: Pollution) -> bool:
        """Whether each polluter matters: one may only bring along the tests that it needs."""
        runs = [answers(request) for request in rests[known]]
        return all(run is not None and session.is_as_expected(run) for run in runs)

    return {
        known: proof
        for known, proof in proofs.items()
        if _holds(session, answers, proof, _ONCE if known in renewed else _TWICE_MORE) and is_minimal(known)
    }


def contradicted(session: SearchSession) -> set[NeedClaim]:
    """Clauses whose test behaved as expected in some run without any of the members: there are more alternatives."""
    findings = session.findings
    found: set[NeedClaim] = set()
    for run in session.known.values():
        worked: set[int] = set()
        for test, outcome in session.outcomes(run):
            if outcome is findings.expected[test]:
                clauses = findings.clauses.get(test, ())
                found |= {(test, clause) for clause in clauses if worked.isdisjoint(clause.any_of)}
                worked.add(test)
    return found


_Answers = Callable[[OrderRequest], Run | None]


def _answers(session: SearchSession, requests: list[OrderRequest], *, may_run: bool) -> _Answers:
    if may_run:
        session.run_orders(requests)
        if inconsistent_tests(session):
            decide_flakiness(session)
            # Repeats the runs that newly found flaky tests have spoilt.
            session.run_orders(requests)
    return session.known.get


def _requests(proofs: Iterable[Proof], attempts: tuple[int, ...]) -> list[OrderRequest]:
    return [
        OrderRequest(order, attempt)
        for proof in proofs
        for order in (proof.passes, proof.fails)
        for attempt in attempts
    ]


def _holds(session: SearchSession, answers: _Answers, proof: Proof, attempts: tuple[int, ...]) -> bool:
    def outcomes(order: Order) -> set[bool]:
        runs = (answers(OrderRequest(order, attempt)) for attempt in attempts)
        return {session.is_as_expected(run) for run in runs if run is not None}

    return outcomes(proof.passes) == {True} and outcomes(proof.fails) == {False}


def _sequence(session: SearchSession, known: Pollution) -> tuple[int, ...]:
    members = [*known.polluters, *session.findings.closure(known.victim)[:-1]]
    closure_of = session.findings.closure_of(members, frozenset({known.victim}))
    return tuple(test for test in closure_of if test != known.victim)
