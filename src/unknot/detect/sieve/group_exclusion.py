"""Leave some tests out, run the others, and read what came out of all of them.

Idea
    Every run says something about every test in it. Those are left out from whom most is to be learned: so many that
    about half of the undecided tests can be expected to fail, and as few as possible are left without an answer
    because something that they are known to need is missing. Where tests turn out to need so many others that this
    would take longer, one is left out at a time, and everyone else runs: that decides it for all tests and is a proof.
    Where few tests are undecided and there are workers enough, one batch of halves of the suite comes first, which
    leaves nothing open about tests that need one other.
Assumptions
    The papers' model: every need is a single earlier test, nobody pollutes. Tests that contradict it are handed back as
    odd, and what was deduced with their help is deduced anew without it.
Guarantee
    Under the model, the needs stored have the truth's closure. Either-or needs do not show here when one alternative is
    always present, or show as plain needs when the others were never there: the caller verifies by leaving out one at a
    time with everyone else present.
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
from unknot.detect.engine.orders import halving
from unknot.detect.engine.session import SearchSession
from unknot.detect.sieve.elimination import Suspicions
from unknot.detect.sieve.isolation import find_flaky
from unknot.detect.sieve.likelihood import Likelihood
from unknot.detect.sieve.single_exclusion import note_sight
from unknot.model.bits import bits, positions
from unknot.model.graph import DependencyGraph
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run

_MOST_ROWS = 200
"""So many undecided tests, drawn at random, vote on whom to leave out; more would only cost time."""

_MOST_PAIRS = 100_000
"""Of more undecided pairs the voters know too little: first every pair is seen once with the later test alone."""

_FEW_IN = 8
"""One undecided test in so many is few: to be in all orders of a batch, whoever else is left out."""

_MOST_ROUNDS = 3
"""So many orders of half of the suite, one after another for each worker, take no longer than choosing by answers."""

_MOST_WEIGHT = 30.0

_IN_FLIGHT = 0.25
"""What an answer is worth that another order of the same batch will probably give."""


_ORDERS_FOR_A_BIT = 2.7
"""Leaving several out, each test learns so little from an order, proofs of what was found included. Measured."""

_PATIENCE = 2
"""So many orders for each halving of the suite leave out several tests because nothing of theirs was recorded to be
found by others. A recording that is right needs fewer; one that lacks much has had its chance."""

_WORTHWHILE = 0.5
"""A further order goes into a batch if it tells at least this share of what the first one does."""


@dataclass(frozen=True)
class _Choice:
    """Who is left out; who then cannot work for sure; for each undecided test the weight of what it misses; and how
    much is to be learned, for comparison with other choices."""

    left_out: int
    lost: int
    weights: dict[int, float]
    gain: float

    @property
    def is_single(self) -> bool:
        return self.left_out & (self.left_out - 1) == 0


class LeaveOut:
    """Decides all pairs of a test and an earlier one. `odd` are tests known not to keep to the model."""

    def __init__(self, session: SearchSession, odd: Iterable[int] = (), *, reorders: bool, seed: int = 0) -> None:
        """With `reorders`, tests that stand after a dependent might serve it too; they are not tried here, and the
        clauses say so."""
        self._session = session
        self._reorders = reorders
        self._chance = random.Random(seed)
        self._is_dense = False
        self._found_by = self._readers()
        self._patience = _PATIENCE * len(session.suite).bit_length()
        self.odd = bits(odd)

    def _readers(self) -> list[int]:
        """For each test, as a bitset, who was recorded to find its work."""
        readers = [0] * len(self._session.suite)
        for test in range(len(readers)):
            for writer in positions(self._session.clues.needed(test)):
                readers[writer] |= 1 << test
        return readers

    def run(self) -> frozenset[int]:
        """Asks until nothing is undecided, and stores what was found; returns the odd ones."""
        while True:
            odd, flaky = self.odd, set(self._session.findings.flaky)
            self._start()
            self._decide()
            if self.odd == odd:
                break
            find_flaky(self._session, OrderRequest(self._session.suite.tests))
            if self._session.findings.flaky != flaky:
                # They may have made others look odd.
                self.odd = odd
        self._store()
        return frozenset(positions(self.odd))

    def _start(self) -> None:
        """From what runs said so far, those of which the model knows."""
        findings = self._session.findings
        size = len(self._session.suite)
        silent = bits(findings.flaky) | bits(test for test in range(size) if findings.wanted[test].is_bad)
        undecided = (test for test in range(size) if not (self.odd | silent) >> test & 1)
        self._known = Suspicions(size, undecided, [self._session.suspected(test) for test in range(size)])
        for test in positions(self.odd | silent):
            self._known.make_odd(test)
        self._likelihood = Likelihood(self._known, [self._session.clues.needed(test) for test in range(size)])
        for run in list(self._session.known.values()):
            if not self._session.is_void(run):
                self._learn(run)

    def _decide(self) -> None:
        session = self._session
        workers = max(1, session.price.workers)
        self._split_by_digits(workers)
        if self._known.extent()[0] > _MOST_PAIRS:
            session.start_step("clearing pairs by halves of the suite")
            for run in session.runs([session.request(half) for half in halving(self._known.size)]):
                self._learn(run)
        while any(self._known.suspects):
            session.start_step("leaving tests out", 0)
            self._likelihood.refresh()
            before = self._known.extent()
            self._ask(self._choose(workers))
            if self._known.extent() == before:
                self._leave_out_one()
        self.odd |= self._known.odd

    def _split_by_digits(self, workers: int) -> None:
        """Where few tests are undecided and there are workers enough: their suspects are numbered, and for each binary
        digit those who have it are left out, and those who have not. A test passes in one of the two if all that it
        needs agree in that digit, so that nothing is left open about a test that needs one other, and no order waits
        for the answer to another."""
        known = self._known
        undecided = bits(test for test, row in enumerate(known.suspects) if row)
        suspected = list(positions(reduce(or_, known.suspects, 0) & ~undecided))
        digits = max(0, len(suspected) - 1).bit_length()
        if not digits or 2 * digits > _MOST_ROUNDS * workers or undecided.bit_count() * _FEW_IN > known.size:
            return
        self._session.start_step("leaving halves out", 2 * digits)
        # Spread over all numbers of so many digits, so that each digit cuts in halves.
        numbers = [(place << digits) // len(suspected) for place in range(len(suspected))]
        sides = (
            bits(suspect for suspect, number in zip(suspected, numbers, strict=True) if number >> digit & 1 == side)
            for digit in range(digits)
            for side in (0, 1)
        )
        self._ask([choice for side in sides if (choice := self._without(side)).weights])

    def _ask(self, choices: Sequence[_Choice]) -> None:
        runs = self._session.runs([self._session.request(positions(self._members(choice))) for choice in choices])
        for choice, run in zip(choices, runs, strict=True):
            self._learn(run, choice)

    def _leave_out_one(self) -> None:
        """When many at once told nothing new. One suspect alone decides, unless an odd test has a hand in it: then
        nothing can be said of the dependent either."""
        test = next(test for test, suspects in enumerate(self._known.suspects) if suspects)
        suspect = max(positions(self._known.suspects[test]))
        before = self._known.extent()
        self._ask([self._just(suspect, 0.0)])
        if self._known.extent() == before:
            self._known.make_odd(test)

    def _learn(self, run: Run, choice: _Choice | None = None) -> None:
        members = passed = 0
        for test, outcome in self._session.outcomes(run):
            if outcome is Outcome.NOT_RUN:
                break
            if members >> test:
                # Not in reference order: whoever fails may be polluted, but whoever passes can do without the rest. Not
                # where later tests count too, for one of them may have served it.
                if not self._reorders:
                    self._learn_from_passes(run)
                return
            members |= 1 << test
            if outcome is self._session.findings.wanted[test]:
                passed |= 1 << test
        if choice is not None:
            for test, weight in choice.weights.items():
                if members >> test & 1:
                    missing = self._known.suspects[test] & choice.left_out
                    self._likelihood.saw(test, missing, weight, passed=bool(passed >> test & 1))
        self._known.learn(members, passed)
        if choice is not None and choice.is_single:
            needed = choice.left_out.bit_length() - 1
            for test in choice.weights:
                if self._known.confirmed[test] >> needed & 1:
                    note_sight(self._session, needed, test, run)

    def _learn_from_passes(self, run: Run) -> None:
        before = 0
        for test, outcome in self._session.outcomes(run):
            if outcome is self._session.findings.wanted[test]:
                self._known.can_do_with(test, before)
            before |= 1 << test

    def _choose(self, most: int) -> list[_Choice]:
        """As many as may be run at the same time, each different from the others."""
        rows = [test for test in range(self._known.size) if self._known.suspects[test]]
        if len(rows) > _MOST_ROWS:
            rows = sorted(self._chance.sample(rows, _MOST_ROWS))
        weights = {test: self._likelihood.row(test) for test in rows}
        in_flight = dict.fromkeys(rows, 0)
        choices: list[_Choice] = []
        for _ in range(most):
            choice = self._most_telling(weights, in_flight)
            if choices and choice.gain < choices[0].gain * _WORTHWHILE:
                break
            choices.append(choice)
            for test in rows:
                in_flight[test] |= choice.left_out & self._known.suspects[test]
        return choices

    def _most_telling(self, weights: dict[int, dict[int, float]], in_flight: dict[int, int]) -> _Choice:
        """Greedy: the suspect whose absence tells most by itself, then each other that adds to it.

        Expected bits, the tests' answers taken as independent. A test that is left out, or is known to need one that
        is, answers nothing.
        """
        known = self._known
        voters = bits(weights)
        alone = dict.fromkeys(range(known.size), 0.0)
        # Each order says one thing about a test: those about whom most is unknown would otherwise be left to the end.
        worth: dict[int, float] = {}
        for test, row in weights.items():
            told = {suspect: _bits_of(weight) for suspect, weight in row.items()}
            worth[test] = sum(told.values())
            flying = in_flight[test]
            for suspect, part in told.items():
                alone[suspect] += worth[test] * part * (_IN_FLIGHT if flying >> suspect & 1 else 1.0)
        ranked = sorted((suspect for suspect in alone if alone[suspect]), key=lambda suspect: -alone[suspect])
        columns = sum(map(bool, known.suspected_by))
        if self._patience > 0 and not self._is_dense and self._likelihood.believes_recording:
            # Whose absence should trouble nobody is left out with others like it; then, one at a time, the rest.
            silent = [suspect for suspect in ranked if not known.suspected_by[suspect] & self._found_by[suspect]]
            if not silent:
                return self._just(ranked[0], alone[ranked[0]])
            ranked = silent
            self._patience -= 1
        elif columns * 2 > known.size and max(worth.values()) * _ORDERS_FOR_A_BIT > columns:
            self._is_dense = True
        if self._is_dense:
            # One at a time decides a test for everybody, and shows at once what is then known.
            return self._just(ranked[0], alone[ranked[0]])
        missed = dict.fromkeys(weights, 0.0)
        left_out = lost = 0
        total = 0.0
        for suspect in ranked:
            gain = 0.0
            for test in positions(known.suspected_by[suspect] & voters & ~lost & ~left_out):
                more = _bits_of(missed[test] + weights[test][suspect]) - _bits_of(missed[test])
                gain += worth[test] * more * (_IN_FLIGHT if in_flight[test] >> suspect & 1 else 1.0)
            silenced = (known.needed_by[suspect] | 1 << suspect) & voters & ~lost & ~left_out
            gain -= sum(worth[test] * _bits_of(missed[test]) for test in positions(silenced))
            if left_out and gain <= 0:
                continue
            total += gain
            left_out |= 1 << suspect
            lost |= known.needed_by[suspect]
            for test in positions(known.suspected_by[suspect] & voters):
                missed[test] += weights[test][suspect]
        return self._without(left_out, total)

    def _just(self, suspect: int, gain: float) -> _Choice:
        return self._without(1 << suspect, gain)

    def _without(self, left_out: int, gain: float = 0.0) -> _Choice:
        lost = reduce(or_, (self._known.needed_by[suspect] for suspect in positions(left_out)), 0)
        return _Choice(left_out, lost, self._weights_of_all(left_out, lost), gain)

    def _weights_of_all(self, left_out: int, lost: int) -> dict[int, float]:
        """For every undecided test that will answer."""
        known = self._known
        return {
            test: sum(self._likelihood.weight(test, suspect) for suspect in positions(known.suspects[test] & left_out))
            for test in range(known.size)
            if known.suspects[test] & left_out and not (left_out | lost) >> test & 1
        }

    def _members(self, choice: _Choice) -> int:
        """Those who will answer, with all that they need or may need. An odd one may need anybody before it."""
        known = self._known
        members = 0
        if choice.is_single:
            # The reference order with one test less: shows a need, and need not be run again for that.
            return ((2 << max(choice.weights)) - 1) & ~choice.left_out
        for test in choice.weights:
            members |= 1 << test | known.suspects[test] | known.confirmed[test]
        for test in positions(members & known.odd):
            members |= (1 << test) - 1
        return members & ~choice.left_out & ~choice.lost

    def _store(self) -> None:
        graph = DependencyGraph(self._known.size)
        graph.rows = list(self._known.confirmed)
        findings = self._session.findings
        for test, row in enumerate(graph.reduction().rows):
            clauses = (Clause((position,), complete=not self._reorders) for position in positions(row))
            findings.learn(test, tuple(clauses))
        # What was seen of a test before it turned out to be odd is no proof of anything.
        findings.sights = {pair: sight for pair, sight in findings.sights.items() if not self.odd >> pair[0] & 1}


_STEPS = 4096


@cache
def _bits_at(step: int) -> float:
    weight = (step + 0.5) / _STEPS
    passes, fails = math.exp(-weight), -math.expm1(-weight)
    return -(passes * math.log2(passes) + fails * math.log2(fails))


def _bits_of(weight: float) -> float:
    """What is learned, on average, from whether a test passes that misses so much; to a few thousandths, for speed."""
    return _bits_at(int(weight * _STEPS)) if 0.0 < weight < _MOST_WEIGHT else 0.0
