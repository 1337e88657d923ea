"""An order of the whole suite that is built from its front and can always be completed safely."""

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from unknot.model.bits import bits, members
from unknot.model.dependencies import Dependencies
from unknot.plan.constraints.implications import Bundles, ending_tests, known_implications

_MOST_TRIES = 12
"""The number of sequences that are tried to resolve the conflicts that block a test."""


class SafeOrder:
    """`order` is what was placed so far, `placed` the same as a bitset; `left` are the tests that can still be placed.

    Guarantee at any moment: what was placed, then the tests left in reference order, then those that end their process,
    is a safe order as far as the dependencies are known. `place` must only be called with a sequence that
    `sequence_for` returned for the present state. Tests for which only the reference order is known to be safe are
    placed, with all before them, from the start.

    Assumes a finished search. Cost: each placement is linear in the alternatives and conflicts of the tests placed.
    """

    def __init__(self, dependencies: Dependencies, prices: Sequence[float]) -> None:
        self._size = len(dependencies.suite)
        self._prices = prices
        self._ending = ending_tests(dependencies)
        self._position = [self._later(test) for test in range(self._size)]
        index = dependencies.suite.index
        self._needs: dict[int, list[int]] = {}
        for dependent, needs in dependencies.needs_to_keep.items():
            others = ~self._ending & ~(1 << index[dependent])
            options = (bits(index[option] for option in need.any_of if option in index) for need in needs)
            self._needs[index[dependent]] = [there & others for there in options]
        self._conflicts_with: dict[int, list[_Conflict]] = {}
        rules = [rule for rule in known_implications(dependencies) if rule.is_need]
        stuck = max((rule.last + 1 for rule in rules if rule.needs_all), default=0)
        fixed = self._count_fixed(stuck, self._read_conflicts(dependencies))
        self.order: list[int] = list(range(fixed))
        self.left = ((1 << self._size) - 1) & ~((1 << fixed) - 1) & ~self._ending
        self.placed = (1 << fixed) - 1
        self.obstacles: set[int] = set()
        self._ending &= ~self.placed
        self._bundles = Bundles(prices, [rule for rule in rules if rule.last >= fixed])
        late = bits(test for test, needs in self._needs.items() if any(options >> test for options in needs))
        self._late = [bool(bundle & late) for bundle in self._bundles.of]

    def is_left(self, test: int) -> bool:
        return self._position[test] >= self._size and not self._ending >> test & 1

    def missing(self, test: int) -> list[int]:
        """The needs of a test that are not placed yet, and the test, which must be left, in a safe sequence."""
        return self._required(test, self.placed)

    def sequence_for(self, test: int, *, most_tries: int = _MOST_TRIES) -> list[int]:
        """The best sequence found that places a test: its missing needs, the test, and what its conflicts require.
        Empty if none was found in `most_tries`; `obstacles` then holds the tests of the conflicts that block it, and
        trying again makes sense only after one of them was placed.

        A conflict is resolved by running its victim before the polluters, or a cleaner between them; both come with
        their own needs, and may have conflicts to resolve in turn. Sequences are tried by their price until the test
        has run, then by their whole price.
        """
        self.obstacles = set()
        first = self.missing(test)
        heap = [(0.0, 0.0, first)]
        known = {tuple(first)}
        for _ in range(most_tries):
            if not heap:
                break
            _, _, sequence = heappop(heap)
            conflict = self._struck_by(sequence)
            if conflict is None:
                return sequence
            self.obstacles.update((conflict.victim, *conflict.polluters, *conflict.cleaners))
            for longer in self._resolutions(sequence, conflict):
                if tuple(longer) not in known and self._meets_needs(longer):
                    known.add(tuple(longer))
                    until = self._price(longer[: longer.index(test) + 1])
                    heappush(heap, (until, self._price(longer), longer))
        return []

    def place(self, sequence: Sequence[int]) -> None:
        for offset, test in enumerate(sequence):
            self._position[test] = len(self.order) + offset
        new = bits(sequence)
        self.order += sequence
        self.placed |= new
        self.left &= ~new

    def first_left(self) -> int:
        """The first test left in reference order, which no conflict blocks."""
        return (self.left & -self.left).bit_length() - 1

    def completed(self) -> list[int]:
        return [*self.order, *members(self.left), *members(self._ending)]

    def _price(self, tests: Sequence[int]) -> float:
        """Sorted, so that the same tests cost exactly the same in any sequence."""
        return sum(self._prices[test] for test in sorted(tests))

    def _struck_by(self, sequence: Sequence[int]) -> "_Conflict | None":
        """A conflict that would strike if the sequence were placed now."""
        for offset, test in enumerate(sequence):
            self._position[test] = len(self.order) + offset
        new = bits(sequence)
        touched = (conflict for test in sequence for conflict in self._conflicts_with.get(test, ()))
        struck = next((conflict for conflict in touched if self._strikes(conflict, new)), None)
        for test in sequence:
            self._position[test] = self._later(test)
        return struck

    def _resolutions(self, sequence: list[int], conflict: "_Conflict") -> Iterator[list[int]]:
        """Longer sequences: with a cleaner before the victim, or with the victim before a polluter."""
        victim = conflict.victim
        end = sequence.index(victim) if victim in sequence else len(sequence)
        for cleaner in conflict.cleaners:
            if self.is_left(cleaner):
                yield self._with(cleaner, [test for test in sequence[:end] if test != cleaner], sequence[end:])
        polluters = [place for place, test in enumerate(sequence) if test in conflict.polluters]
        for place in {0, *polluters[-1:], *([end] if victim not in sequence else [])}:
            yield self._with(victim, [test for test in sequence[:place] if test != victim], sequence[place:])

    def _with(self, test: int, before: list[int], after: list[int]) -> list[int]:
        """The sequence with the test, and its needs that are not met, inserted."""
        added = self._required(test, self.placed | bits(before))
        return [*before, *added, *(other for other in after if other not in added)]

    def _required(self, test: int, present: int) -> list[int]:
        """Tests that meet all needs of the test, given those present, and the test at the end."""
        if all(options & present for options in self._needs.get(test, ())):
            return [test]
        if not self._late[test]:
            return members(self._bundles.of[test] & ~present)
        chosen = 1 << test
        undecided = [test]
        while undecided:
            for options in self._needs.get(undecided.pop(), ()):
                if not options & (present | chosen):
                    option = self._cheapest(options, test, present)
                    chosen |= 1 << option
                    undecided.append(option)
        return self._sorted(chosen, present) or members(self._bundles.of[test] & ~present)

    def _cheapest(self, options: int, dependent: int, present: int) -> int:
        """The option that adds least and does not itself build on the dependent."""
        return min(
            (option for option in members(options) if not self._bundles.of[option] >> dependent & 1),
            key=lambda option: (self._bundles.weigh(self._bundles.of[option] & ~present), option),
        )

    def _sorted(self, tests: int, present: int) -> list[int]:
        """The tests, each after its needs, otherwise in reference order; empty if they need each other."""
        waiting = members(tests)
        found: list[int] = []
        while waiting:
            ready = []
            for test in waiting:
                if all(options & present for options in self._needs.get(test, ())):
                    present |= 1 << test
                    ready.append(test)
            if not ready:
                return []
            found += ready
            waiting = [test for test in waiting if not present >> test & 1]
        return found

    def _meets_needs(self, sequence: Sequence[int]) -> bool:
        before = self.placed
        for test in sequence:
            if not all(options & before for options in self._needs.get(test, ())):
                return False
            before |= 1 << test
        return True

    def _later(self, test: int) -> int:
        """The position of a test that was not placed yet."""
        return self._size * (2 if self._ending >> test & 1 else 1) + test

    def _read_conflicts(self, dependencies: Dependencies) -> "list[_Conflict]":
        index = dependencies.suite.index
        found = []
        for conflict in dependencies.conflicts:
            is_possible = conflict.polluters and all(test in index for test in conflict.polluters)
            if dependencies.outcomes[conflict.victim].is_bad or not is_possible:
                continue
            polluters = [index[test] for test in conflict.polluters]
            cleaners = [index[test] for test in conflict.cleaners if test in index]
            cleaners = [place for place in cleaners if not self._ending >> place & 1]
            found.append(_Conflict(index[conflict.victim], polluters, cleaners))
            for place in {found[-1].victim, *polluters, *cleaners}:
                self._conflicts_with.setdefault(place, []).append(found[-1])
        return found

    def _count_fixed(self, last: int, conflicts: "Sequence[_Conflict]") -> int:
        """How many tests at the front stay where they are: up to the last one that is only safe in reference order."""
        while True:
            self._position[:last] = range(last)
            struck = [found.victim for found in conflicts if found.victim >= last and self._strikes(found, -1)]
            if not struck:
                return last
            # A longer front contains more tests that end their process, and these may pollute.
            last = max(struck) + 1

    def _strikes(self, conflict: "_Conflict", new: int) -> bool:
        """Whether the victim would break, if it is not placed or is among the `new` tests. One placed earlier has
        already run."""
        here = self._position[conflict.victim]
        if here < self._size and not new >> conflict.victim & 1:
            return False
        polluted = max(self._position[polluter] for polluter in conflict.polluters)
        return polluted < here and not any(polluted < self._position[cleaner] < here for cleaner in conflict.cleaners)


class _Conflict(NamedTuple):
    """A conflict in positions of the suite."""

    victim: int
    polluters: list[int]
    cleaners: list[int]
