"""What a grown result claims: which claims have their two runs, and to which new tests may still add something."""

from collections.abc import Iterable

from unknot.detect.engine.findings import Clause, Pollution
from unknot.detect.engine.session import SearchSession
from unknot.detect.incremental.baseline import Yesterday
from unknot.detect.incremental.proofs import contradicted, shown_conflicts, shown_needs
from unknot.detect.incremental.substitutes import Claim
from unknot.model.dependencies import Conflict, Need, Proof


class Claims:
    """`open_needs` are clauses to which a new test may be an alternative, `open_conflicts` those after which one may
    clean up: they are told as not complete. `is_complete` says whether yesterday's were looked for to the end."""

    def __init__(self, session: SearchSession, yesterday: Yesterday, *, is_complete: bool) -> None:
        self._session = session
        self._yesterday = yesterday
        self._is_complete = is_complete
        self._need_proofs: dict[Claim, Proof] = dict(yesterday.need_proofs)
        self._conflict_proofs: dict[Claim, Proof] = dict(yesterday.conflict_proofs)
        self.open_needs: set[Claim] = set()
        self.open_conflicts: set[Claim] = set()
        if yesterday.touched:
            self.leave_all_needs_open()
            self.open_conflicts.update(map(claim, session.findings.pollutions))

    def leave_all_needs_open(self) -> None:
        self.open_needs.update((test, clause.any_of) for test, clause in self._clauses())

    def _clauses(self) -> Iterable[tuple[int, Clause]]:
        clauses = sorted(self._session.findings.clauses.items())
        return ((test, clause) for test, known in clauses for clause in known)

    def show(self, *, may_ask: bool) -> set[int]:
        """Proves what is not proved, drops what cannot be; returns the tests of which a need was dropped."""
        session, findings = self._session, self._session.findings
        unproved = [
            (test, clause) for test, clause in self._clauses() if (test, clause.any_of) not in self._need_proofs
        ]
        if unproved:
            session.start_step("proving what was found", 2 * len(unproved))
        before = {(test, c.any_of) for test, clauses in self._yesterday.clauses.items() for c in clauses}
        old = [(test, clause) for test, clause in unproved if (test, clause.any_of) in before]
        new = [(test, clause) for test, clause in unproved if (test, clause.any_of) not in before]
        for (test, clause), proof in shown_needs(session, old, new, may_ask=may_ask).items():
            self._need_proofs[test, clause.any_of] = proof
        doubtful = {test for test, clause in unproved if (test, clause.any_of) not in self._need_proofs}
        for test in doubtful:
            proved = (clause for clause in findings.clauses[test] if (test, clause.any_of) in self._need_proofs)
            findings.learn(test, tuple(proved))
        self._show_conflicts(may_ask=may_ask)
        return doubtful

    def _show_conflicts(self, *, may_ask: bool) -> None:
        findings = self._session.findings
        proved = [known for known in findings.pollutions if claim(known) in self._conflict_proofs]
        unproved = [known for known in findings.pollutions if claim(known) not in self._conflict_proofs]
        before = set(map(claim, self._yesterday.pollutions))
        old = [known for known in unproved if claim(known) in before]
        new = [known for known in unproved if claim(known) not in before]
        shown = shown_conflicts(self._session, old, new, may_ask=may_ask)
        self._conflict_proofs.update((claim(known), proof) for known, proof in shown.items())
        findings.pollutions[:] = [*proved, *shown]

    def needs(self) -> tuple[Need, ...]:
        """Those that are proved. Asks nothing."""
        session = self._session
        doubted = self.open_needs | {(test, clause.any_of) for test, clause in contradicted(session)}
        return tuple(
            Need(
                session.suite.tests[test],
                session.suite.order(clause.any_of),
                self._need_proofs[test, clause.any_of],
                clause.complete and self._is_complete and (test, clause.any_of) not in doubted,
                self._yesterday.reasons_for_needs.get((test, clause.any_of), ()),
            )
            for test, clause in self._clauses()
            if test not in session.findings.flaky
        )

    def conflicts(self) -> tuple[Conflict, ...]:
        """As `needs`."""
        order = self._session.suite.order
        return tuple(
            Conflict(
                self._session.suite.tests[known.victim],
                order(known.polluters),
                order(known.cleaners),
                self._conflict_proofs[claim(known)],
                known.complete and claim(known) not in self.open_conflicts,
                self._yesterday.reasons_for_conflicts.get(claim(known), ()),
            )
            for known in sorted(self._session.findings.pollutions, key=claim)
            if known.victim not in self._session.findings.flaky
        )


def claim(known: Pollution) -> Claim:
    return known.victim, known.polluters
