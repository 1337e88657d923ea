"""A cheap cover, without a solver: the best bargain again and again, then second thoughts."""

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
"""So many second thoughts, fewer the more tests there are to choose from."""

_FORGOTTEN = 0.2
"""The share of the answer that a second thought gives up."""


class GreedyCover:
    """Guarantee: what it gives back covers all elements and breaks no rule, and no test of it can be left out by
    itself. The same problem always gives the same answer."""

    def __init__(self, problem: CoverProblem, core: ReducedProblem) -> None:
        self._problem = problem
        self._core = core
        # What must stay is paid for already.
        prices = [0 if core.forced >> test & 1 else price for test, price in enumerate(problem.prices.of)]
        self._bundles = Bundles(prices, core.rules)
        self._elements = [members(row & core.elements) for row in problem.rows]
        self._gives = [problem.covered(bundle) & core.elements for bundle in self._bundles.of]

    def cover(self) -> int:
        """The first answer, and then second thoughts: a part of the answer is given up at random, always the same way,
        and grown again; what is cheaper is kept. Cost: each of them is about linear in the tests to choose from."""
        best = self._pruned(self._grown(self._core.forced))
        price = self._problem.price(best)
        chance = random.Random(0)
        size = self._core.open.bit_count()
        for _ in range(max(_FEWEST_TRIALS, min(_MOST_TRIALS, _EFFORT // max(1, size)))):
            loose = members(best & ~self._core.forced)
            if len(loose) < 2:
                break
            given_up = sum(1 << test for test in chance.sample(loose, max(2, round(len(loose) * _FORGOTTEN))))
            trial = self._pruned(self._grown(best & ~given_up))
            if (found := self._problem.price(trial)) < price:
                best, price = trial, found
        return best

    def _grown(self, start: int) -> int:
        """Adds the test whose bundle covers most for its price, until all is covered.

        A bargain gets worse as others cover the same, so the best of yesterday is looked at again before it is taken.
        It gets better when a part of its bundle is there already: then it is put up again.
        """
        part = self._bundles.closed(start)
        missing = self._core.elements & ~self._problem.covered(part)
        heap = [(-self._bargain(test, part, missing), test) for test in members(self._core.open & ~part)]
        heapify(heap)
        while missing:
            _, test = heappop(heap)
            if part >> test & 1:
                continue
            worth = self._bargain(test, part, missing)
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
                heappush(heap, (-self._bargain(dependent, part, missing), dependent))
        return part

    def _bargain(self, test: int, part: int, missing: int) -> float:
        gained = (self._gives[test] & missing).bit_count()
        return gained / self._bundles.weigh(self._bundles.of[test] & ~part) if gained else 0.0

    def _dependents(self, new: int, part: int) -> list[int]:
        found = 0
        for test in members(new):
            for rule in self._core.wanted_by.get(test, ()):
                found |= rule.when
        return members(found & ~part & self._core.open)

    def _pruned(self, part: int) -> int:
        """Without what can be left out, the dearest first; what nobody needs any more after that goes in turn."""
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


# Most coverage within a limit, without a solver.
def widest_cover(problem: CoverProblem, core: ReducedProblem, start: int, limit: int) -> int:
    """A part that holds `start`, costs `limit` at most, breaks no rule, and covers as much as was found: the test whose
    bundle covers most for its price, again and again, as long as one fits.

    Bargains alone can be far off where one dear test covers nearly all, so the one that covers most by itself is tried
    as a beginning too, and the better of both is given back. Assumes that `start` is closed under the rules and within
    the limit. Cost: tests taken times tests.
    """
    filling = _Filling(problem, core, limit)
    first = filling.filled(start)
    widest = filling.widest(start)
    if widest is None:
        return first
    second = filling.filled(widest)
    return max(first, second, key=lambda part: (filling.reach(part), -problem.price(part)))


class _Filling:
    def __init__(self, problem: CoverProblem, core: ReducedProblem, limit: int) -> None:
        self._problem = problem
        self._limit = limit
        self._open = core.open
        self._bundles = Bundles(problem.prices.of, core.rules)
        self._gives = [problem.covered(bundle) for bundle in self._bundles.of]

    def reach(self, part: int) -> int:
        return self._problem.count(self._problem.covered(part))

    def widest(self, start: int) -> int | None:
        fitting = [
            grown
            for test in members(self._open & ~start)
            if self._problem.price(grown := self._bundles.joined(start, test)) <= self._limit
        ]
        return max(fitting, key=self.reach, default=None)

    def filled(self, part: int) -> int:
        missing = self._problem.elements & ~self._problem.covered(part)
        # A test that does not fit now will not fit later but for what others bring: it is not looked at again.
        candidates = members(self._open & ~part)
        while missing:
            best = max(candidates, key=lambda test: (self._bargain(test, part, missing), -test), default=None)
            if best is None or not self._gives[best] & missing:
                return part
            grown = self._bundles.joined(part, best)
            if self._problem.price(grown) <= self._limit:
                part = grown
                missing &= ~self._problem.covered(part)
            candidates = [test for test in candidates if test != best and self._gives[test] & missing]
        return part

    def _bargain(self, test: int, part: int, missing: int) -> float:
        gained = self._problem.count(self._gives[test] & missing)
        added = self._bundles.of[test] & ~part
        return gained / self._bundles.weigh(added) if gained and added else float(gained)
