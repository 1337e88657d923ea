"""Most coverage within a limit, without a solver."""

from unknot.plan.bitsets import members
from unknot.plan.cover.bundles import Bundles
from unknot.plan.cover.core import Core
from unknot.plan.cover.problem import CoverProblem


def fullest_greedily(problem: CoverProblem, core: Core, start: int, limit: int) -> int:
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
    def __init__(self, problem: CoverProblem, core: Core, limit: int) -> None:
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
