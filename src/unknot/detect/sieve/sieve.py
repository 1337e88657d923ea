"""Sieve: every order is a verdict on all tests in it at once.

Idea
    Look at the reference order, and if any order counts at its reverse. Run every test alone: whoever does as expected
    needs nobody, which decides n - 1 pairs in one go. For the few that are left, search for a minimal set of setters
    and for all that can stand in for each of them, by group testing. Where a clean state is dear, or most tests are
    brittle and searching one by one would take long, run whole orders with tests left out instead, and read what each
    says about all tests in it (leave_out.py). Then let everyone meet everyone in orders that respect what was found,
    and search for whoever breaks a test, together with whom, and who cleans up. Verify each closure, and prove each
    claim by two runs. If the suite was recorded, whoever was seen to have to do with a test is tried first; and if the
    recording is to be trusted, nobody else is asked about (trusted.py).
Assumptions
    The same order from a clean state gives the same outcomes; a test that breaks this is found to be flaky when it
    shows, and left out. More setters do not undo what a setter did, and a polluter pollutes whatever else ran before;
    where a suite breaks this, verification notices and repairs, or the test is left unresolved.
Guarantee
    Every need and conflict in the result was shown by two orders, each run twice more; after whole orders, a plain need
    by the reference order and by everyone but the one needed, run once, and by three runs of all dependents without
    whom they need. Stopped at any moment, the result holds what was proved until then and says that it is not complete.
    A complete result has every single setter of a brittle test and, for suites small enough to try every test right
    after every other, every single polluter; what whole orders may have missed is marked so.
Cost
    In reference order, an independent suite of n tests: 1.1 n tests where a clean state is cheap, at most 2 log2 n + 2
    orders where it is dear. With dependencies, after whole orders: about n orders or fewer on the benchmark's graphs. A
    brittle test with k setters in a conjunction, searched by itself: about 2k log2(n/k) orders more; about 2k if these
    and few others were recorded. A recording that is wrong costs two orders more for each such search, and for whole
    orders 2 log2 n; measured, proofs included: a tenth to a half less if it is right, up to a fifth more if not.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from unknot.detect.engine import orders
from unknot.detect.engine.effort import Effort
from unknot.detect.engine.options import DEFAULT_OPTIONS, Options, ProgressCallback, no_progress
from unknot.detect.engine.proofs import prove_conflicts, prove_needs
from unknot.detect.engine.reduction import reduce_clauses
from unknot.detect.engine.reference import Opening, open_suite
from unknot.detect.engine.result import result
from unknot.detect.engine.session import SearchSession
from unknot.detect.sieve.conflict_search import Contest
from unknot.detect.sieve.group_exclusion import LeaveOut
from unknot.detect.sieve.isolation import Seen, deviations, each_alone, find_flaky, isolate, rescue
from unknot.detect.sieve.priorities import Clues
from unknot.detect.sieve.setters import Needs, needs_of_all
from unknot.detect.sieve.single_exclusion import show_plain_needs
from unknot.detect.sieve.trusted import involved, only_recorded, told_with_reserve
from unknot.hints.position import any_other, every_earlier
from unknot.model.bits import bits
from unknot.model.dependencies import Dependencies
from unknot.model.errors import BudgetExhausted
from unknot.model.run import OrderRequest
from unknot.model.suite import Suite
from unknot.oracle.protocol import Oracle

_MOST_REPAIRS = 3
_MOST_ROUNDS = 4

_ONE_IN, _MOST = 10, 0.5
"""One test in so many is looked at first; from this share of brittle ones among them the others are not run alone."""


def sieve(
    suite: Suite, oracle: Oracle, options: Options = DEFAULT_OPTIONS, on_progress: ProgressCallback = no_progress
) -> Dependencies:
    """A detector; see the module for what it guarantees."""
    return _Sieve(suite, oracle, options, on_progress).detect()


def few_backwards(size: int) -> list[int]:
    """A few tests spread over a suite of this size, the last one first; none of a small suite."""
    count = size // _ONE_IN
    return [size - 1 - number * size // count for number in range(count)]


class _Sieve:
    def __init__(self, suite: Suite, oracle: Oracle, options: Options, on_progress: ProgressCallback) -> None:
        self._whole = suite
        self._oracle = oracle
        self._options = options
        self._on_progress = on_progress
        self._suspects = any_other if options.reorders else every_earlier
        self._trusts = options.trusts_recording and options.recorded is not None
        self._asked: Sequence[int] = ()
        self._opening = Opening(self._new_session(suite))
        self._is_together = self._is_isolated = False

    @property
    def _session(self) -> SearchSession:
        return self._opening.session

    def _new_session(self, suite: Suite) -> SearchSession:
        self._asked = range(len(suite))
        if self._options.recorded is None:
            return SearchSession(suite, self._oracle, self._suspects, self._on_progress)
        recorded = self._options.recorded.among(self._whole, suite)
        suspects = only_recorded(recorded, self._suspects) if self._trusts else self._suspects
        if self._trusts:
            self._asked = involved(suspects, len(suite))
        return SearchSession(
            suite, self._oracle, suspects, self._on_progress, Clues(len(suite), recorded, trusted=self._trusts)
        )

    def detect(self) -> Dependencies:
        try:
            complete = self._search() and self._prove()
        except (BudgetExhausted, KeyboardInterrupt):
            complete = False
        # Whoever was not asked about counts among the untried.
        self._session.suspect(self._suspects)
        found = result("sieve", self._whole, self._opening, complete=complete)
        return told_with_reserve(found, self._asked) if self._trusts else found

    def _search(self) -> bool:
        """Whether everything that was seen is explained."""
        options = self._options
        backwards = options.reorders and not self._trusts
        open_suite(self._opening, self._new_session, options.reference, backwards=backwards)
        session = self._session
        if not self._asked:
            return True
        seconds = self._opening.seconds
        suite_seconds = sum(seconds[test] for test in session.suite.order(self._asked))
        effort = Effort(session.price, len(self._asked), suite_seconds, options.thorough)
        files = [options.file_of(test) for test in session.suite.tests]
        seen = Seen()
        self._find_brittle(effort, seen)
        if (seen.brittle or seen.broken) and (self._is_together or effort.affords_selections):
            find_flaky(session, OrderRequest(session.suite.tests))
        self._find_needs(seen.brittle - session.findings.flaky)
        # Proved now, so that whoever stops the search later keeps them.
        self._prove()
        contest = Contest(session, effort, files, options.seed, self._asked)
        selects = self._wants_selections(effort, seen)
        for _ in range(_MOST_REPAIRS):
            explained = contest.run(seen, reorders=options.reorders, selects=selects)
            broken = self._whose_closure_fails(seen) | contest.needs_more
            if not broken and not contest.unexplained(seen) and not self._has_found_more_alternatives():
                return explained
            self._find_needs(broken)
        session.findings.give_up_on(broken)
        return False

    def _wants_selections(self, effort: Effort, seen: Seen) -> bool:
        """Whether orders that only leave tests out are worth asking. Where many were run already, they are not."""
        if self._is_together:
            return effort.affords_selections and self._session.orders < len(self._asked).bit_length()
        return effort.affords_selections or bool(seen.broken)

    def _find_brittle(self, effort: Effort, seen: Seen) -> None:
        """Every test alone; or, where that costs too much or a few of them show that most are brittle, whole orders,
        which also say at once what plain needs there are."""
        session = self._session
        self._is_together = effort.is_clean_state_dear
        if self._is_together:
            session.start_step("running the suite backwards")
            # Whoever needs an earlier test must do without: one order says of all tests who needs nobody.
            session.run_orders([session.request(reversed(self._asked))])
        elif self._look_brittle(effort):
            self._is_together = True
        else:
            isolate(session, effort, seen, self._asked)
            self._is_isolated = True
            self._is_together = effort.favours_whole_orders(len(seen.brittle) / len(self._asked))
        if self._is_together:
            seen.brittle.clear()
            self._decide_together(seen)

    def _look_brittle(self, effort: Effort) -> bool:
        """Whether tests spread over the suite, run backwards in one order, show that most are brittle."""
        session = self._session
        few = [self._asked[place] for place in few_backwards(len(self._asked))]
        if not few or not effort.favours_whole_orders(1.0):
            return False
        # If any order counts, the whole suite was run backwards already.
        backwards = session.request(reversed(self._asked) if self._options.reorders else few)
        session.start_step("running a few tests backwards")
        (run,) = session.runs([backwards])
        wanted = session.findings.wanted
        brittle = sum(outcome is not wanted[test] for test, outcome in session.outcomes(run)) / len(run.order)
        return brittle >= _MOST and effort.favours_whole_orders(brittle)

    def _prove(self) -> bool:
        """Two orders for each claim. What cannot be shown is dropped; a test that then fails with what is left of
        its needs goes back to the search once, and is unresolved if that does not help."""
        session = self._session
        for is_last in (False, True):
            if session.findings.clauses or session.findings.pollutions:
                session.start_step("proving what was found")
            before = dict(session.findings.clauses)
            with session.proving():
                prove_needs(session, may_ask=True)
                prove_conflicts(session, may_ask=True)
            doubtful = sorted(test for test, old in before.items() if session.findings.clauses.get(test, ()) != old)
            broken = session.failing_closures(doubtful) - session.findings.flaky
            if not broken:
                return True
            if is_last:
                session.findings.give_up_on(broken)
            else:
                self._find_needs(broken)
        return False

    def _decide_together(self, seen: Seen) -> None:
        """Plain needs of all tests at once. Whoever does not keep to the model is left to the search for brittle tests
        if it fails alone, and to the contest if it does not."""
        session = self._session
        rescue(session, seen)
        odd: frozenset[int] = frozenset()
        for _ in range(_MOST_REPAIRS):
            odd = LeaveOut(session, odd, reorders=self._options.reorders, seed=self._options.seed).run()
            with session.proving():
                refuted = show_plain_needs(session)
            if refuted <= odd:
                break
            odd |= refuted
        wanted = session.findings.wanted
        alone = each_alone(session, sorted(odd - session.findings.flaky))
        seen.brittle |= {test for test, outcome in alone.items() if outcome is not wanted[test]}
        for run in list(session.known.values()):
            deviations(session, run, seen)

    def _find_needs(self, brittle: set[int]) -> None:
        """Level by level: a test is searched for as soon as those it may need are known themselves. Then once more
        with all of them, until nobody learns anything new: a brittle test may serve another in its turn."""
        session, findings = self._session, self._session.findings
        waiting = set(brittle)
        if not waiting:
            return
        known: dict[int, Needs] = {}
        for test in waiting:
            findings.learn(test, ())
        everyone = range(len(session.suite))
        while waiting:
            usable = [test for test in everyone if test not in waiting]
            ready = self._ready(waiting)
            found = self._search_needs(ready, usable, known)
            if not found and ready != waiting:
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

    def _ready(self, waiting: AbstractSet[int]) -> set[int]:
        """Those that found nobody's work who is waiting too, as far as was recorded: they are first."""
        others = bits(waiting)
        return {test for test in waiting if not self._session.clues.needed(test) & others}

    def _has_found_more_alternatives(self) -> bool:
        """A polluter in a group hides the setters in it. Now that it is known, it can be kept out."""
        findings = self._session.findings
        before = dict(findings.clauses)
        victims = {known.victim for known in findings.pollutions} & before.keys()
        if victims and not self._is_together:
            self._search_needs(victims, range(len(self._session.suite)), {})
            reduce_clauses(findings)
        return before != findings.clauses

    def _search_needs(
        self, tests: AbstractSet[int], usable: Sequence[int], known: Mapping[int, Needs]
    ) -> dict[int, Needs]:
        session = self._session
        session.start_step("finding out what brittle tests need", len(tests))
        found = needs_of_all(session, tests, usable, known)
        for test, needs in found.items():
            # Whole orders leave alternatives of others unknown, and with them who could serve here.
            complete = not (self._is_together and self._options.reorders)
            clauses = (replace(clause, complete=clause.complete and complete) for clause in needs.clauses)
            session.findings.learn(test, tuple(clauses))
        return found

    def _whose_closure_fails(self, seen: Seen) -> set[int]:
        """Runs what the graph says is enough: every dependent with its closure; or, where tests were not run alone or
        that would be more, everyone in as many orders as there are workers, two at least. Whoever is broken there
        although its closure passes is noted."""
        session, findings = self._session, self._session.findings
        dependents = sorted(set(findings.clauses) - findings.flaky - findings.unresolved)
        if dependents:
            session.start_step("verifying every closure", len(dependents))
        if not self._is_together:
            return session.failing_closures(dependents)
        needed = {member for test in dependents for member in findings.closure(test)[:-1]}
        asked = self._lanes(needed)
        if self._is_isolated:
            closures = [findings.closure(test) for test in dependents if test not in needed]
            asked = min(asked, closures, key=self._seconds)
        here = Seen()
        for run in session.runs(list(map(session.request, asked))):
            deviations(session, run, here)
        with session.proving():
            for run in session.runs(list(map(session.request, self._free_by_halves()))):
                deviations(session, run, here)
            failing = session.failing_closures(sorted({*dependents, *here.broken} - findings.flaky))
        for victim in sorted(set(here.broken) - failing):
            for before in here.broken[victim]:
                seen.note(victim, before)
        return failing

    def _free_by_halves(self) -> Sequence[Sequence[int]]:
        """Tests that need nobody, as far as is known, in orders in which each does without each earlier one. Backwards,
        where that was concluded, a later test may have served them."""
        session = self._session
        if self._is_isolated or self._options.reorders:
            return []
        halves = ([self._asked[place] for place in half] for half in orders.halving(len(self._asked)))
        free = ([test for test in half if test not in session.findings.clauses] for half in halves)
        return [half for half in free if half]

    def _lanes(self, needed: AbstractSet[int]) -> Sequence[Sequence[int]]:
        """Everyone with its closure. Those that need nobody because that was deduced, and were never seen without the
        others, once more: backwards."""
        session, findings = self._session, self._session.findings
        ends = [test for test in self._asked if test not in needed]
        count = max(2, session.price.workers)
        lanes = [findings.closed(ends[lane::count]) for lane in range(count)]
        unseen = [test for test in range(len(session.suite)) if session.untried(test)]
        return [*lanes, orders.respecting(reversed(unseen), findings.closure)] if unseen else lanes

    def _seconds(self, asked: Sequence[Sequence[int]]) -> float:
        """What it would take to run these one after the other."""
        session = self._session
        durations = self._opening.seconds
        tests = sum(durations[session.suite.tests[test]] for order in asked for test in order)
        return len(asked) * session.price.clean_state + tests
