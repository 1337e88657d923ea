"""Conjecture and refute: keep conjectures that explain every outcome so far, and run the orders that tell most of them.

Idea
    Every run says something about every test in it. A few complete conjectures (particles.py) predict the outcome of
    each test in any order. While they differ, *long orders* leave out the tests that divide them best: each outcome
    decides between conjectures, and a failure with a single candidate missing is a need. Once they agree on what a test
    needs, a *short order* runs it with just that: if it passes, it needs nothing else, which decides all other pairs at
    once; if it fails, it needs more. Every run in which a test passes is one half of a proof for each of its needs: the
    same without the prerequisite is the other half, for all dependents in it at once. What previous runs have not shown
    by chance is shown by as few such orders as possible, and these runs teach as well.
Assumptions
    The model of the papers: every need is a single earlier test, no polluters. A test that contradicts it is irregular:
    what it needs is searched at once, by other means, and deductions that used it are repeated.
Guarantee
    Under the model, the stored needs have the closure of the truth. Whatever the suite does, each stored need was shown
    by two runs that are equal up to the dependent, except that the second lacks the prerequisite and perhaps tests that
    cannot run without it; each was run, or is how a longer run began. The dependent has failed in at least six runs,
    or in so many that chance is ruled out, and passed after nothing but what it needs. A need is called complete only
    if its dependent failed with everything else present. Recorded flows make conjectures more likely, by as much as
    they have turned out to be right; nothing is ruled out because it was not recorded.
Cost
    About log2 n orders for an independent suite, and none if it was run backwards before. Even if the graph were known,
    it would take as many orders as there are closures that no other begins with, and for each position as many as there
    are prerequisites before it with a dependent after it, because the proofs of two of them cannot have both runs in
    common: 25, 13 and 15 orders on the web suites claroline, mrbs and ppma. All in all 81, 37 and 46 are run. At
    n = 202: 1.4 to 1.6 n orders of 40 to 60 tests for scale-free graphs, 2 n of 106 for others.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import and_, or_

from unknot.detect.engine.findings import Clause
from unknot.detect.engine.orders import halving
from unknot.detect.engine.session import SearchSession
from unknot.detect.flaky.sequential_test import decide_flakiness, may_be_chance
from unknot.detect.sieve.elimination import Elimination
from unknot.detect.sieve.exclusion import informative_exclusions
from unknot.detect.sieve.need_proofs import NeedProofs, longest, with_siblings
from unknot.detect.sieve.particles import Particles
from unknot.model.bits import bits, positions
from unknot.model.graph import DependencyGraph
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run

_PARTICLES, _FEWER_PARTICLES = 16, 6
_LARGE, _BATCH = 400, 8
"""Suites that large get fewer particles, and so many orders at once even on one worker: otherwise choosing the orders
would take long."""


_MAX_PAIRS = 100_000
"""With more undecided pairs, first run every pair once with the later test alone."""

_MAX_VOTERS = 200
"""So many undecided tests, drawn at random, decide what to leave out; more would only cost time."""

_AGREED = 0.7
"""How likely a conjecture must be for a short order."""

_MOST = 0.1
"""Short orders begin when the conjectures differ about at most this share of the undecided tests: then most are right,
and one order shows several closures that begin alike."""

_MAX_RESTARTS = 20
"""So many irregular tests are found one by one."""

_REPETITIONS = (1, 2)
"""A failure that contradicts the model is repeated that often."""

_LEVELS = 4

_FAILURES = 6
"""A test that has failed in fewer runs may be flaky rather than dependent, unless it has passed so often that chance is
ruled out."""

_MANY, _FEW = 1.2, 16
"""With more needs than this for each test, and a few more, one order has to show several of them."""


class ConjectureSearch:
    """Decides all pairs of a test and an earlier one. `irregular` are tests that do not fit the model."""

    def __init__(
        self,
        session: SearchSession,
        on_irregular: Callable[[Sequence[int]], None] = lambda tests: None,
        *,
        reorders: bool,
        seed: int = 0,
    ) -> None:
        """With `reorders`, tests after a dependent might serve it too; they are not tried here, and the clauses say so.
        `on_irregular` is called with tests that do not fit the model, as soon as they are found, to search what they
        need."""
        self._session = session
        self._on_irregular = on_irregular
        self._reorders = reorders
        self._chance = random.Random(seed)
        self.searched: set[int] = set()
        """Irregular tests whose needs were searched."""
        self.irregular = bits(session.findings.reference_victims)

    def run(self) -> frozenset[int]:
        """Runs orders until nothing is undecided and every need is shown, and stores the needs; returns the irregular
        tests."""
        flaky = set(self._session.findings.flaky)
        restarts = 0
        while True:
            self._start()
            self._decide()
            self._show()
            self._skip_levels()
            self._repeat_failures()
            new = self._new_irregular
            if not new:
                break
            self._repeat_failure((new & -new).bit_length() - 1)
            if self._session.findings.flaky != flaky:
                # They may have made other tests look irregular.
                flaky = set(self._session.findings.flaky)
            else:
                # Only the first: the others may have been misjudged because of it.
                restarts += 1
                self._set_aside(new if restarts > _MAX_RESTARTS else new & -new)
        self._store()
        return frozenset(positions(self.irregular))

    def _repeat_failure(self, test: int) -> None:
        """Runs the test alone, and repeats the shortest order in which it failed. If its outcome differs, it is
        examined for flakiness."""
        session = self._session
        name = session.suite.tests[test]
        session.run_orders([OrderRequest((name,))])
        failed = (run.order[: run.order.index(name) + 1] for run in session.failures(test))
        order = min(failed, key=len, default=None)
        if order:
            session.run_orders([OrderRequest(order, attempt) for attempt in _REPETITIONS])
        decide_flakiness(session)

    def _set_aside(self, tests: int) -> None:
        """From now on these are irregular. What they need is searched at once: others may need them."""
        findings = self._session.findings
        self.irregular |= tests
        found = list(positions(tests))
        self.searched.update(found)
        for test in found:
            findings.learn(test, ())
        findings.observed_needs = {key: seen for key, seen in findings.observed_needs.items() if key[0] not in found}
        self._store()
        self._on_irregular(found)

    @property
    def _new_irregular(self) -> int:
        return self._elimination.irregular & ~self.irregular & ~self._silent

    def has_passed(self, test: int, before: Iterable[int]) -> bool:
        """Whether a run has shown that the test behaves as expected after exactly these, in reference order."""
        return self._seen[test].get(bits(before), False)

    def has_passed_without_each(self, test: int) -> bool:
        """Whether each earlier test was missing in some run, in reference order, in which the test passed."""
        return not reduce(and_, (before for before, is_as_expected in self._seen[test].items() if is_as_expected), -1)

    def _start(self) -> None:
        """Starts from the runs so far that the model covers."""
        session, findings = self._session, self._session.findings
        size = len(session.suite)
        self._silent = bits(findings.flaky) | bits(test for test in range(size) if findings.expected[test].is_bad)
        undecided = (test for test in range(size) if not (self.irregular | self._silent) >> test & 1)
        self._elimination = Elimination(size, undecided, [session.candidates(test) for test in range(size)])
        for test in positions(self.irregular | self._silent):
            self._elimination.mark_irregular(test)
            self._elimination.take_as_known(test, self._single_needs(test))
        self._seen = [{(1 << test) - 1: not findings.expected[test].is_bad} for test in range(size)]
        """For each test, by what ran before it, in reference order: whether it behaved as expected."""
        self._bases = {(1 << size) - 1: None}
        """What ran in reference order in each run."""
        self._failures: list[list[int]] = [[] for _ in range(size)]
        """For each test, what had passed before it in each run in which it failed."""
        self._passes = [0] * size
        """For each test, in how many runs it behaved as expected."""
        self._brittle = 0
        self._proofs = NeedProofs(self._elimination, self._seen, self._bases, self._closure)
        for run in list(session.known.values()):
            if not session.is_unreliable(run):
                self._learn(run)
        count = _PARTICLES if size < _LARGE else _FEWER_PARTICLES
        self._particles = Particles(self._elimination, session.flows.may_need, self._brittle, count, self._chance)

    def _single_needs(self, test: int) -> int:
        """All that the search has found the test to need without an alternative, directly or not."""
        clauses = self._session.findings.clauses.get(test, ())
        single = [clause.any_of[0] for clause in clauses if len(clause.any_of) == 1]
        return reduce(or_, (1 << needed | self._single_needs(needed) for needed in single if needed < test), 0)

    def _decide(self) -> None:
        session, known = self._session, self._elimination
        workers = max(1 if known.size < _LARGE else _BATCH, session.price.workers)
        if known.extent()[0] > _MAX_PAIRS:
            session.start_step("clearing pairs by halves of the suite")
            self._run([bits(half) for half in halving(known.size)])
        while not self._new_irregular:
            session.start_step("leaving tests out", 0)
            self._particles.refresh()
            open_ones = [test for test, row in enumerate(known.candidates) if row and not self._is_confirmed(test)]
            agreed = self._agreed(open_ones)
            differing = bits(open_ones) & ~bits(agreed)
            if agreed and differing.bit_count() <= _MOST * len(open_ones):
                self._run(with_siblings(longest(row | 1 << test for test, row in agreed.items())[-workers:], agreed))
            elif differing:
                before = known.extent()
                self._run(self._long_orders(differing, workers))
                if known.extent() == before:
                    self._exclude_one()
            else:
                return

    def _is_confirmed(self, test: int) -> bool:
        """Whether the test has passed with all that it may need, and the conjectures are that it needs all of it. That
        is left to the proofs."""
        possible = self._elimination.possible(test)
        return self._seen[test].get(possible, False) and self._particles.usual_row(test)[0] == possible

    def _agreed(self, tests: Sequence[int]) -> dict[int, int]:
        """By test, what nearly all conjectures say that it needs, if that was not tried yet."""
        found: dict[int, int] = {}
        for test in tests:
            row, likelihood = self._particles.usual_row(test)
            if row and likelihood >= _AGREED and row not in self._seen[test]:
                found[test] = row
        return found

    def _long_orders(self, voters: int, most: int) -> list[int]:
        asked = list(positions(voters))
        if len(asked) > _MAX_VOTERS:
            asked = self._chance.sample(asked, _MAX_VOTERS)
        exclusions = informative_exclusions(
            self._elimination, self._particles, bits(asked), most, single=self._has_many_needs()
        )
        return [members for excluded in exclusions if (members := self._members(excluded, voters))]

    def _members(self, excluded: int, voters: int) -> int:
        """The tests that give information, with all that they need or may need. An irregular one may need any earlier
        test."""
        known = self._elimination
        lost = reduce(or_, (known.needed_by[candidate] for candidate in positions(excluded)), 0)
        telling = [test for test in positions(voters & ~excluded & ~lost) if known.candidates[test] & excluded]
        if telling and excluded & (excluded - 1) == 0 and self._has_many_needs():
            # The reference order without one test shows a need of all its dependents.
            return ((2 << max(telling)) - 1) & ~excluded
        members = reduce(or_, (1 << test | known.possible(test) for test in telling), 0)
        return self._with_company(members & ~excluded & ~lost, excluded | lost)

    def _with_company(self, members: int, excluded: int = 0) -> int:
        """These tests, and for each irregular one what was seen to be enough for it: the smallest set with all that is
        to run before it, if need be all earlier tests."""
        for test in positions(members & self._elimination.irregular):
            earlier = (1 << test) - 1
            enough = (
                before
                for before, is_as_expected in self._seen[test].items()
                if is_as_expected and not members & earlier & ~before and not before & excluded
            )
            members |= min(enough, key=int.bit_count, default=earlier & ~excluded)
        return members

    def _has_many_needs(self) -> bool:
        """Whether there are probably so many needs that one order has to show several of them."""
        return self._particles.needs > _MANY * len(self._session.suite) + _FEW

    def _exclude_one(self) -> None:
        """If leaving out many showed nothing new. One candidate alone decides, unless an irregular test is involved."""
        known = self._elimination
        test = next((test for test, candidates in enumerate(known.candidates) if candidates), None)
        if test is None:
            return
        candidate = max(positions(known.candidates[test]))
        before = known.extent()
        possible = known.possible(test) & ~(1 << candidate)
        self._run([self._with_company(possible, 1 << candidate) | 1 << test])
        if known.extent() == before:
            self._give_up(test, 1 << candidate)

    def _give_up(self, test: int, candidates: int) -> None:
        """It cannot be decided whether the test needs these. If it needs an irregular one, whatever that needs comes
        along with it, and the closure is verified when that is known."""
        known = self._elimination
        if known.confirmed[test] & known.irregular:
            known.can_do_with(test, ~candidates)
        elif candidates:
            known.mark_irregular(test)

    def _run(self, orders: Sequence[int]) -> None:
        for run in self._session.runs([self._session.request(positions(order)) for order in orders]):
            self._learn(run)

    def _learn(self, run: Run) -> None:
        members = passed = 0
        expected = self._session.findings.expected
        for test, outcome in self._session.outcomes(run):
            if outcome is Outcome.NOT_RUN:
                break
            if members >> test:
                self._learn_out_of_order(run)
                break
            is_as_expected = outcome is expected[test]
            self._seen[test][members] = is_as_expected
            if is_as_expected:
                passed |= 1 << test
                self._passes[test] += 1
            else:
                self._failures[test].append(passed)
            members |= 1 << test
        self._bases[members] = None
        self._elimination.learn(members, passed)

    def _learn_out_of_order(self, run: Run) -> None:
        """A test that fails may be polluted, and is only presumed to be brittle; one that passes does not need the
        rest, unless later tests count too, one of which may have served it."""
        before = 0
        for test, outcome in self._session.outcomes(run):
            if outcome is Outcome.NOT_RUN:
                break
            if outcome is not self._session.findings.expected[test]:
                if not before & ((1 << test) - 1):
                    self._brittle |= 1 << test
                    self._failures[test].append(0)
            elif not self._reorders:
                self._elimination.can_do_with(test, before)
            before |= 1 << test

    def _show(self) -> None:
        """Runs what it takes to show every need, and that a test with all its needs passes. Where a test does not fail
        without one of them, it needs less, and what is left is shown again."""
        known = self._elimination
        tried: set[int] = set()
        self._proofs.many = self._has_many_needs()
        while not self._new_irregular:
            closures = self._unseen_closures()
            missing = closures or self._proofs.missing()
            if not missing:
                break
            self._session.start_step("showing each need", len(missing))
            rows = {test: self._closure(test) for test in range(known.size) if known.possible(test)}
            orders = longest(missing)
            self._run(with_siblings(orders, rows) if closures else self._with_tails(orders))
            for order in tried & set(missing):
                # An earlier test has ended the process.
                known.mark_irregular(order.bit_length() - 1)
            tried |= set(missing)
        if self._new_irregular:
            return
        for test, candidates in enumerate(known.candidates):
            self._give_up(test, candidates)

    def _skip_levels(self) -> None:
        """Leaves out all prerequisites of one depth at a time: tests that need one of these, directly or not, cannot
        pass then. One that does needs less than it seems to: another test can take the place of its prerequisite, or
        one that it seems to need cleans up after what that one needs. One order for each of a few levels between the
        first and the last."""
        known = self._elimination
        depths = [0] * known.size
        for test, row in enumerate(known.confirmed):
            depths[test] = 1 + max((depths[needed] for needed in positions(row)), default=-1)
        orders = []
        deepest = max(depths, default=0)
        for level in range(1, deepest, -(-deepest // _LEVELS) or 1):
            gone = bits(test for test, depth in enumerate(depths) if depth == level and known.needed_by[test])
            lost = reduce(or_, (known.needed_by[needed] for needed in positions(gone)), 0) & ~known.irregular
            if lost:
                orders.append(((1 << lost.bit_length()) - 1) & ~gone)
        if orders and not self._new_irregular:
            self._session.start_step("leaving out whole levels of needs", len(orders))
            self._run(orders)

    def _repeat_failures(self) -> None:
        """Runs dependents that have failed only a few times again, all of them without their prerequisites: one that
        passes sometimes is flaky rather than dependent."""
        known = self._elimination
        if self._new_irregular:
            return
        dependents = [test for test, row in enumerate(known.confirmed) if row and not known.irregular >> test & 1]
        for attempt in range(1, _FAILURES + 1):
            few = [test for test in dependents if self._may_fail_by_chance(test)]
            if not few:
                return
            # Where all others fail, a test without needs is as good as alone.
            order = sorted([*few, *self._never_alone()[:1]])
            (run,) = self._session.runs([self._session.request(order, attempt)])
            self._learn(run)
        decide_flakiness(self._session)

    def _with_tails(self, orders: Iterable[int]) -> list[int]:
        """The orders, continued by dependents that have failed only a few times and have to fail there, too; and where
        all tests fail, by one without needs that has not passed alone."""
        known = self._elimination
        needs = {test: row for test, row in enumerate(known.confirmed) if row and not known.irregular >> test & 1}
        free = self._never_alone()
        found = list(orders)
        failing = [bits(test for test in positions(order) if needs.get(test, 0) & ~order) for order in found]
        failures = {test: sum(row >> test & 1 for row in failing) for test in needs}
        for place, order in enumerate(found):
            later = [test for test in free if test >= order.bit_length()][:1] if failing[place] == order else []
            for test in later:
                free.remove(test)
            for test, row in needs.items():
                if test >= order.bit_length() and row & ~order and self._may_fail_by_chance(test, failures[test]):
                    failures[test] += 1
                    later.append(test)
            found[place] = order | bits(later)
        return found

    def _never_alone(self) -> list[int]:
        """Tests without needs that have not passed where no other had."""
        known = self._elimination
        return [
            test
            for test in range(known.size)
            if not (known.possible(test) or (known.irregular | self._silent) >> test & 1)
            and 0 not in self._session.pairs.worked_after_few[test]
        ]

    def _may_fail_by_chance(self, test: int, more: int = 0) -> bool:
        failures = len(self._failures[test]) + more
        return failures < _FAILURES and may_be_chance(failures, self._passes[test], self._elimination.size)

    def _unseen_closures(self) -> list[int]:
        """What tests may need, each with its test, where that was not run by itself."""
        known = self._elimination
        regular = (test for test in range(known.size) if known.possible(test) and not known.irregular >> test & 1)
        return [closure | 1 << test for test in regular if (closure := self._closure(test)) not in self._seen[test]]

    def _closure(self, test: int) -> int:
        """What the test needs or may need, with what irregular ones among these need."""
        return self._with_company(self._elimination.possible(test))

    def _store(self) -> None:
        known, findings = self._elimination, self._session.findings
        graph = DependencyGraph(known.size)
        graph.rows = list(known.confirmed)
        for test, row in enumerate(graph.reduction().rows):
            if test in self.searched:
                continue
            clauses = (Clause((needed,), complete=self._is_complete(test, needed)) for needed in positions(row))
            findings.learn(test, tuple(clauses))
            for needed in positions(row):
                if proof := self._proofs.of(test, needed):
                    findings.observe_need(test, needed, *map(positions, proof))

    def _is_complete(self, test: int, needed: int) -> bool:
        """Whether the test failed with all other tests present, so that none of them can take the place."""
        others = ((1 << test) - 1) & ~(1 << needed) & ~self._elimination.needed_by[needed]
        return not self._reorders and any(others & ~passed == 0 for passed in self._failures[test])
