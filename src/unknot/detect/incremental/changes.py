"""Finds what may have changed since the baseline, step by step.

Idea
    Tests that fail in the reference order come first, then the needs of new and changed tests. Then what was known
    about the others: whether changed tests still serve them, whether a changed test had brought along what they need,
    whether new tests can substitute others. At last all tests meet the new tests.
Guarantee
    Records only what searches found; `Claims` shows it, or it is dropped.
Cost
    See `detector`.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from unknot.detect.engine.isolation import run_each_alone
from unknot.detect.engine.options import Options
from unknot.detect.engine.parallel import run_searches
from unknot.detect.engine.session import SearchSession
from unknot.detect.engine.setters import Needs, NeedSearch, transfer_needs_of_flaky_tests
from unknot.detect.incremental.baseline import BaselineFindings
from unknot.detect.incremental.claims import Claims, claim
from unknot.detect.incremental.new_tests import NewTestSearch
from unknot.detect.incremental.regressions import classify_failing_tests, has_member_left, remove_member
from unknot.detect.incremental.substitutes import find_cleaned_victims, find_served_tests, new_cleaners
from unknot.model.run import OrderRequest

_MAX_REPAIRS = 3


class ChangeSearch:
    """`backwards` and `is_recorded` are those of `NewTestSearch`. `_relearned` are tests whose needs were searched for,
    new ones and others."""

    def __init__(
        self,
        session: SearchSession,
        baseline: BaselineFindings,
        claims: Claims,
        options: Options,
        backwards: Sequence[OrderRequest] = (),
        *,
        is_recorded: bool = False,
    ) -> None:
        self._session = session
        self._baseline = baseline
        self._claims = claims
        self._options = options
        self._backwards = backwards
        self._is_recorded = is_recorded
        self._relearned: set[int] = set()
        self._need_search = NeedSearch(session, "finding the needs of new and changed tests", from_scratch=False)

    def search(self) -> bool:
        """Returns whether every failure is explained."""
        session, baseline, options = self._session, self._baseline, self._options
        if not (baseline.affected or baseline.regressions or baseline.has_removed_tests):
            return True
        classify_failing_tests(session, baseline)
        self._relearn((self._brittle_new_tests() | self._without_setter()) - session.findings.flaky)
        self._relearn(self._no_longer_served())
        self._repair_closures()
        self._find_substitutes()
        conflict_search = NewTestSearch(
            session,
            baseline.affected,
            self._backwards,
            is_recorded=self._is_recorded,
            reorders=options.reorders,
            thorough=options.thorough,
            seed=options.seed,
        )
        for _ in range(_MAX_REPAIRS):
            explained = conflict_search.run()
            broken = self._broken_closures() | conflict_search.needs_more
            if not broken:
                self._find_cleaners()
                return explained
            self._relearn(broken)
        session.findings.mark_unresolved(broken)
        return False

    def prove(self) -> bool:
        """Runs two orders for each claim without a proof and drops what cannot be shown. A test that then fails with
        its remaining needs is searched again once, and is unresolved if that does not help."""
        session, findings = self._session, self._session.findings
        if not findings.flaky <= self._baseline.flaky:
            transfer_needs_of_flaky_tests(session)
        for is_last in (False, True):
            dropped = self._claims.prove(may_run=True)
            broken = session.failing_closures(sorted(dropped)) - findings.flaky
            if not broken:
                return True
            if is_last:
                findings.mark_unresolved(broken)
            else:
                self._relearn(broken)
        return False

    def _relearn(self, tests: Collection[int]) -> None:
        self._relearned |= set(tests)
        self._need_search.find(tests)

    def _look_for_more(self, tests: Collection[int]) -> None:
        """The known needs of these hold, but there may be more."""
        new = self._baseline.affected | self._relearned
        setups = {test: self._known_setups(test, new) for test in tests}
        self._relearned |= set(tests)
        self._need_search.find(tests, setups)

    def _known_setups(self, test: int, avoid: Collection[int]) -> Needs:
        """The setups that follow from the known clauses of the test: one member for each clause, and each other member
        in its place. None that includes a test to avoid."""
        findings = self._session.findings
        clauses = findings.clauses.get(test, ())
        closure = findings.closure(test)
        chosen = [clause.served_in(closure) for clause in clauses]
        setups = []
        for place, clause in enumerate(clauses):
            for member in clause.any_of:
                heads = frozenset((*chosen[:place], member, *chosen[place + 1 :]))
                run = frozenset(findings.closure_of(heads, frozenset(clause.any_of) - {member} | {test})) - {test}
                if run.isdisjoint(avoid) and (heads, run) not in setups:
                    setups.append((heads, run))
        return Needs((), tuple(setups))

    def _brittle_new_tests(self) -> set[int]:
        session, expected = self._session, self._session.findings.expected
        new_tests = [test for test in sorted(self._baseline.affected) if not expected[test].is_bad]
        session.start_step("running new and changed tests alone", len(new_tests))
        alone = run_each_alone(session, [test for test in new_tests if test not in session.findings.flaky])
        return {test for test, outcome in alone.items() if outcome is not expected[test]}

    def _without_setter(self) -> set[int]:
        """Tests that behave as expected although no member of one of their clauses is left: another test must serve
        them."""
        findings = self._session.findings
        return {
            test
            for test, clauses in self._baseline.clauses.items()
            if not findings.expected[test].is_bad
            and not all(has_member_left(findings, test, clause) for clause in clauses)
        }

    def _no_longer_served(self) -> set[int]:
        """Checks whether changed tests still serve the tests they served, each in place of the whole clause. Removes
        those that do not from their clauses; returns the tests with an empty clause, or where it is not clear which
        clause is concerned."""
        session, findings = self._session, self._session.findings
        requests = {}
        for test, clauses in sorted(findings.clauses.items()):
            for clause in clauses if test in self._baseline.unchanged and test not in self._relearned else ():
                for member in sorted(self._baseline.affected.intersection(clause.any_of)):
                    avoid = frozenset(clause.any_of) - {member}
                    others = [other for other in findings.closure(test, avoid)[:-1] if other not in avoid]
                    requests[test, clause, member] = session.after([*others, member], test, avoid)
        session.start_step("checking whether changed tests still serve others", len(requests))
        answers = session.run_orders(list(requests.values()))
        useless = [
            (test, member)
            for (test, _, member), request in requests.items()
            if not session.is_as_expected(answers[request])
        ]
        unserved: set[int] = set()
        for test, member in dict.fromkeys(useless):
            concerned = [clause for clause in findings.clauses.get(test, ()) if member in clause.any_of]
            if len(concerned) == 1 and len(concerned[0].any_of) > 1:
                remove_member(findings, test, member, may_still_serve=False)
            else:
                unserved.add(test)
        return unserved - findings.flaky

    def _repair_closures(self) -> None:
        """A changed test may have brought along what a test needed, without this being a known need of its own."""
        for _ in range(_MAX_REPAIRS):
            broken = self._broken_closures()
            if not broken:
                break
            closure = self._session.findings.closure
            self._relearn({test for test in broken if broken.isdisjoint(closure(test)[:-1])} or broken)
        # A test with alternatives may pass in its closure because one of them meets an unknown need.
        known = self._baseline.unchanged - self._relearned
        clauses = self._session.findings.clauses
        choosy = {t for t in self._concerned() if t in known and any(len(clause.any_of) > 1 for clause in clauses[t])}
        self._look_for_more(choosy)

    def _broken_closures(self) -> set[int]:
        return self._session.failing_closures(self._concerned())

    def _concerned(self) -> list[int]:
        """Dependents whose closure has changed."""
        findings = self._session.findings
        new = self._baseline.affected | self._relearned
        possible = set(findings.clauses) - findings.flaky - findings.unresolved
        return sorted(test for test in possible if not new.isdisjoint(findings.closure(test)))

    def _find_substitutes(self) -> None:
        """New tests may serve in place of others, and so may old ones that need less than before: one that could not
        run without a setter was no alternative to it. Each new setter may make others usable in turn."""
        findings = self._session.findings
        for _ in range(_MAX_REPAIRS):
            new_tests = self._baseline.affected.union(self._concerned())
            served = find_served_tests(self._session, new_tests, is_recorded=self._is_recorded)
            helped = served.helped - findings.flaky
            if not helped:
                self._claims.open_needs = set(served.unchecked)
                return
            self._look_for_more(helped)
        self._claims.leave_all_needs_open()

    def _find_cleaners(self) -> None:
        """In reference order alone it is left open: a new test cannot be moved there."""
        new_tests = self._baseline.affected
        if not self._options.reorders or not new_tests:
            return
        session, pollutions = self._session, self._session.findings.pollutions
        before = set(map(claim, self._baseline.pollutions))
        old = [known for known in pollutions if claim(known) in before]
        cleaned = find_cleaned_victims(session, new_tests, old)
        concerned = {claim(known): known for known in old if known.victim in cleaned.helped}
        searches = {key: new_cleaners(session, known, new_tests) for key, known in concerned.items()}
        for key, cleaners in run_searches(searches, session.run_orders).items():
            known = concerned[key]
            more = replace(known, cleaners=tuple(sorted({*known.cleaners, *cleaners})))
            pollutions[pollutions.index(known)] = more
        self._claims.open_conflicts = set(cleaned.unchecked)
