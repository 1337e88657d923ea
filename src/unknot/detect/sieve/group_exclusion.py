"""Group exclusion: leave several tests out, run the others, and use the outcome of every test.

Idea
    Every run says something about every test in it. The tests to leave out are those that give most information: so
    many that about half of the undecided tests can be expected to fail, while as few as possible give no answer because
    a known need is missing. If tests turn out to need so many others that this would take longer, one test is left out
    at a time and all others run: that decides it for all tests and is a proof. If few tests are undecided and there are
    enough workers, one batch of halves of the suite comes first, which leaves nothing open about tests that need one
    other.
Assumptions
    The model of the papers: every need is a single earlier test, no polluters. Tests that contradict it are returned as
    irregular, and deductions that used them are repeated without them.
Guarantee
    Under the model, the stored needs have the closure of the truth. Alternatives do not show here if one of them is
    always present, or show as single needs if the others never ran: the caller verifies by leaving out one test at a
    time.
Cost
    About log2 n orders for an independent suite, and none if it was run backwards before. With dependencies, measured
    at n = 202: 0.6 n orders for scale-free graphs, 0.95 n for random ones with ln n / n edges for each pair. The batch
    of halves has at most 2 log2 n orders of n / 2 tests, at most three for each worker.
"""

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from operator import or_

from unknot.detect.engine.findings import Clause
from unknot.detect.engine.isolation import check_flakiness
from unknot.detect.engine.orders import halving
from unknot.detect.engine.session import SearchSession
from unknot.detect.sieve.elimination import Elimination
from unknot.detect.sieve.likelihood import Likelihood
from unknot.detect.sieve.single_exclusion import record_observed_need
from unknot.hints.recording import transposed
from unknot.model.bits import bits, positions
from unknot.model.graph import DependencyGraph
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run

_MAX_ROWS = 200
"""So many undecided tests, drawn at random, decide what to leave out; more would only cost time."""

_MAX_PAIRS = 100_000
"""With more undecided pairs, first run every pair once with the later test alone."""

_FEW_IN = 8
"""One undecided test in so many counts as few: these are in all orders of a batch."""

_MAX_ROUNDS = 3
"""So many orders of half of the suite per worker take no longer than choosing each order by earlier runs."""

_MAX_WEIGHT = 30.0

_IN_FLIGHT = 0.25
"""The value of information that another order of the same batch will probably give."""


_ORDERS_FOR_A_BIT = 2.7
"""Orders for one bit of information when several tests are left out, proofs included. Measured."""

_PATIENCE = 2
"""So many orders for each halving of the suite leave out several tests because no test was recorded to read their
state. A correct recording needs fewer; an incomplete one is not relied on for longer."""

_WORTHWHILE = 0.5
"""A further order joins a batch if it gives at least this share of the information of the first."""


@dataclass(frozen=True)
class _Exclusion:
    """The tests left out; the tests that then certainly cannot pass; for each undecided test the weight of what it
    misses; and the expected information, for comparison with other exclusions."""

    excluded: int
    lost: int
    weights: dict[int, float]
    gain: float

    @property
    def is_single(self) -> bool:
        return self.excluded & (self.excluded - 1) == 0


