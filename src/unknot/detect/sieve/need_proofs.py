"""Which needs two runs have shown, and the orders that show the others.

A need is shown by two runs that are equal up to the dependent: it passed in the first, and failed in the second, which
lacks the prerequisite and perhaps tests that cannot run without it. One order without a prerequisite can show the needs
of several dependents. What runs before each of them stays short, because people read it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_

from unknot.detect.sieve.elimination import Elimination
from unknot.model.bits import bits, positions

_SPARE = 6
"""A proof has so many tests more than necessary, at most, so that one order can prove several needs."""

_CLEAN_STATE = 0.25
"""An order that shows needs costs as much as this share of the suite, and its tests."""


class NeedProofs:
    """`seen[t]`: for each set of tests that ran before t, in reference order, whether it behaved as expected; `bases`:
    what ran in each run; `closure`: what a test needs or may need, with all that this needs. With `many`, there are so
    many needs that one order has to show several of them, and proofs may be long."""

    def __init__(
        self,
        known: Elimination,
        seen: Sequence[Mapping[int, bool]],
        bases: Iterable[int],
        closure: Callable[[int], int],
    ) -> None:
        self._known = known
        self._seen = seen
        self._bases = bases
        self._closure = closure
        self.many = False

    def of(self, test: int, needed: int) -> tuple[int, int] | None:
        """What ran before the test in two runs that show the need, the shortest: it passed after the first and failed
        after the second, which lacks the needed test and perhaps others that cannot run without it."""
        lost = self._known.needed_by[needed] | 1 << needed
        vital = self._known.confirmed[test] & ~lost
        fails = [f for f, ok in self._seen[test].items() if not ok and not f >> needed & 1 and not vital & ~f]
        if not fails:
            return None
        passes = [p for p, ok in self._seen[test].items() if ok and p >> needed & 1]
        pairs = [
            (p, f)
            for f in fails
            for p in passes
            if not f & ~p and not p & ~f & ~lost and self._may_prove(test, needed, p, f)
        ]
        return min(pairs, key=lambda pair: (pair[0].bit_count(), pair), default=None)

    def _may_prove(self, test: int, needed: int, before: int, without: int) -> bool:
        """Whether the test may have run after these two in a proof: what it needs, and few others. If it has several
        needs, the needed test may only have cleaned up after one of the others: these have to run after it, and not to
        depend on it. With a single need, the test would have passed without both. If there are many needs, neither is
        ruled out."""
        closure = self._closure(test)
        if self.many or before == closure:
            return True
        is_short = before.bit_count() <= closure.bit_count() + _SPARE
        others = without & ~closure
        return is_short and (
            self._has_one_need(test) or not others & (self._known.needed_by[needed] | (2 << needed) - 1)
        )

    def _has_one_need(self, test: int) -> bool:
        return len(list(self._direct(test))) == 1

    def missing(self) -> list[int]:
        """For each need that is not shown, an order in which its dependent passed, without the prerequisite and what
        cannot run without it; where one order can show several needs of one prerequisite, that one."""
        known = self._known
        unshown: dict[int, int] = {}
        for test in range(known.size):
            if not known.irregular >> test & 1:
                for needed in self._direct(test):
                    if self.of(test, needed) is None:
                        unshown[needed] = unshown.get(needed, 0) | 1 << test
        chosen: list[int] = []
        for needed, dependents in unshown.items():
            while dependents:
                orders, shown = min(self._without_one(needed, dependents), key=self._cost_of_each)
                chosen += orders
                dependents &= ~shown
        return chosen

    def _cost_of_each(self, proofs: tuple[list[int], int]) -> float:
        """In tests, for each need that the orders show."""
        orders, shown = proofs
        clean_state = _CLEAN_STATE * self._known.size
        return sum(clean_state + order.bit_count() for order in orders) / shown.bit_count()

    def _without_one(self, needed: int, dependents: int) -> Iterator[tuple[list[int], int]]:
        """Orders that leave out this test, with those of the dependents whose need of it they show: what ran before,
        without it; or the closures of some of these dependents together, with and without it."""
        lost = self._known.needed_by[needed] | 1 << needed
        several = bits(test for test in positions(dependents) if not self._has_one_need(test))
        for base in self._bases:
            if base >> needed & 1:
                for group in dict.fromkeys((dependents, several)):
                    shown = self._shown_by(needed, base & ~lost, base, group)
                    if shown:
                        yield [(base & ~lost | shown) & ((1 << shown.bit_length()) - 1)], shown
        for group in self._groups(needed, dependents, lost):
            base = reduce(or_, map(self._closure, positions(group)), group)
            yield [base, base & ~lost | group], group

    def _shown_by(self, needed: int, without: int, base: int, dependents: int) -> int:
        """Those of the dependents that passed in the base and whose need is shown if they run after `without`, and
        after each other."""
        shown = 0
        for test in positions(base & dependents):
            before, earlier = base & ((1 << test) - 1), (without | shown) & ((1 << test) - 1)
            if self._seen[test].get(before, False) and self._may_prove(test, needed, before, earlier):
                shown |= 1 << test
        return shown

    def _groups(self, needed: int, dependents: int, lost: int) -> Iterator[int]:
        """Dependents whose closures one order can hold, so that each may be proved; and each by itself."""
        group = base = 0
        for test in positions(dependents):
            more, larger = group | 1 << test, base | self._closure(test) | 1 << test
            if all(
                self._may_prove(one, needed, larger & ((1 << one) - 1), (larger & ~lost | more) & ((1 << one) - 1))
                for one in positions(more)
            ):
                group, base = more, larger
        if group & (group - 1):
            yield group
        yield from (1 << test for test in positions(dependents))

    def _direct(self, test: int) -> Iterator[int]:
        """What the test needs or may need, and no other of these brings along."""
        possible = self._known.possible(test)
        brought = reduce(or_, (self._known.confirmed[other] for other in positions(possible)), 0)
        return positions(possible & ~brought)


def with_siblings(orders: Iterable[int], rows: Mapping[int, int]) -> list[int]:
    """The orders, each for its last test, continued by tests with a single need that this test has, too, by these
    rows: then one order without it shows the need of all of them."""
    single = {test: row.bit_length() - 1 for test, row in rows.items()}
    single = {test: last for test, last in single.items() if rows[test] == rows.get(last, 0) | 1 << last}
    found = []
    for order in orders:
        test = order.bit_length() - 1
        for sibling, needed in single.items():
            if sibling > test and rows[test] >> needed & 1 and order.bit_count() <= rows[sibling].bit_count() + _SPARE:
                order |= 1 << sibling
        found.append(order)
    return found


def longest(orders: Iterable[int]) -> list[int]:
    """The orders, without those with which another one begins."""
    left = list(dict.fromkeys(orders))
    return [
        one for one in left if not any(one != other and other & ((1 << one.bit_length()) - 1) == one for other in left)
    ]
