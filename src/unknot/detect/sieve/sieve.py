"""Sieve: every order gives outcomes for all its tests at once.

Idea
    Run the reference order and, if any order counts, its reverse. Run every test alone: a test that behaves as expected
    needs no other, which decides n - 1 pairs at once. For the others, search for a minimal set of setters and for all
    alternatives to each of them, by group testing. If a clean state is expensive, or most tests are brittle and single
    searches would take long, run whole orders with tests left out instead, keep conjectures that explain the outcome of
    every test in them, and confirm or refute these by short orders (conjecture.py). Then let all tests meet each other
    in orders that respect the needs found, and search for polluters, alone or together, and for cleaners. Verify each
    closure, try to refute that there are no other alternatives (necessity.py), and prove each claim by two runs. If the
    suite was recorded, tests that share state are tried first; and if the recording is trusted, no other pairs are
    tried (recording.py).
Assumptions
    The same order from a clean state gives the same outcomes; a test that breaks this is found to be flaky when it
    shows, and left out. More setters do not undo what a setter did, and a polluter pollutes whatever else ran before;
    if a suite breaks this, verification notices and repairs, or the test is left unresolved.
Guarantee
    Every need and conflict in the result was shown by two orders, each run twice more; once, if many claims about the
    same tests hold, or all runs agree with what was found and chance is ruled out. After whole orders, the two orders
    of a single need are run once, and the dependent has failed in at least six runs, or in fewer if chance is ruled
    out. Stopped at any moment, the result has what was proved until then and says that it is not complete. A complete
    result has every single setter of a brittle test and, for suites small enough to try every test directly after every
    other, every single polluter; what whole orders may have missed is marked.
Cost
    In reference order, an independent suite of n tests: 1.1 n tests if a clean state is cheap, at most 2 log2 n + 2
    orders if it is expensive. With dependencies, after whole orders: about 2 n orders on the benchmark's graphs, proofs
    included. A brittle test that needs k setters, searched by itself: about 2k log2(n/k) orders more; about 2k if these
    and few others were recorded. A wrong recording costs two orders more for each such search, and 2 log2 n for whole
    orders; measured on three web suites with nine lists each: between a fifth fewer and a seventh
    more orders, however long or incomplete the list was.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import islice

from unknot.detect.engine import orders
from unknot.detect.engine.cost import CostModel
from unknot.detect.engine.failing_polluters import find_failing_polluters, without_needs
from unknot.detect.engine.findings import Clause, Positions, reduce_clauses
from unknot.detect.engine.forecast import forecast
from unknot.detect.engine.isolation import (
    check_flakiness,
    find_brittle_tests,
    find_reference_victims,
    order_in_which_more_pass,
    passing_elsewhere,
    record_broken_tests,
    run_each_alone,
    run_in_small_groups,
)
from unknot.detect.engine.necessity import refute_clauses
from unknot.detect.engine.options import DEFAULT_OPTIONS, Options, ProgressCallback, no_progress
from unknot.detect.engine.outlook import Stage
from unknot.detect.engine.proofs import prove_conflicts, prove_conflicts_when_failing, prove_needs
from unknot.detect.engine.reference import ReferenceRun, backwards
from unknot.detect.engine.result import (
    assemble_result,
    build_result,
    untried_rows,
    what_was_sought,
    with_open_needs,
)
from unknot.detect.engine.session import SearchSession, last_test_failed, unexpected_claimable
from unknot.detect.engine.setters import NeedSearch
from unknot.detect.engine.suspicions import conjectured_partners
from unknot.detect.sieve.conflict_search import ConflictSearch
from unknot.detect.sieve.conjecture import ConjectureSearch
from unknot.detect.sieve.recording import as_trusted_result, only_recorded, tests_with_candidates
from unknot.hints.position import CandidateSource, any_other, every_earlier
from unknot.hints.recording import RecordedFlows
from unknot.model.bits import positions
from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.errors import BudgetExhausted
from unknot.model.run import OrderRequest
from unknot.model.suite import Suite
from unknot.oracle.protocol import Oracle

_MAX_REPAIRS = 3

_FEW_ALONE, _FEW_ALONE_IN_ORDER = 12, 8
"""After whole orders, so many tests without needs are run alone. If no test has needs, only suites that small, and
smaller ones if the reference order is kept."""

_FEW_SUSPICIOUS, _ONE_SUSPICIOUS_IN = 8, 4
"""If so few tests behave differently when the suite runs backwards, or one in so many, what was recorded of some of
them is tried at once."""

_FIRST_CLAIMS, _WORTH_WAITING_FOR = 2, 24
"""So many, in suites of at least so many tests: these orders only bring forward what the search finds soon in a small
suite, and proves with fewer orders."""

_WORKERS_FOR_A_CLAIM = 4
"""So many orders show one: with few workers, the first claim does not wait for the second."""

_ONE_IN, _MOST = 10, 0.5
"""One test in ten is tried first; if at least half of these are brittle, the others are not run alone."""


def sieve(
    suite: Suite, oracle: Oracle, options: Options = DEFAULT_OPTIONS, on_progress: ProgressCallback = no_progress
) -> Dependencies:
    """A detector; see the module docstring for its guarantees."""
    return _Sieve(suite, oracle, options, on_progress).detect()


def few_backwards(size: int) -> list[int]:
    """A few tests spread over a suite of this size, the last one first; none for a small suite."""
    count = size // _ONE_IN
    return [size - 1 - number * size // count for number in range(count)]


class _Sieve:
    def __init__(self, suite: Suite, oracle: Oracle, options: Options, on_progress: ProgressCallback) -> None:
        self._whole = suite
        self._oracle = oracle
        self._options = options
        self._on_progress = on_progress
        self._candidates = any_other if options.reorders else every_earlier
        self._trusts = options.trusts_recording and options.recorded is not None
        self._tests: Sequence[int] = ()
        self._reference_run = ReferenceRun(suite, self._new_session)
        self._uses_whole_orders = self._is_isolated = False
        self._conjectures: ConjectureSearch | None = None
        self._first_needs: dict[int, tuple[Clause, ...]] = {}
        """Needs that were proved before whole orders, which do not build on them."""

    @property
    def _session(self) -> SearchSession:
        return self._reference_run.session

    def _new_session(self, suite: Suite) -> SearchSession:
        self._tests = range(len(suite))
        candidates: CandidateSource = self._candidates
        flows = self._options.recorded and self._options.recorded.among(self._whole, suite)
        if flows and self._trusts:
            candidates = only_recorded(flows, candidates)
            self._tests = tests_with_candidates(candidates, len(suite))
        return SearchSession(
            suite,
            self._oracle,
            candidates,
            self._on_progress,
            flows,
            trusts_flows=self._trusts,
            reorders=self._options.reorders,
        )

    def detect(self) -> Dependencies:
        try:
            complete = self._search() and self._prove()
            self._session.enter(Stage.FINISHED)
        except (BudgetExhausted, KeyboardInterrupt):
            complete = False
            findings = self._session.findings
            for test, clauses in self._first_needs.items():
                if test not in findings.clauses:
                    findings.learn(test, clauses)
        # Pairs that were not tried count as untried.
        self._session.set_candidates(self._candidates)
        found = build_result("sieve", self._whole, self._reference_run, complete=complete)
        if self._trusts:
            return as_trusted_result(found, self._tests)
        if not complete:
            return with_open_needs(found)
        first = {test for run in self._session.known.values() for test in run.order[:1]}
        each_was_first = first.issuperset(self._session.suite.tests)
        return replace(
            found, sought=what_was_sought(found, reorders=self._options.reorders, each_was_first=each_was_first)
        )

    def _search(self) -> bool:
        """Returns whether every failure is explained."""
        options = self._options
        is_any_order = options.reorders and not self._trusts
        if is_any_order and options.records_reference:
            self._run_before_reference()
        self._reference_run.run(options.reference, backwards if is_any_order else lambda suite: ())
        if is_any_order:
            self._find_misplaced_tests()
        session = self._session
        if not self._tests:
            return True
        seconds = self._reference_run.seconds
        suite_seconds = sum(seconds[test] for test in session.suite.order(self._tests))
        costs = CostModel(session.price, len(self._tests), suite_seconds, options.thorough)
        session.is_small = costs.affords_all_pairs
        is_recorded = bool(options.recorded or options.recorded_meanwhile)
        options.on_forecast(forecast(costs, is_recorded=is_recorded))
        files = [options.file_of(test) for test in session.suite.tests]
        brittle = self._find_brittle(costs)
        is_suspicious = any(any(unexpected_claimable(session, run)) for run in session.known.values())
        if self._conjectures:
            evidence = session.findings.unexplained(self._conjectures.searched)
            for sequence in orders.without_beginnings((*before, victim) for victim, before in evidence.items()):
                check_flakiness(session, session.request(sequence))
        elif (brittle or session.findings.broken) and costs.affords_selections:
            check_flakiness(session, OrderRequest(session.suite.tests))
        brittle -= session.findings.flaky
        session.enter(Stage.NEEDS, brittle)
        first_search = self._need_search
        if brittle and not session.is_small:
            self._take_flows(options.recorded_so_far())
            first_search = replace(first_search, on_first=self._show_first_needs)
        elif is_suspicious or not session.is_small:
            self._take_recorded(is_suspicious)
        first_search.find(brittle)
        # Proved now, so that they are kept if the search is stopped later.
        self._prove()
        if brittle and not session.is_small:
            self._take_recorded(is_suspicious)
        session.enter(Stage.CONFLICTS)
        if self._reference_run.original:
            record_broken_tests(session, [self._reference_run.original])
        conflict_search = ConflictSearch(session, costs, files, options.seed, self._tests)
        if not session.is_small and not costs.is_clean_state_expensive:
            conflict_search.on_first = self._show_first_conflicts
        tries_failing = options.reorders and not self._trusts and not costs.is_clean_state_expensive
        if tries_failing:
            conflict_search.expected_later = lambda: without_needs(session)
        selects = self._needs_selections(costs)
        for _ in range(_MAX_REPAIRS):
            explained = conflict_search.run(reorders=options.reorders, selects=selects)
            broken = self._failing_closures() | conflict_search.needs_more
            if not broken and not conflict_search.unexplained() and not self._has_found_more_alternatives():
                broken = refute_clauses(session)
                if not broken:
                    if tries_failing:
                        find_failing_polluters(session, costs.recorded_pairs(is_suspicious=False))
                    return explained and not passing_elsewhere(session)
            self._need_search.find(broken)
        session.findings.mark_unresolved(broken)
        return False

    def _take_recorded(self, is_suspicious: bool) -> None:
        if self._options.recorded_meanwhile:
            self._take_flows(self._options.recorded_meanwhile(is_suspicious))

    def _take_flows(self, flows: RecordedFlows | None) -> None:
        session = self._session
        if flows:
            session.flows, session.is_recorded = flows.among(self._whole, session.suite), True

    def _run_before_reference(self) -> None:
        """The orders with which an independent suite is done, as far as no test fails."""
        session = self._session
        session.start_step("running the suite backwards")
        (run,) = session.runs([OrderRequest(session.suite.tests[::-1])])
        if any(result.outcome.is_bad for result in run.results):
            return
        seconds = sum(result.seconds for result in run.results)
        costs = CostModel(session.price, len(session.suite), seconds, self._options.thorough)
        if costs.group_size > 1 and not costs.is_clean_state_expensive:
            run_in_small_groups(session, costs)

    def _find_misplaced_tests(self) -> None:
        """A test may fail in the reference order because what it needs comes later: then an order in which it passes
        takes the place of the reference order, and the search is the same as for any other suite."""
        find_reference_victims(self._session)
        if better := order_in_which_more_pass(self._session):
            # They may have failed, or passed, by chance.
            check_flakiness(self._session, OrderRequest(self._session.suite.tests))
            check_flakiness(self._session, better.request)
            if better := order_in_which_more_pass(self._session):
                self._reference_run.replace_order(better)

    def _needs_selections(self, costs: CostModel) -> bool:
        """Whether to run orders that only leave tests out. If many were run already, they are not worth it."""
        if self._uses_whole_orders:
            return costs.affords_selections and self._session.orders < len(self._tests).bit_length()
        return costs.affords_selections or bool(self._session.findings.broken)

    def _find_brittle(self, costs: CostModel) -> set[int]:
        """The brittle tests whose needs are to be searched. Runs every test alone; or, if that is too expensive or a
        sample shows that most are brittle, whole orders, which also show single needs."""
        session = self._session
        brittle: set[int] = set()
        self._uses_whole_orders = costs.is_clean_state_expensive
        if self._uses_whole_orders:
            session.start_step("running the suite backwards")
            # Tests run without the earlier ones: one order shows which tests need none of them.
            session.run_orders([session.request(reversed(self._tests))])
            self._show_recorded_needs()
        elif not session.price.shares_prefixes and self._sample_looks_brittle(costs):
            self._uses_whole_orders = True
        else:
            brittle = find_brittle_tests(session, costs, self._tests)
            self._is_isolated = True
            share = len(brittle) / len(self._tests)
            self._uses_whole_orders = not session.price.shares_prefixes and costs.favours_whole_orders(share)
        return self._decide_by_whole_orders() if self._uses_whole_orders else brittle

    def _show_recorded_needs(self) -> None:
        """Where an order is expensive, whole orders take a while. What a few short orders show of suspicious tests,
        each alone and after the one test that it may need by the recording, is proved and reported before; whole
        orders decide again, and use these runs."""
        session = self._session
        tests = {test for run in session.known.values() for test in unexpected_claimable(session, run)}
        few = max(_FEW_SUSPICIOUS, len(self._tests) // _ONE_SUSPICIOUS_IN)
        if not tests or len(tests) > few or len(self._tests) < _WORTH_WAITING_FOR:
            return
        self._take_flows(self._options.recorded_so_far())
        writers = {test: [*positions(session.flows.may_need[test])] for test in tests}
        certain = ((test, found[0]) for test, found in writers.items() if len(found) == 1)
        needs = list(islice(certain, _FIRST_CLAIMS))
        at_once = max(1, session.price.workers // _WORKERS_FOR_A_CLAIM)
        for start in range(0, len(needs), at_once):
            self._show_needs(dict(needs[start : start + at_once]))
        self._first_needs = {test: session.findings.clauses.get(test, ()) for test, _ in needs}
        for test in self._first_needs:
            session.findings.learn(test, ())

    def _show_needs(self, needs: Mapping[int, int]) -> None:
        """Runs each test after the one that it may need, and alone; proves and reports what this shows, too."""
        session, findings = self._session, self._session.findings
        session.start_step("trying what was recorded", len(needs))
        pairs = [[*before, test] for test, needed in needs.items() for before in ([needed], [])]
        runs = session.runs(list(map(session.request, pairs)))
        served, alone = runs[::2], runs[1::2]
        for (test, needed), passed, failed in zip(needs.items(), served, alone, strict=True):
            if session.is_as_expected(passed) and last_test_failed(session, failed):
                findings.learn(test, (Clause((needed,)),))
        with session.proving():
            proved = prove_needs(session, may_run=True)
        self._report(proved, ())

    def _sample_looks_brittle(self, costs: CostModel) -> bool:
        """Whether a sample of the suite, run backwards in one order, shows that most tests are brittle."""
        session = self._session
        few = [self._tests[place] for place in few_backwards(len(self._tests))]
        if not few or not costs.favours_whole_orders(1.0):
            return False
        # If any order counts, the whole suite was run backwards before.
        backwards = session.request(reversed(self._tests) if self._options.reorders else few)
        session.start_step("running a few tests backwards")
        (run,) = session.runs([backwards])
        expected = session.findings.expected
        brittle = sum(outcome is not expected[test] for test, outcome in session.outcomes(run)) / len(run.order)
        return brittle >= _MOST and costs.favours_whole_orders(brittle)

    def _prove(self) -> bool:
        """Runs two orders for each claim and drops what cannot be shown. A test that then fails with its remaining
        needs is searched again once, and is unresolved if that does not help. Returns whether what is left explains
        every failure."""
        session = self._session
        for is_last in (False, True):
            if session.findings.clauses or session.findings.pollutions:
                session.start_step("proving what was found")
            before = dict(session.findings.clauses)
            with session.proving():
                needs = prove_needs(session, may_run=True)
                conflicts = prove_conflicts(session, may_run=True)
                prove_conflicts_when_failing(session, may_run=True)
            self._report(needs, conflicts)
            doubtful = sorted(test for test, old in before.items() if session.findings.clauses.get(test, ()) != old)
            broken = session.failing_closures(doubtful) - session.findings.flaky
            if not broken:
                return not session.findings.unexplained()
            if is_last:
                session.findings.mark_unresolved(broken)
            else:
                self._need_search.find(broken)
        return False

    def _decide_by_whole_orders(self) -> set[int]:
        """Finds single needs of all tests at once. A test that does not fit the model is left to the search for setters
        if it fails alone, and to the conflict search if not. Returns those that the former found nothing for."""
        session, findings = self._session, self._session.findings
        find_reference_victims(session)
        session.enter(
            Stage.WHOLE_ORDERS, {test for run in session.known.values() for test in unexpected_claimable(session, run)}
        )
        self._conjectures = ConjectureSearch(
            session, self._search_irregular, reorders=self._options.reorders, seed=self._options.seed
        )
        irregular = self._conjectures.run()
        brittle = self._brittle_alone(irregular)
        record_broken_tests(session, list(session.known.values()))
        return brittle - findings.clauses.keys()

    def _search_irregular(self, tests: Collection[int]) -> None:
        """Finds the needs of these, with alternatives; not all, while what others need is not decided."""
        replace(self._need_search, may_be_complete=False).find(self._brittle_alone(tests))

    def _brittle_alone(self, tests: Iterable[int]) -> set[int]:
        """Those of the tests that fail alone."""
        findings = self._session.findings
        alone = run_each_alone(self._session, sorted(set(tests) - findings.flaky))
        return {test for test, outcome in alone.items() if outcome is not findings.expected[test]} - findings.flaky

    @property
    def _need_search(self) -> NeedSearch:
        # Whole orders leave alternatives unknown, which could serve here too.
        may_be_complete = not (self._uses_whole_orders and self._options.reorders)
        return NeedSearch(
            self._session,
            "finding the needs of brittle tests",
            from_scratch=True,
            may_be_complete=may_be_complete,
            one_by_one=self._options.reorders and self._options.thorough,
        )

    def _show_first_needs(self) -> None:
        """Proves and reports what is known of each brittle test before its other needs and alternatives are searched:
        a search that is stopped then has claims. The search goes on with all that was found, proved or not."""
        findings = self._session.findings
        clauses = dict(findings.clauses)
        self._session.start_step("proving what was found first", len(clauses))
        with self._session.proving():
            needs = prove_needs(self._session, may_run=True)
        for test in clauses.keys() - findings.flaky:
            findings.learn(test, clauses[test])
        self._report(needs, ())

    def _show_first_conflicts(self) -> None:
        """The same for victims. The needs were proved before; what cannot be proved is searched again."""
        self._session.start_step("proving what was found first", len(self._session.findings.pollutions))
        with self._session.proving():
            conflicts = prove_conflicts(self._session, may_run=True)
        clauses = dict(self._session.findings.clauses)
        needs = prove_needs(self._session, may_run=False)
        for test, before in clauses.items():
            self._session.findings.learn(test, before)
        self._report(needs, conflicts)

    def _report(self, needs: tuple[Need, ...], conflicts: tuple[Conflict, ...]) -> None:
        """Hands out what is proved so far."""
        if not needs and not conflicts:
            return
        found = assemble_result(
            self._whole,
            self._reference_run,
            needs,
            conflicts,
            untried_rows(self._session, self._whole),
            seconds=self._reference_run.usual_seconds(),
            complete=False,
            cost=self._reference_run.cost("sieve"),
            conjectured=conjectured_partners(self._session.findings),
        )
        self._options.on_claims(found)

    def _has_found_more_alternatives(self) -> bool:
        """A polluter in a group hides its setters. Once it is known, it can be left out."""
        findings = self._session.findings
        before = dict(findings.clauses)
        victims = {known.victim for known in findings.pollutions} & before.keys()
        if victims and not self._uses_whole_orders:
            self._need_search.search(victims, range(len(self._session.suite)))
            reduce_clauses(findings)
        return before != findings.clauses

    def _failing_closures(self) -> set[int]:
        """Runs what should be sufficient: every dependent with its closure, unless that was shown before. After whole
        orders, first all tests in as many orders as there are workers, at least two: a test that is broken there
        although its closure passes is recorded as broken. Free tests that never ran alone do so, if they are few."""
        session, findings = self._session, self._session.findings
        dependents = set(findings.clauses) - findings.flaky - findings.unresolved
        if dependents:
            session.start_step("verifying every closure", len(dependents))
        if self._conjectures is None:
            return session.failing_closures(sorted(dependents))
        sequences = [*self._lanes(dependents), *self._free_tests(self._conjectures)]
        here: defaultdict[int, list[Positions]] = defaultdict(list)
        record_broken_tests(session, session.runs(list(map(session.request, sequences))), here)
        doubtful = sorted({*dependents, *here} - findings.flaky)
        passed = self._conjectures.has_passed
        failing = session.failing_closures([test for test in doubtful if not passed(test, findings.closure(test)[:-1])])
        for victim in sorted(set(here) - failing):
            findings.broken[victim] += here[victim]
        return failing

    def _free_tests(self, conjectures: ConjectureSearch) -> Sequence[Sequence[int]]:
        """Tests without known needs that a later test may have served when the suite ran backwards: they never passed
        before all others that did. Each alone; if they are many, and the reference order is kept, in orders in which
        each runs without each earlier one."""
        session = self._session
        keeps_order, has_needs = not self._options.reorders, bool(session.findings.clauses)
        free = sorted(set(self._tests) - session.findings.clauses.keys() - session.findings.flaky)
        unseen = [test for test in free if 0 not in session.pairs.worked_after_few[test]]
        few = _FEW_ALONE if has_needs or not keeps_order else _FEW_ALONE_IN_ORDER
        if len(unseen) <= few and (has_needs or len(self._tests) <= few):
            return [[test] for test in unseen]
        if self._is_isolated or not keeps_order:
            return []
        unseen = [test for test in unseen if not conjectures.has_passed_without_each(test)]
        halves = ([self._tests[place] for place in half] for half in orders.halving(len(self._tests)))
        left = [half for tests in halves if (half := [test for test in tests if test in free])]
        new = sum(session.request(half) not in session.known for half in left)
        return left if new < len(unseen) else [[test] for test in unseen]

    def _lanes(self, dependents: AbstractSet[int]) -> Sequence[Sequence[int]]:
        """All tests with their closures. Tests whose independence was only deduced are run once more, backwards."""
        session, findings = self._session, self._session.findings
        needed = {member for test in dependents for member in findings.closure(test)[:-1]}
        ends = [test for test in self._tests if test not in needed]
        count = max(2, session.price.workers)
        lanes = [findings.closure_of(ends[lane::count]) for lane in range(count)]
        unseen = [test for test in range(len(session.suite)) if session.untried(test)]
        return [*lanes, orders.respecting_needs(reversed(unseen), findings.closure)] if unseen else lanes