class GroupExclusion:
    """Decides all pairs of a test and an earlier one. `irregular` are tests known not to fit the model."""

    def __init__(self, session: SearchSession, irregular: Iterable[int] = (), *, reorders: bool, seed: int = 0) -> None:
        """With `reorders`, tests after a dependent might serve it too; they are not tried here, and the clauses say
        so."""
        self._session = session
        self._reorders = reorders
        self._chance = random.Random(seed)
        self._is_dense = False
        self._readers_of = transposed(session.flows.may_need)
        self._patience = _PATIENCE * len(session.suite).bit_length()
        self.irregular = bits(irregular)

    def run(self) -> frozenset[int]:
        """Runs orders until nothing is undecided, and stores the needs; returns the irregular tests."""
        while True:
            irregular, flaky = self.irregular, set(self._session.findings.flaky)
            self._start()
            self._decide()
            if self.irregular == irregular:
                break
            check_flakiness(self._session, OrderRequest(self._session.suite.tests))
            if self._session.findings.flaky != flaky:
                # They may have made other tests look irregular.
                self.irregular = irregular
        self._store()
        return frozenset(positions(self.irregular))

    def _start(self) -> None:
        """Starts from the runs so far that the model covers."""
        findings = self._session.findings
        size = len(self._session.suite)
        silent = bits(findings.flaky) | bits(test for test in range(size) if findings.expected[test].is_bad)
        undecided = (test for test in range(size) if not (self.irregular | silent) >> test & 1)
        self._elimination = Elimination(size, undecided, [self._session.candidates(test) for test in range(size)])
        for test in positions(self.irregular | silent):
            self._elimination.mark_irregular(test)
        self._likelihood = Likelihood(self._elimination, self._session.flows.may_need)
        for run in list(self._session.known.values()):
            if not self._session.is_unreliable(run):
                self._learn(run)

    def _decide(self) -> None:
        session = self._session
        workers = max(1, session.price.workers)
        self._split_by_digits(workers)
        if self._elimination.extent()[0] > _MAX_PAIRS:
            session.start_step("clearing pairs by halves of the suite")
            for run in session.runs([session.request(half) for half in halving(self._elimination.size)]):
                self._learn(run)
        while any(self._elimination.candidates):
            session.start_step("leaving tests out", 0)
            self._likelihood.refresh()
            before = self._elimination.extent()
            self._run(self._choose(workers))
            if self._elimination.extent() == before:
                self._exclude_one()
        self.irregular |= self._elimination.irregular

    def _split_by_digits(self, workers: int) -> None:
        """If few tests are undecided and there are enough workers: their candidates are numbered, and for each binary
        digit those with a one are left out, then those with a zero. A test passes in one of the two if all its needs
        agree in that digit, so that nothing is left open about a test that needs one other, and no order waits for
        another."""
        known = self._elimination
        undecided = bits(test for test, row in enumerate(known.candidates) if row)
        candidates = list(positions(reduce(or_, known.candidates, 0) & ~undecided))
        digits = max(0, len(candidates) - 1).bit_length()
        if not digits or 2 * digits > _MAX_ROUNDS * workers or undecided.bit_count() * _FEW_IN > known.size:
            return
        self._session.start_step("leaving halves out", 2 * digits)
        # Spread over all numbers with so many digits, so that each digit splits them in half.
        numbers = [(place << digits) // len(candidates) for place in range(len(candidates))]
        sides = (
            bits(
                candidate for candidate, number in zip(candidates, numbers, strict=True) if number >> digit & 1 == side
            )
            for digit in range(digits)
            for side in (0, 1)
        )
        self._run([exclusion for side in sides if (exclusion := self._excluding(side)).weights])

    def _run(self, exclusions: Sequence[_Exclusion]) -> None:
        runs = self._session.runs(
            [self._session.request(positions(self._members(exclusion))) for exclusion in exclusions]
        )
        for exclusion, run in zip(exclusions, runs, strict=True):
            self._learn(run, exclusion)

    def _exclude_one(self) -> None:
        """If leaving out many showed nothing new. One candidate alone decides, unless an irregular test is involved:
        then nothing can be said about the dependent either."""
        test = next(test for test, candidates in enumerate(self._elimination.candidates) if candidates)
        candidate = max(positions(self._elimination.candidates[test]))
        before = self._elimination.extent()
        self._run([self._excluding(1 << candidate)])
        if self._elimination.extent() == before:
            self._elimination.mark_irregular(test)

    def _learn(self, run: Run, exclusion: _Exclusion | None = None) -> None:
        members = passed = 0
        for test, outcome in self._session.outcomes(run):
            if outcome is Outcome.NOT_RUN:
                break
            if members >> test:
                # Not in reference order: a test that fails may be polluted; one that passes does not need the rest,
                # unless later tests count too, one of which may have served it.
                if not self._reorders:
                    self._learn_from_passes(run)
                return
            members |= 1 << test
            if outcome is self._session.findings.expected[test]:
                passed |= 1 << test
        if exclusion is not None:
            for test, weight in exclusion.weights.items():
                if members >> test & 1:
                    missing = self._elimination.candidates[test] & exclusion.excluded
                    self._likelihood.saw(test, missing, weight, passed=bool(passed >> test & 1))
        self._elimination.learn(members, passed)
        if exclusion is not None and exclusion.is_single:
            needed = exclusion.excluded.bit_length() - 1
            for test in exclusion.weights:
                if self._elimination.confirmed[test] >> needed & 1:
                    record_observed_need(self._session, needed, test, run)

    def _learn_from_passes(self, run: Run) -> None:
        before = 0
        for test, outcome in self._session.outcomes(run):
            if outcome is self._session.findings.expected[test]:
                self._elimination.can_do_with(test, before)
            before |= 1 << test

    def _choose(self, most: int) -> list[_Exclusion]:
        """As many as can run at the same time, each different from the others."""
        rows = [test for test in range(self._elimination.size) if self._elimination.candidates[test]]
        if len(rows) > _MAX_ROWS:
            rows = sorted(self._chance.sample(rows, _MAX_ROWS))
        weights = {test: self._likelihood.row(test) for test in rows}
        in_flight = dict.fromkeys(rows, 0)
        exclusions: list[_Exclusion] = []
        for _ in range(most):
            exclusion = self._most_informative(weights, in_flight)
            if exclusions and exclusion.gain < exclusions[0].gain * _WORTHWHILE:
                break
            exclusions.append(exclusion)
            for test in rows:
                in_flight[test] |= exclusion.excluded & self._elimination.candidates[test]
        return exclusions

    def _most_informative(self, weights: dict[int, dict[int, float]], in_flight: dict[int, int]) -> _Exclusion:
        """Greedy: the candidate whose absence gives most information, then each other that adds to it.

        Expected bits, with the outcomes of tests taken as independent. A test that is left out, or is known to need one
        that is, gives no information.
        """
        known = self._elimination
        voters = bits(weights)
        alone = dict.fromkeys(range(known.size), 0.0)
        # An order gives one outcome per test: without this, tests with many candidates would be left to the end.
        worth: dict[int, float] = {}
        for test, row in weights.items():
            gains = {candidate: _information(weight) for candidate, weight in row.items()}
            worth[test] = sum(gains.values())
            flying = in_flight[test]
            for candidate, part in gains.items():
                alone[candidate] += worth[test] * part * (_IN_FLIGHT if flying >> candidate & 1 else 1.0)
        ranked = sorted((candidate for candidate in alone if alone[candidate]), key=lambda candidate: -alone[candidate])
        columns = sum(map(bool, known.candidate_of))
        if self._patience > 0 and not self._is_dense and self._likelihood.trusts_flows:
            # Tests that no other should need are left out together; then the rest, one at a time.
            silent = [
                candidate for candidate in ranked if not known.candidate_of[candidate] & self._readers_of[candidate]
            ]
            if not silent:
                return self._excluding(1 << ranked[0], alone[ranked[0]])
            ranked = silent
            self._patience -= 1
        elif columns * 2 > known.size and max(worth.values()) * _ORDERS_FOR_A_BIT > columns:
            self._is_dense = True
        if self._is_dense:
            # Leaving out one test decides it for all others, and is a proof.
            return self._excluding(1 << ranked[0], alone[ranked[0]])
        missed = dict.fromkeys(weights, 0.0)
        excluded = lost = 0
        total = 0.0
        for candidate in ranked:
            gain = 0.0
            for test in positions(known.candidate_of[candidate] & voters & ~lost & ~excluded):
                more = _information(missed[test] + weights[test][candidate]) - _information(missed[test])
                gain += worth[test] * more * (_IN_FLIGHT if in_flight[test] >> candidate & 1 else 1.0)
            silenced = (known.needed_by[candidate] | 1 << candidate) & voters & ~lost & ~excluded
            gain -= sum(worth[test] * _information(missed[test]) for test in positions(silenced))
            if excluded and gain <= 0:
                continue
            total += gain
            excluded |= 1 << candidate
            lost |= known.needed_by[candidate]
            for test in positions(known.candidate_of[candidate] & voters):
                missed[test] += weights[test][candidate]
        return self._excluding(excluded, total)

    def _excluding(self, excluded: int, gain: float = 0.0) -> _Exclusion:
        """With the weights of every undecided test that gives information."""
        known, weight = self._elimination, self._likelihood.weight
        lost = reduce(or_, (known.needed_by[candidate] for candidate in positions(excluded)), 0)
        weights = {
            test: sum(weight(test, candidate) for candidate in positions(candidates & excluded))
            for test, candidates in enumerate(known.candidates)
            if candidates & excluded and not (excluded | lost) >> test & 1
        }
        return _Exclusion(excluded, lost, weights, gain)

    def _members(self, exclusion: _Exclusion) -> int:
        """The tests that give information, with all that they need or may need. An irregular one may need any earlier
        test."""
        known = self._elimination
        members = 0
        if exclusion.is_single:
            # The reference order without one test: it shows a need, so that no proof order is required.
            return ((2 << max(exclusion.weights)) - 1) & ~exclusion.excluded
        for test in exclusion.weights:
            members |= 1 << test | known.candidates[test] | known.confirmed[test]
        for test in positions(members & known.irregular):
            members |= (1 << test) - 1
        return members & ~exclusion.excluded & ~exclusion.lost

    def _store(self) -> None:
        graph = DependencyGraph(self._elimination.size)
        graph.rows = list(self._elimination.confirmed)
        findings = self._session.findings
        for test, row in enumerate(graph.reduction().rows):
            clauses = (Clause((position,), complete=not self._reorders) for position in positions(row))
            findings.learn(test, tuple(clauses))
        # Observations of a test before it turned out to be irregular prove nothing.
        findings.observed_needs = {
            pair: observed for pair, observed in findings.observed_needs.items() if not self.irregular >> pair[0] & 1
        }


_STEPS = 4096


@cache
def _information_at(step: int) -> float:
    weight = (step + 0.5) / _STEPS
    passes, fails = math.exp(-weight), -math.expm1(-weight)
    return -(passes * math.log2(passes) + fails * math.log2(fails))


def _information(weight: float) -> float:
    """The average information, in bits, from the outcome of a test that misses this weight; rounded, for speed."""
    return _information_at(int(weight * _STEPS)) if 0.0 < weight < _MAX_WEIGHT else 0.0
