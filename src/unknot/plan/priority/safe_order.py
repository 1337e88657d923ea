"""An order of the whole suite that is built from its front, and can always be finished safely."""

from collections.abc import Sequence

from unknot.model.bits import bits, members
from unknot.model.dependencies import Conflict, Dependencies
from unknot.model.suite import Order
from unknot.plan.constraints.implications import Bundles, Implication


class SafeOrder:
    """`order` is what was placed so far, `placed` the same as a bitset; `left` are the tests that can still be taken.

    Guarantee at any moment: what was placed, then the tests left in reference order, then those that end their process,
    is a safe order as far as the dependencies know. `take` refuses what would break that. Tests for which only the
    reference order is known to be safe stand in it, with all before them, from the start.

    Assumes a finished search. Cost: each take is linear in the alternatives and the conflicts of the tests taken.
    """

    def __init__(self, dependencies: Dependencies, prices: Sequence[float]) -> None:
        self._size = len(dependencies.suite)
        self._index = dependencies.suite.index
        tests = dependencies.suite.tests
        self._ending = bits(place for place, test in enumerate(tests) if dependencies.outcomes[test].ends_process)
        self._place = [self._later(test) for test in range(self._size)]
        self._touching: dict[int, list[_Trouble]] = {}
        self._own: dict[int, list[int]] = {}
        rules = self._rules(dependencies)
        fixed = self._fixed(rules, self._troubles(dependencies))
        self.order: list[int] = list(range(fixed))
        self.obstacle: tuple[int, ...] = ()
        self.left = ((1 << self._size) - 1) & ~((1 << fixed) - 1) & ~self._ending
        self.placed = (1 << fixed) - 1
        self._ending &= ~self.placed
        self._bundles = Bundles(prices, [rule for rule in rules if rule.when.bit_length() > fixed])

    def is_left(self, test: int) -> bool:
        return self._place[test] >= self._size and not self._ending >> test & 1

    def missing(self, test: int) -> int:
        """The test, which must be left, and what it needs and is not placed."""
        if all(options & self.placed for options in self._own.get(test, ())):
            return 1 << test
        return self._bundles.of[test] & self.left

    def take(self, test: int) -> int:
        """Places the test behind what it needs, and gives back what was placed: nothing where a conflict forbids it.
        Then `obstacle` holds the tests of that conflict, and only when one of them is placed it makes sense to try
        again."""
        new = self.missing(test)
        sequence = members(new)
        for offset, place in enumerate(sequence):
            self._place[place] = len(self.order) + offset
        touched = (trouble for place in sequence for trouble in self._touching.get(place, ()))
        struck = next((trouble for trouble in touched if self._strikes(trouble, new)), None)
        if struck:
            self.obstacle = (struck.victim, *struck.polluters, *struck.cleaners)
            for place in sequence:
                self._place[place] = self._later(place)
            return 0
        self.order += sequence
        self.placed |= new
        self.left &= ~new
        return new

    def take_first(self) -> int:
        """The first test left in reference order, which nothing forbids."""
        test = (self.left & -self.left).bit_length() - 1
        return self.take(test)

    def finished(self) -> list[int]:
        return [*self.order, *members(self.left), *members(self._ending)]

    def _later(self, test: int) -> int:
        """Where a test stands that was not placed yet."""
        return self._size * (2 if self._ending >> test & 1 else 1) + test

    def _rules(self, dependencies: Dependencies) -> list[Implication]:
        found = []
        for test, name in enumerate(dependencies.suite.tests):
            for need in dependencies.needs_of.get(name, ()):
                options = bits(place for place in self._places(need.any_of) if place < test) & ~self._ending
                self._own.setdefault(test, []).append(options)
                found.append(Implication(1 << test, options))
        return found

    def _troubles(self, dependencies: Dependencies) -> "list[_Trouble]":
        found = []
        for conflict in dependencies.conflicts:
            polluters = self._places(conflict.polluters)
            if (
                dependencies.outcomes[conflict.victim].is_bad
                or not polluters
                or len(polluters) < len(set(conflict.polluters))
            ):
                continue
            trouble = _Trouble(self._index[conflict.victim], polluters, self._cleaners(conflict))
            found.append(trouble)
            for place in {trouble.victim, *polluters, *trouble.cleaners}:
                self._touching.setdefault(place, []).append(trouble)
        return found

    def _fixed(self, rules: Sequence[Implication], troubles: "Sequence[_Trouble]") -> int:
        """How many tests at the front stay as they are: up to the last whose safety only the reference order shows."""
        last = max((rule.when.bit_length() for rule in rules if not rule.wanted), default=0)
        while True:
            self._place[:last] = range(last)
            struck = [trouble.victim for trouble in troubles if trouble.victim >= last and self._strikes(trouble, -1)]
            if not struck:
                return last
            # A longer front holds more tests that end their process, and these may pollute.
            last = max(struck) + 1

    def _cleaners(self, conflict: Conflict) -> list[int]:
        return [place for place in self._places(conflict.cleaners) if not self._ending >> place & 1]

    def _places(self, tests: Order) -> list[int]:
        return [self._index[test] for test in tests if test in self._index]

    def _strikes(self, trouble: "_Trouble", new: int) -> bool:
        """Whether the victim, if it is not placed or just was, would break. One placed before is none of our business:
        it ran."""
        here = self._place[trouble.victim]
        if here < self._size and not new >> trouble.victim & 1:
            return False
        polluted = max(self._place[polluter] for polluter in trouble.polluters)
        return polluted < here and not any(polluted < self._place[cleaner] < here for cleaner in trouble.cleaners)


class _Trouble:
    """A conflict in positions."""

    __slots__ = ("cleaners", "polluters", "victim")

    def __init__(self, victim: int, polluters: list[int], cleaners: list[int]) -> None:
        self.victim = victim
        self.polluters = polluters
        self.cleaners = cleaners
