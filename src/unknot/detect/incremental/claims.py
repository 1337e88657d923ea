"""The claims of an incremental result: which have their two runs, and which new tests may still extend."""

from collections.abc import Iterable

from unknot.detect.engine.findings import Clause, Pollution
from unknot.detect.engine.session import SearchSession
from unknot.detect.incremental.baseline import Baseline
from unknot.detect.incremental.proofs import contradicted, prove_conflict_claims, prove_need_claims
from unknot.detect.incremental.substitutes import Claim
from unknot.model.dependencies import Conflict, Need, Proof


class Claims:
    """`open_needs` are clauses to which a new test may be an alternative, `open_conflicts` those that one may clean up:
    they are reported as not complete. `is_complete` says whether the baseline was complete."""

    def __init__(self, session: SearchSession, baseline: Baseline, *, is_complete: bool) -> None:
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
