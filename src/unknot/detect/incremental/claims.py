"""The claims of an incremental result: two runs for those without a proof, and which of them new tests may still
extend.

Idea
    The same two orders as for any claim: with all that the test needs and without what is claimed; without the
    polluters and with them. An old claim was repeated when it was found, and is shown by running each order once; a new
    one is shown by running each twice more.
Guarantee
    A claim is shown only if every run of the first order behaved as expected and none of the second did. A claim that
    is not shown is dropped.
Cost
    Two orders for an old claim, five for a new need, four for a new conflict; and one for each polluter.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from unknot.detect.engine.findings import Clause, Pollution
from unknot.detect.engine.proofs import closure_proof, conflict_proof, with_other_clauses, without_polluter
from unknot.detect.engine.session import SearchSession
from unknot.detect.flaky.sequential_test import decide_flakiness, inconsistent_tests
from unknot.detect.incremental.baseline import BaselineFindings
from unknot.detect.incremental.substitutes import Claim
from unknot.model.dependencies import Conflict, Need, Proof
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


class Claims:
    """`open_needs` are clauses to which a new test may be an alternative, `open_conflicts` those that one may clean up:
    they are reported as not complete. `is_complete` says whether the baseline was complete."""

    def __init__(self, session: SearchSession, baseline: BaselineFindings, *, is_complete: bool) -> None:
        self._session = session
        self._baseline = baseline
        self._is_complete = is_complete
        self._need_proofs: dict[Claim, Proof] = dict(baseline.need_proofs)
        self._conflict_proofs: dict[Claim, Proof] = dict(baseline.conflict_proofs)
        self.open_needs: set[Claim] = set()
        self.open_conflicts: set[Claim] = set()
        if baseline.affected:
            self.leave_all_needs_open()
            self.open_conflicts.update(map(claim, session.findings.pollutions))

    def leave_all_needs_open(self) -> None:
        self.open_needs.update((test, clause.any_of) for test, clause in self._clauses())

    def _clauses(self) -> Iterable[tuple[int, Clause]]:
        clauses = sorted(self._session.findings.clauses.items())
        return ((test, clause) for test, known in clauses for clause in known)

    def prove(self, *, may_run: bool) -> set[int]:
        """Proves what is not proved and drops what cannot be; returns the tests that have lost a need."""
        session, findings = self._session, self._session.findings
        unproved = [
            (test, clause) for test, clause in self._clauses() if (test, clause.any_of) not in self._need_proofs
        ]
        if unproved:
            session.start_step("proving what was found", 2 * len(unproved))
        before = {(test, c.any_of) for test, clauses in self._baseline.clauses.items() for c in clauses}
        old = [(test, clause) for test, clause in unproved if (test, clause.any_of) in before]
        new = [(test, clause) for test, clause in unproved if (test, clause.any_of) not in before]
        for (test, clause), proof in prove_need_claims(session, old, new, may_run=may_run).items():
            self._need_proofs[test, clause.any_of] = proof
        doubtful = {test for test, clause in unproved if (test, clause.any_of) not in self._need_proofs}
        for test in doubtful:
            proved = (clause for clause in findings.clauses[test] if (test, clause.any_of) in self._need_proofs)
            findings.learn(test, tuple(proved))
        self._prove_conflicts(may_run=may_run)
        return doubtful

    def _prove_conflicts(self, *, may_run: bool) -> None:
        findings = self._session.findings
        proved = [known for known in findings.pollutions if claim(known) in self._conflict_proofs]
        unproved = [known for known in findings.pollutions if claim(known) not in self._conflict_proofs]
        before = set(map(claim, self._baseline.pollutions))
        old = [known for known in unproved if claim(known) in before]
        new = [known for known in unproved if claim(known) not in before]
        shown = prove_conflict_claims(self._session, old, new, may_run=may_run)
        self._conflict_proofs.update((claim(known), proof) for known, proof in shown.items())
        findings.pollutions[:] = [*proved, *shown]

    def needs(self) -> tuple[Need, ...]:
        """Those that are proved. Runs nothing."""
        session = self._session
        doubted = self.open_needs | {(test, clause.any_of) for test, clause in contradicted(session)}
        return tuple(
            Need(
                session.suite.tests[test],
                session.suite.order(clause.any_of),
                self._need_proofs[test, clause.any_of],
                clause.complete and self._is_complete and (test, clause.any_of) not in doubted,
                self._baseline.reasons_for_needs.get((test, clause.any_of), ()),
            )
            for test, clause in self._clauses()
            if test not in session.findings.flaky
        )

    def conflicts(self) -> tuple[Conflict, ...]:
        """The same as `needs`."""
        order = self._session.suite.order
        return tuple(
            Conflict(
                self._session.suite.tests[known.victim],
                order(known.polluters),
                order(known.cleaners),
                self._conflict_proofs[claim(known)],
                known.complete and claim(known) not in self.open_conflicts,
                self._baseline.reasons_for_conflicts.get(claim(known), ()),
            )
            for known in sorted(self._session.findings.pollutions, key=claim)
            if known.victim not in self._session.findings.flaky
        )


def claim(known: Pollution) -> Claim:
    return known.victim, known.polluters
