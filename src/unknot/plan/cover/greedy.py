"""Covers without a solver: greedy by coverage per price, then improved by partial restarts."""

import random
from collections import Counter
from heapq import heapify, heappop, heappush

from unknot.model.bits import members
from unknot.plan.constraints.implications import Bundles
from unknot.plan.cover.problem import CoverProblem
from unknot.plan.cover.reduction import ReducedProblem

_EFFORT = 60_000
_MOST_TRIALS = 300
_FEWEST_TRIALS = 10
"""The number of partial restarts: fewer, the more tests there are to choose from."""

_FORGOTTEN = 0.2
"""The share of the cover that a partial restart removes."""


class GreedyCover:
    """Guarantee: the result covers all elements and breaks no rule, and no single test of it can be left out. The same
    problem always gives the same result."""

    def __init__(self, problem: CoverProblem, core: ReducedProblem) -> None:
        self._problem = problem
        self._core = core
        # Tests that must stay cost nothing more.
        prices = [0 if core.forced >> test & 1 else price for test, price in enumerate(problem.prices.of)]
        self._bundles = Bundles(prices, core.rules)
        self._elements = [members(row & core.elements) for row in problem.rows]
        self._gives = [problem.covered(bundle) & core.elements for bundle in self._bundles.of]

    def cover(self) -> int:
        """The first cover, improved by partial restarts: a part of it is removed at random, with a fixed seed, and
        grown again; the cheaper cover is kept. Cost: each restart is about linear in the tests to choose from."""
        best = self._prune(self._grow(self._core.forced))
        price = self._problem.price(best)
        chance = random.Random(0)
        size = self._core.open.bit_count()
        for _ in range(max(_FEWEST_TRIALS, min(_MOST_TRIALS, _EFFORT // max(1, size)))):
            loose = members(best & ~self._core.forced)
            if len(loose) < 2:
                break
            given_up = sum(1 << test for test in chance.sample(loose, max(2, round(len(loose) * _FORGOTTEN))))
            trial = self._prune(self._grow(best & ~given_up))
            if (found := self._problem.price(trial)) < price:
                best, price = trial, found
        return best

    def _grow(self, start: int) -> int:
        """Adds the test whose bundle covers most for its price, until all is covered.

        A ratio falls as other tests cover the same elements, so the best entry is evaluated again before it is added.
        It rises when a part of its bundle is added; then it is entered again.
        """
        part = self._bundles.closed(start)
        missing = self._core.elements & ~self._problem.covered(part)
        heap = [(-self._ratio(test, part, missing), test) for test in members(self._core.open & ~part)]
        heapify(heap)
        while missing:
            _, test = heappop(heap)
            if part >> test & 1:
                continue
            worth = self._ratio(test, part, missing)
            if worth == 0:
                continue
            if heap and (-worth, test) > heap[0]:
                heappush(heap, (-worth, test))
                continue
            grown = self._bundles.joined(part, test)
            new = grown & ~part
            part = grown
            missing &= ~self._problem.covered(new)
            for dependent in self._dependents(new, part):
                heappush(heap, (-self._ratio(dependent, part, missing), dependent))
        return part

    def _ratio(self, test: int, part: int, missing: int) -> float:
        gained = (self._gives[test] & missing).bit_count()
        return gained / self._bundles.weigh(self._bundles.of[test] & ~part) if gained else 0.0

    def _dependents(self, new: int, part: int) -> list[int]:
        found = 0
        for test in members(new):
            for rule in self._core.wanted_by.get(test, ()):
                found |= rule.when
        return members(found & ~part & self._core.open)

    def _prune(self, part: int) -> int:
        """Without tests that can be left out, the most expensive first, and then those that no test needs any more."""
        problem, wanted_by = self._problem, self._core.wanted_by
        times = Counter(element for test in members(part) for element in self._elements[test])
        dropped = True
        while dropped:
            dropped = False
            for test in sorted(members(part & ~self._core.forced), key=lambda test: (-problem.prices.of[test], -test)):
                without = part ^ 1 << test
                if any(times[element] == 1 for element in self._elements[test]):
                    continue
                if any(rule.is_broken_by(without) for rule in wanted_by.get(test, ())):
                    continue
                part = without
                times.subtract(self._elements[test])
                dropped = True
        return part

    def widest(self, start: int, limit: int) -> int:
        """A part with wide coverage that contains `start`, costs at most `limit` and breaks no rule: adds the test
        whose bundle covers most for its price, as long as one fits.

        The ratio alone can be far from the best if one expensive test covers nearly all. So a second attempt starts
        with the test that covers most by itself, and the better result is returned. Assumes that `start` is closed
        under the rules and within the limit. Cost: tests added times tests.
        """
        problem = self._problem

        def reach(part: int) -> int:
            return problem.count(problem.covered(part))

        grown = (self._bundles.joined(start, test) for test in members(self._core.open & ~start))
        fitting = [part for part in grown if problem.price(part) <= limit]
        tries = [self._fill(start, limit)]
        if fitting:
            tries.append(self._fill(max(fitting, key=reach), limit))
        return max(tries, key=lambda part: (reach(part), -problem.price(part)))

    def _fill(self, part: int, limit: int) -> int:
        missing = self._problem.elements & ~self._problem.covered(part)

        def rank(test: int) -> tuple[float, int]:
            gained = self._problem.count(self._gives[test] & missing)
            added = self._bundles.of[test] & ~part
            return gained / self._bundles.weigh(added) if gained and added else float(gained), -test

        # A test that does not fit now could fit later only if others added its prerequisites: it is not tried again.
        candidates = members(self._core.open & ~part)
        while missing:
            best = max(candidates, key=rank, default=None)
            if best is None or not self._gives[best] & missing:
                return part
            grown = self._bundles.joined(part, best)
            if self._problem.price(grown) <= limit:
                part = grown
                missing &= ~self._problem.covered(part)
            candidates = [test for test in candidates if test != best and self._gives[test] & missing]
        return part
