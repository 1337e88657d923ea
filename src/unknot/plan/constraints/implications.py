"""What a part of the suite must hold so that it can run by itself, in reference order, and do as expected.

A part could also be safe by a plan that keeps a victim and its polluter in different orders. The parts made here ask
for more: one order, the reference order, from one clean state. So plain pytest can run them, or any other runner that
keeps the order, and their seconds are the sum of their tests' seconds, with nothing run twice. The price is a cleaner
now and then, where victim and polluter both stay.
"""

from dataclasses import dataclass

from unknot.model.bits import bits
from unknot.model.dependencies import Conflict, Dependencies
from unknot.model.outcome import Outcome
from unknot.model.suite import Order

_ENDS_PROCESS = frozenset({Outcome.CRASHED, Outcome.TIMED_OUT})


@dataclass(frozen=True)
class Rule:
    """A part that holds all of `when` holds one of `wanted` too; or, with `whole`, all of `wanted`. Bitsets."""

    when: int
    wanted: int
    whole: bool = False

    def is_broken_by(self, part: int) -> bool:
        if self.when & ~part:
            return False
        return bool(self.wanted & ~part) if self.whole else not self.wanted & part


def rules_of(dependencies: Dependencies) -> tuple[Rule, ...]:
    """Guarantee: a part that breaks no rule, run in reference order, does as expected as far as the dependencies know;
    and the whole suite breaks none.

    - A need is met by an alternative that stands before its dependent.
    - A victim with all its polluters before it wants a cleaner in between: the test after the polluters that kept the
      reference order green. If its reference outcome is bad anyway, it wants nothing.
    - Where the dependencies know no such test, only the beginning of the reference order is known to be safe, and all
      of it is wanted. While the search is not finished, that is so for every test.
    - A test that crashed or timed out ends its process, so it meets no need and cleans nothing. It runs behind the
      others or in an order of its own, so it does not pollute either.

    Cost: linear in the alternatives, polluters and cleaners, times the width of a bitset.
    """
    return tuple(_Ruling(dependencies).rules())


class _Ruling:
    def __init__(self, dependencies: Dependencies) -> None:
        self._dependencies = dependencies
        self._index = dependencies.suite.index
        tests = dependencies.suite.tests
        self._ending = bits(place for place, test in enumerate(tests) if dependencies.outcomes[test] in _ENDS_PROCESS)

    def rules(self) -> list[Rule]:
        if self._dependencies.untried or not self._dependencies.complete:
            return self._beginnings()
        found: dict[Rule, None] = {}
        for place, test in enumerate(self._dependencies.suite.tests):
            for need in self._dependencies.needs_of.get(test, ()):
                found[self._rule(1 << place, self._between(need.any_of, -1, place), place)] = None
            if not self._dependencies.outcomes[test].is_bad:
                for conflict in self._dependencies.conflicts_of.get(test, ()):
                    if rule := self._cleaning(conflict, place):
                        found[rule] = None
        return list(found)

    def _beginnings(self) -> list[Rule]:
        """Each test wants the one before it, which wants the one before that."""
        found = []
        before = None
        for place in range(len(self._index)):
            if before is not None:
                found.append(Rule(1 << place, 1 << before))
            if not self._ending >> place & 1:
                before = place
        return found

    def _cleaning(self, conflict: Conflict, place: int) -> Rule | None:
        polluters = self._between(conflict.polluters, -1, place)
        if not polluters or polluters.bit_count() < len(set(conflict.polluters)):
            return None
        cleaners = self._between(conflict.cleaners, polluters.bit_length() - 1, place)
        return self._rule(1 << place | polluters, cleaners, place)

    def _rule(self, when: int, wanted: int, place: int) -> Rule:
        if wanted:
            return Rule(when, wanted)
        return Rule(when, ((1 << place) - 1) & ~self._ending, whole=True)

    def _between(self, tests: Order, after: int, before: int) -> int:
        """Those that stand between, as a bitset. A test that is not in the suite never runs."""
        places = (self._index[test] for test in tests if test in self._index)
        return bits(place for place in places if after < place < before) & ~self._ending
