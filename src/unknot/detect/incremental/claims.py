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

from collections.abc import Iterable, Iterator
from dataclasses import replace

from unknot.detect.engine.findings import Clause, Pollution
from unknot.detect.engine.polluters import sequence_before
from unknot.detect.engine.proofs import closure_proof, conflict_proof, with_other_clauses, without_polluter
from unknot.detect.engine.session import SearchSession
from unknot.detect.flaky.sequential_test import decide_flakiness, inconsistent_tests
from unknot.detect.incremental.baseline import BaselineFindings, Claim
from unknot.model.dependencies import Conflict, Need, Proof
from unknot.model.run import OrderRequest
from unknot.model.suite import Order

_ONCE: tuple[int, ...] = (0,)
_TWICE_MORE: tuple[int, ...] = (1, 2)

NeedClaim = tuple[int, Clause]


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

    def _clauses(self) -> Iterator[NeedClaim]:
        clauses = sorted(self._session.findings.clauses.items())
        return ((test, clause) for test, known in clauses for clause in known)

    def prove(self, *, may_run: bool) -> set[int]:
        """Proves what is not proved and drops what cannot be; returns the tests that have lost a need. If nothing may
        be run, only runs that exist count."""
        session, findings = self._session, self._session.findings
        unproved = [known for known in self._clauses() if _key(known) not in self._need_proofs]
        if unproved:
            session.start_step("proving what was found", 2 * len(unproved))
        self._prove_needs(unproved, may_run=may_run)
        doubtful = {test for test, clause in unproved if (test, clause.any_of) not in self._need_proofs}
        for test in doubtful:
            proved = (clause for clause in findings.clauses[test] if (test, clause.any_of) in self._need_proofs)
            findings.learn(test, tuple(proved))
        self._prove_conflicts(may_run=may_run)
        return doubtful

    def _prove_needs(self, unproved: list[NeedClaim], *, may_run: bool) -> None:
        session = self._session
        before = {(test, clause.any_of) for test, clauses in self._baseline.clauses.items() for clause in clauses}
        new = [known for known in unproved if _key(known) not in before]
        proofs = {
            known: (closure_proof(session, *known), _TWICE_MORE if known in new else _ONCE)
            for known in sorted(unproved, key=lambda known: _key(known) not in before)
        }
        bare = {known: with_other_clauses(session, *known) for known in new}
        self._run([*_requests(proofs.values()), *bare.values()], may_run=may_run)
        for known, (proof, attempts) in proofs.items():
            if self._holds(proof, attempts) and (known not in bare or self._as_expected(bare[known]) is False):
                self._need_proofs[_key(known)] = proof

    def _prove_conflicts(self, *, may_run: bool) -> None:
        """The sequence of an old conflict may have lost tests: it is rebuilt. Each polluter has to matter: one may only
        bring along the tests that it needs."""
        session, findings = self._session, self._session.findings
        proved = [known for known in findings.pollutions if claim(known) in self._conflict_proofs]
        unproved = [known for known in findings.pollutions if claim(known) not in self._conflict_proofs]
        before = set(map(claim, self._baseline.pollutions))
        old = [
            replace(known, sequence=sequence_before(session, known.victim, known.polluters))
            for known in unproved
            if claim(known) in before
        ]
        new = [known for known in unproved if claim(known) not in before]
        proofs = {known: (conflict_proof(session, known), _ONCE) for known in old}
        proofs |= {known: (conflict_proof(session, known), _TWICE_MORE) for known in new}
        rests = {known: [without_polluter(session, known, one) for one in known.polluters] for known in proofs}
        more = (request for requests in rests.values() for request in requests)
        self._run([*_requests(proofs.values()), *more], may_run=may_run)
        shown = {
            known: proof
            for known, (proof, attempts) in proofs.items()
            if self._holds(proof, attempts) and all(self._as_expected(request) for request in rests[known])
        }
        self._conflict_proofs.update((claim(known), proof) for known, proof in shown.items())
        findings.pollutions[:] = [*proved, *shown]

    def _run(self, requests: list[OrderRequest], *, may_run: bool) -> None:
        session = self._session
        if may_run:
            session.run_orders(requests)
            if inconsistent_tests(session):
                decide_flakiness(session)
                # Repeats the runs that newly found flaky tests have spoilt.
                session.run_orders(requests)

    def _holds(self, proof: Proof, attempts: tuple[int, ...]) -> bool:
        """By the runs that exist."""

        def outcomes(order: Order) -> set[bool]:
            found = (self._as_expected(OrderRequest(order, attempt)) for attempt in attempts)
            return {as_expected for as_expected in found if as_expected is not None}

        return outcomes(proof.passes) == {True} and outcomes(proof.fails) == {False}

    def _as_expected(self, request: OrderRequest) -> bool | None:
        """None if it was not run."""
        run = self._session.known.get(request)
        return None if run is None else self._session.is_as_expected(run)

    def needs(self) -> tuple[Need, ...]:
        """Those that are proved. Runs nothing."""
        session = self._session
        doubted = self.open_needs | set(map(_key, _contradicted(session)))
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


def _key(known: NeedClaim) -> Claim:
    test, clause = known
    return test, clause.any_of


def _contradicted(session: SearchSession) -> set[NeedClaim]:
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


def _requests(proofs: Iterable[tuple[Proof, tuple[int, ...]]]) -> list[OrderRequest]:
    return [
        OrderRequest(order, attempt)
        for proof, attempts in proofs
        for order in (proof.passes, proof.fails)
        for attempt in attempts
    ]
