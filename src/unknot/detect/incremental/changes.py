"""What may have changed since yesterday, looked for step by step.

Idea
    Whoever fails in the reference order is settled first, then what new and changed tests need. Then what was known of
    the others: whether changed tests still serve them, whether what they needed came along with one that changed,
    whether new tests can stand in. At last everybody meets the new tests.
Guarantee
    Learns only what searches found; `Claims` shows it, or it is dropped.
Cost
    See `growing`.
"""

from collections.abc import Collection
from dataclasses import replace

from unknot.detect.engine.options import Options
from unknot.detect.engine.parallel import side_by_side
from unknot.detect.engine.session import SearchSession
from unknot.detect.flaky.dependents import provide_for_heirs
from unknot.detect.incremental.baseline import Yesterday
from unknot.detect.incremental.claims import Claims, claim
from unknot.detect.incremental.needs import known_ways, relearn_needs
from unknot.detect.incremental.new_tests import Meetings
from unknot.detect.incremental.regressions import is_left, learn_without, settle_the_failing
from unknot.detect.incremental.substitutes import new_cleaners, who_is_cleaned_up_for, who_is_served
from unknot.detect.sieve.isolation import Seen, each_alone

_MOST_REPAIRS = 3


class Changes:
    """`relearned` are tests whose needs were searched for, the new ones and others."""

    def __init__(self, session: SearchSession, yesterday: Yesterday, claims: Claims, options: Options) -> None:
        self._session = session
        self._yesterday = yesterday
        self._claims = claims
        self._options = options
        self._relearned: set[int] = set()

    def search(self) -> bool:
        """Whether everything that was seen is explained."""
        session, yesterday, options = self._session, self._yesterday, self._options
        if not (yesterday.touched or yesterday.fallen or yesterday.has_lost_tests):
            return True
        seen = Seen()
        settle_the_failing(session, yesterday, seen)
        self._relearn((self._brittle_newcomers() | self._orphans()) - session.findings.flaky)
        self._relearn(self._left_by_the_changed())
        self._mend_closures()
        self._find_stand_ins()
        meetings = Meetings(
            session, yesterday.touched, reorders=options.reorders, thorough=options.thorough, seed=options.seed
        )
        for _ in range(_MOST_REPAIRS):
            explained = meetings.run(seen)
            broken = self._broken_closures() | meetings.needs_more
            if not broken:
                self._find_cleaners()
                return explained
            self._relearn(broken)
        session.findings.give_up_on(broken)
        return False

    def prove(self) -> bool:
        """Two orders for each claim that has none. What cannot be shown is dropped; a test that then fails with what
        is left of its needs goes back to the search once, and is unresolved if that does not help."""
        session, findings = self._session, self._session.findings
        if not findings.flaky <= self._yesterday.flaky:
            provide_for_heirs(session)
        for is_last in (False, True):
            dropped = self._claims.show(may_ask=True)
            broken = session.failing_closures(sorted(dropped)) - findings.flaky
            if not broken:
                return True
            if is_last:
                findings.give_up_on(broken)
            else:
                self._relearn(broken)
        return False

    def _relearn(self, tests: Collection[int]) -> None:
        self._relearned |= set(tests)
        relearn_needs(self._session, tests)

    def _look_for_more(self, tests: Collection[int]) -> None:
        """What is known of these holds, but there may be more to it."""
        new = self._yesterday.touched | self._relearned
        ways = {test: known_ways(self._session, test, new) for test in tests}
        self._relearned |= set(tests)
        relearn_needs(self._session, tests, ways)

    def _brittle_newcomers(self) -> set[int]:
        session, wanted = self._session, self._session.findings.wanted
        newcomers = [test for test in sorted(self._yesterday.touched) if not wanted[test].is_bad]
        session.start_step("running new and changed tests alone", len(newcomers))
        alone = each_alone(session, [test for test in newcomers if test not in session.findings.flaky])
        return {test for test, outcome in alone.items() if outcome is not wanted[test]}

    def _orphans(self) -> set[int]:
        """Tests that do as wanted although nobody is left of a clause of theirs: somebody else must serve them."""
        findings = self._session.findings
        return {
            test
            for test, clauses in self._yesterday.clauses.items()
            if not findings.wanted[test].is_bad and not all(is_left(findings, test, clause) for clause in clauses)
        }

    def _left_by_the_changed(self) -> set[int]:
        """Asks whether changed tests still serve whom they served, each in place of the whole clause. Takes those who
        do not out of their clauses; returns the tests of which a clause is left empty, or it is not clear which."""
        session, findings = self._session, self._session.findings
        asked = {}
        for test, clauses in sorted(findings.clauses.items()):
            for clause in clauses if test in self._yesterday.kept and test not in self._relearned else ():
                for member in sorted(self._yesterday.touched.intersection(clause.any_of)):
                    avoid = frozenset(clause.any_of) - {member}
                    others = [other for other in findings.closure(test, avoid)[:-1] if other not in avoid]
                    asked[test, clause, member] = session.after([*others, member], test, avoid)
        session.start_step("seeing whether changed tests still serve others", len(asked))
        answers = session.run_orders(list(asked.values()))
        useless = [
            (test, member) for (test, _, member), request in asked.items() if not session.is_as_wanted(answers[request])
        ]
        unserved: set[int] = set()
        for test, member in dict.fromkeys(useless):
            concerned = [clause for clause in findings.clauses.get(test, ()) if member in clause.any_of]
            if len(concerned) == 1 and len(concerned[0].any_of) > 1:
                learn_without(findings, test, member, may_still_serve=False)
            else:
                unserved.add(test)
        return unserved - findings.flaky

    def _mend_closures(self) -> None:
        """What a test needed may have come along with one that changed, and not be known as a need of its own."""
        for _ in range(_MOST_REPAIRS):
            broken = self._broken_closures()
            if not broken:
                break
            closure = self._session.findings.closure
            self._relearn({test for test in broken if broken.isdisjoint(closure(test)[:-1])} or broken)
        # A test that has a choice may do well in its closure by one that meets a need which is not known.
        known = self._yesterday.kept - self._relearned
        clauses = self._session.findings.clauses
        choosy = {t for t in self._concerned() if t in known and any(len(clause.any_of) > 1 for clause in clauses[t])}
        self._look_for_more(choosy)

    def _broken_closures(self) -> set[int]:
        return self._session.failing_closures(self._concerned())

    def _concerned(self) -> list[int]:
        """Dependents whose closure is not what it was."""
        findings = self._session.findings
        new = self._yesterday.touched | self._relearned
        possible = set(findings.clauses) - findings.flaky - findings.unresolved
        return sorted(test for test in possible if not new.isdisjoint(findings.closure(test)))

    def _find_stand_ins(self) -> None:
        """New tests may serve in place of what was needed, and so may old ones that need less than before: one that
        could not run without a setter was no alternative to it. Whoever finds a new server may free others in turn."""
        findings = self._session.findings
        for _ in range(_MOST_REPAIRS):
            served = who_is_served(self._session, self._yesterday.touched.union(self._concerned()))
            helped = served.helped - findings.flaky
            if not helped:
                self._claims.open_needs = set(served.unchecked)
                return
            self._look_for_more(helped)
        self._claims.leave_all_needs_open()

    def _find_cleaners(self) -> None:
        """In reference order alone it is left open: where a newcomer stands is no choice there."""
        newcomers = self._yesterday.touched
        if not self._options.reorders or not newcomers:
            return
        session, pollutions = self._session, self._session.findings.pollutions
        before = set(map(claim, self._yesterday.pollutions))
        old = [known for known in pollutions if claim(known) in before]
        cleaned = who_is_cleaned_up_for(session, newcomers, old)
        concerned = {claim(known): known for known in old if known.victim in cleaned.helped}
        searches = {key: new_cleaners(session, known, newcomers) for key, known in concerned.items()}
        for key, cleaners in side_by_side(searches, session.run_orders).items():
            known = concerned[key]
            more = replace(known, cleaners=tuple(sorted({*known.cleaners, *cleaners})))
            pollutions[pollutions.index(known)] = more
        self._claims.open_conflicts = set(cleaned.unchecked)
