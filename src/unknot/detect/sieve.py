"""Sieve: every order is a verdict on all tests in it at once.

Idea
    Look at the reference order, backwards and forwards; then run every test alone (or, where a clean state is dear,
    the log2 n halves of the suite). Whoever does as expected needs nobody; in one go that decides n - 1 pairs. For the
    few that are left, search for a minimal set of setters and for all that can stand in for each of them, by group
    testing. Then let everyone meet everyone in orders that respect what was found, and search for whoever breaks a
    test, together with whom, and who cleans up. Verify each closure, and prove each claim by two runs.
Assumptions
    The same order from a clean state gives the same outcomes; a test that breaks this is found to be flaky when it
    shows, and left out. More setters do not undo what a setter did, and a polluter pollutes whatever else ran before;
    where a suite breaks this, verification notices and repairs, or the test is left unresolved.
Guarantee
    Every need and conflict in the result was shown by two orders, each run twice more; where a clean state is dear,
    by two orders that were run once on the way. Stopped at any moment, the result
    holds what was proved until then and says that it is not complete. A complete result has every single setter of a
    brittle test and, for suites small enough to try every test right after every other, every single polluter.
Cost
    An independent suite of n tests: n clean states and 3n tests where a clean state is cheap, log2 n + 4 orders where
    it is dear. A brittle test with k setters in a conjunction: about 2k log2(n/k) orders more.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from unknot.detect import orders
from unknot.detect.brittle import Needs, needs_of
from unknot.detect.contest import Contest
from unknot.detect.effort import Effort
from unknot.detect.lab import Lab
from unknot.detect.leave_out import LeaveOut
from unknot.detect.opening import Opening, open_suite
from unknot.detect.options import WHOLE, Options, Tell, quiet
from unknot.detect.proofs import prove_conflicts, prove_needs
from unknot.detect.reduction import reduce_clauses
from unknot.detect.result import result
from unknot.detect.search import side_by_side
from unknot.detect.wholesale import Seen, deviations, find_flaky, isolate, rescue
from unknot.model.errors import BudgetExhausted
from unknot.model.knots import Knots
from unknot.model.run import Question
from unknot.model.suite import Suite
from unknot.oracle.protocol import Oracle
from unknot.suspect.position import any_other, every_earlier

_MOST_REPAIRS = 3
_MOST_ROUNDS = 4


def sieve(suite: Suite, oracle: Oracle, options: Options = WHOLE, tell: Tell = quiet) -> Knots:
    """A detector; see the module for what it guarantees."""
    return _Sieve(suite, oracle, options, tell).detect()


class _Sieve:
    def __init__(self, suite: Suite, oracle: Oracle, options: Options, tell: Tell) -> None:
        self._whole = suite
        self._oracle = oracle
        self._options = options
        self._tell = tell
        self._opening = Opening(self._new_lab(suite))
        self._is_dear = False

    @property
    def _lab(self) -> Lab:
        return self._opening.lab

    def _new_lab(self, suite: Suite) -> Lab:
        return Lab(suite, self._oracle, any_other if self._options.reorders else every_earlier, self._tell)

    def detect(self) -> Knots:
        try:
            complete = self._search() and self._prove()
        except (BudgetExhausted, KeyboardInterrupt):
            complete = False
        return result("sieve", self._whole, self._opening, complete=complete)

    def _search(self) -> bool:
        """Whether everything that was seen is explained."""
        options = self._options
        open_suite(self._opening, self._new_lab, options.reference, backwards=options.reorders)
        lab = self._lab
        if len(lab.suite) == 0:
            return True
        effort = Effort(lab.price, len(lab.suite), sum(self._opening.seconds.values()), options.thorough)
        self._is_dear = effort.is_clean_state_dear
        files = [options.file_of(test) for test in lab.suite.tests]
        seen = Seen()
        if self._is_dear:
            self._clear_by_halves(seen)
        else:
            isolate(lab, effort, seen)
        if seen.brittle or seen.broken or lab.findings.clauses or lab.pairs_left():
            find_flaky(lab, Question(lab.suite.tests))
        self._find_needs(seen.brittle - lab.findings.flaky)
        # Proved now, so that whoever stops the search later keeps them.
        self._prove()
        contest = Contest(lab, effort, files, options.seed)
        for _ in range(_MOST_REPAIRS):
            explained = contest.run(seen, reorders=options.reorders)
            broken = self._whose_closure_fails() | contest.needs_more
            if not broken and not self._has_found_more_alternatives():
                return explained
            self._find_needs(broken)
        lab.findings.give_up_on(broken)
        return False

    def _prove(self) -> bool:
        """Two orders for each claim. What cannot be shown is dropped; a test that then fails with what is left of
        its needs goes back to the search once, and is unresolved if that does not help."""
        lab = self._lab
        for is_last in (False, True):
            if lab.findings.clauses or lab.findings.pollutions:
                lab.told("proving what was found")
            before = dict(lab.findings.clauses)
            prove_needs(lab, may_ask=True)
            prove_conflicts(lab, may_ask=True)
            doubtful = sorted(test for test, old in before.items() if lab.findings.clauses.get(test, ()) != old)
            broken = lab.failing_closures(doubtful) - lab.findings.flaky
            if not broken:
                return True
            if is_last:
                lab.findings.give_up_on(broken)
            else:
                self._find_needs(broken)
        return False

    def _clear_by_halves(self, seen: Seen) -> None:
        """The dear way: no test alone, but for each pair an order with one and not the other."""
        lab = self._lab
        halves = orders.halving(len(lab.suite))
        lab.told("clearing pairs by halves of the suite", len(halves))
        lab.runs([lab.question(half) for half in halves])
        rescue(lab, seen)
        LeaveOut(lab, reorders=self._options.reorders).run()
        reduce_clauses(lab.findings)
        for run in list(lab.known.values()):
            deviations(lab, run, seen)

    def _find_needs(self, brittle: set[int]) -> None:
        """Level by level: a test is searched for as soon as those it may need are known themselves. Then once more
        with all of them, until nobody learns anything new: a brittle test may serve another in its turn."""
        lab, findings = self._lab, self._lab.findings
        waiting = set(brittle)
        if not waiting:
            return
        known: dict[int, Needs] = {}
        for test in waiting:
            findings.learn(test, ())
        everyone = range(len(lab.suite))
        while waiting:
            usable = [test for test in everyone if test not in waiting]
            found = self._search_needs(waiting, usable, known)
            if not found:
                # Nobody can be served by the others alone: take the tests as they are, with whatever they need.
                found = self._search_needs(waiting, everyone, known)
                findings.give_up_on(waiting - found.keys())
                waiting = set(found)
            known.update(found)
            waiting -= found.keys()
        for _ in range(_MOST_ROUNDS):
            before = dict(findings.clauses)
            known.update(self._search_needs(known.keys(), everyone, known))
            if before == findings.clauses:
                break
        reduce_clauses(findings)

    def _has_found_more_alternatives(self) -> bool:
        """A polluter in a group hides the setters in it. Now that it is known, it can be kept out."""
        findings = self._lab.findings
        before = dict(findings.clauses)
        victims = {known.victim for known in findings.pollutions} & before.keys()
        if victims and not self._is_dear:
            self._search_needs(victims, range(len(self._lab.suite)), {})
            reduce_clauses(findings)
        return before != findings.clauses

    def _search_needs(
        self, tests: AbstractSet[int], usable: Sequence[int], known: Mapping[int, Needs]
    ) -> dict[int, Needs]:
        lab = self._lab
        lab.told("finding out what brittle tests need", len(tests))
        searches = {}
        for test in sorted(tests):
            polluters = lab.polluters_of(test)
            out = {test} | polluters | lab.findings.stranded(polluters)
            welcome = [other for other in usable if other not in out]
            searches[test] = needs_of(lab, test, welcome, known.get(test, Needs()))
        found = {test: needs for test, needs in side_by_side(searches, lab.ask).items() if needs is not None}
        for test, needs in found.items():
            lab.findings.learn(test, needs.clauses)
        return found

    def _whose_closure_fails(self) -> set[int]:
        """Runs what the graph says is enough, for every dependent; where a clean state is dear, all closures in as
        many orders as there are workers, two at least."""
        lab, findings = self._lab, self._lab.findings
        dependents = sorted(set(findings.clauses) - findings.flaky - findings.unresolved)
        if dependents:
            lab.told("verifying every closure", len(dependents))
        if not self._is_dear:
            return lab.failing_closures(dependents)
        needed = {member for test in dependents for member in findings.closure(test)[:-1]}
        ends = [test for test in range(len(lab.suite)) if test not in needed]
        lanes = max(2, lab.price.workers)
        seen = Seen()
        for run in lab.runs([lab.question(findings.closed(ends[lane::lanes])) for lane in range(lanes)]):
            deviations(lab, run, seen)
        return lab.failing_closures(sorted(test for test in seen.broken if test in dependents))
