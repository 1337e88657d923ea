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
    Every need and conflict in the result was shown by two orders, each run twice. Stopped at any moment, the result
    holds what was proved until then and says that it is not complete. A complete result has every single setter of a
    brittle test and, for suites small enough to try every test right after every other, every single polluter.
Cost
    An independent suite of n tests: n clean states and 3n tests where a clean state is cheap, log2 n + 4 orders where
    it is dear. A brittle test with k setters in a conjunction: about 2k log2(n/k) orders more.
"""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from unknot.detect import orders
from unknot.detect.brittle import Needs, needs_of
from unknot.detect.contest import Contest
from unknot.detect.effort import Effort
from unknot.detect.lab import Lab, Progress
from unknot.detect.leave_out import LeaveOut
from unknot.detect.proofs import prove_conflicts, prove_needs
from unknot.detect.reduction import reduce_clauses
from unknot.detect.search import side_by_side
from unknot.detect.wholesale import Seen, deviations, find_flaky, isolate, rescue
from unknot.model.errors import BudgetExhausted
from unknot.model.knots import Cost, Knots
from unknot.model.outcome import Outcome
from unknot.model.run import Question
from unknot.model.suite import Suite, TestId
from unknot.oracle.protocol import Oracle
from unknot.suspect.position import any_other, every_earlier

_MOST_CRASHES = 20
"""Tests that take the process down are set aside one by one; a suite with more of them is not worth the runs."""

_MOST_REPAIRS = 3
_MOST_ROUNDS = 4


@dataclass(frozen=True)
class SieveOptions:
    """`reorders` looks for trouble in any order, not only among tests that keep the reference order. `thorough` asks
    for certainty on pairs whatever it costs. `file_of` names the file (or other group) of a test."""

    reorders: bool = True
    thorough: bool = False
    seed: int = 0
    file_of: Callable[[TestId], str] = lambda test: test.partition("::")[0]


def sieve(
    suite: Suite,
    oracle: Oracle,
    options: SieveOptions | None = None,
    tell: Callable[[Progress], None] = lambda progress: None,
) -> Knots:
    """Detects. Stops early, with a true but incomplete result, when the oracle raises BudgetExhausted or on Ctrl-C."""
    return _Sieve(suite, oracle, options or SieveOptions(), tell).detect()


class _Sieve:
    def __init__(self, suite: Suite, oracle: Oracle, options: SieveOptions, tell: Callable[[Progress], None]) -> None:
        self._whole = suite
        self._oracle = oracle
        self._options = options
        self._tell = tell
        self._lab = self._new_lab(suite)
        self._set_aside: dict[TestId, Outcome] = {}
        self._seconds: dict[TestId, float] = {}
        self._reference: dict[TestId, Outcome] = {}
        self._orders_before = self._tests_before = 0
        self._is_dear = False

    def _new_lab(self, suite: Suite) -> Lab:
        return Lab(suite, self._oracle, any_other if self._options.reorders else every_earlier, self._tell)

    def detect(self) -> Knots:
        try:
            complete = self._search() and self._prove()
        except (BudgetExhausted, KeyboardInterrupt):
            complete = False
        lab = self._lab
        return Knots(
            suite=self._whole,
            outcomes={test: self._reference.get(test, Outcome.NOT_RUN) for test in self._whole.tests},
            seconds={test: self._seconds.get(test, 0.0) for test in self._whole.tests},
            needs=prove_needs(lab, may_ask=False),
            conflicts=prove_conflicts(lab, may_ask=False),
            flaky=lab.suite.order(sorted(lab.findings.flaky)),
            untried=lab.pairs_left(),
            complete=complete and not lab.findings.unresolved,
            cost=Cost("sieve", self._orders_before + lab.orders, self._tests_before + lab.tests),
        )

    def _search(self) -> bool:
        """Whether everything that was seen is explained."""
        self._look_at_reference()
        lab, options = self._lab, self._options
        if len(lab.suite) == 0:
            return True
        effort = Effort(lab.price, len(lab.suite), sum(self._seconds.values()), options.thorough)
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
            doubtful = {test for test, clauses in before.items() if lab.findings.clauses.get(test, ()) != clauses}
            runs = lab.runs([lab.question(lab.findings.closure(test)) for test in sorted(doubtful)])
            broken = {
                test
                for test, run in zip(sorted(doubtful), runs, strict=True)
                if not lab.is_as_wanted(run) and test not in lab.findings.flaky
            }
            if not broken:
                return True
            if is_last:
                lab.findings.give_up_on(broken)
            else:
                self._find_needs(broken)
        return False

    def _look_at_reference(self) -> None:
        """The suite's own order and, on the second worker, its reverse. Whoever takes the process down is set aside,
        or nothing would be known of the tests behind it."""
        for _ in range(_MOST_CRASHES):
            lab = self._lab
            lab.told("running the reference order")
            forwards = Question(lab.suite.tests)
            asked = [forwards]
            if self._options.reorders:
                asked.append(Question(lab.suite.tests[::-1]))
            answers = lab.ask(asked)
            run = answers[forwards]
            crashed: list[TestId] = []
            for number, (test, result) in enumerate(zip(run.order, run.results, strict=True)):
                self._seconds[test] = result.seconds
                self._reference[test] = result.outcome
                if result.outcome is not Outcome.NOT_RUN:
                    lab.findings.wanted[number] = result.outcome
                if result.outcome in (Outcome.CRASHED, Outcome.TIMED_OUT):
                    crashed.append(test)
            lab.learn_again()
            if not crashed:
                return
            self._put_aside(crashed)
        raise BudgetExhausted

    def _put_aside(self, crashed: Sequence[TestId]) -> None:
        for test in crashed:
            self._set_aside[test] = self._reference[test]
        self._orders_before += self._lab.orders
        self._tests_before += self._lab.tests
        self._lab = self._new_lab(Suite(tuple(test for test in self._lab.suite.tests if test not in self._set_aside)))

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
            runs = lab.runs([lab.question(findings.closure(test)) for test in dependents])
            return {test for test, run in zip(dependents, runs, strict=True) if not lab.is_as_wanted(run)}
        needed = {member for test in dependents for member in findings.closure(test)[:-1]}
        ends = [test for test in range(len(lab.suite)) if test not in needed]
        lanes = max(2, lab.price.workers)
        seen = Seen()
        for run in lab.runs([lab.question(findings.closed(ends[lane::lanes])) for lane in range(lanes)]):
            deviations(lab, run, seen)
        suspicious = sorted(test for test in seen.broken if test in dependents)
        runs = lab.runs([lab.question(findings.closure(test)) for test in suspicious])
        return {test for test, run in zip(suspicious, runs, strict=True) if not lab.is_as_wanted(run)}
