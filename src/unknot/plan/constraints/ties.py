"""What each test must have beside it in any order that follows the reference order.

Every order of a maker follows the reference order, so a conflict can strike only where all polluters stand before
the victim there; and since the reference order did as expected, a cleaner then stands in between. Carrying that
cleaner with the victim, as if it were needed, makes every union of rows safe: needs stay met when tests are added, and
a conflict whose cleaner is always there cannot strike. So lanes can be filled freely, without trying conflicts again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from unknot.model.bits import bits, positions
from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.outcome import Outcome
from unknot.model.suite import Order

_ENDS_PROCESS = frozenset({Outcome.CRASHED, Outcome.TIMED_OUT})


@dataclass(frozen=True)
class Ban:
    """What may not be in one order with a victim: all `polluters`, which stand before it in reference order, without
    one of `cleaners`, which stand between; there are none where the dependencies do not know what cleans. The victim is
    not named: many have the same ban, and it is only asked about orders that hold the victim."""

    polluters: int
    cleaners: int

    def strikes(self, members: int) -> bool:
        """Whether the victim breaks when these tests, it being one of them, run in reference order."""
        return self.polluters & ~members == 0 and not self.cleaners & members


def strikes_any(bans: Iterable[Ban], members: int) -> bool:
    return any(ban.strikes(members) for ban in bans)


@dataclass
class Ties:
    """`rows[t]`: t with all that must run in its order. `apart[t]`: bans on tests in the row for which it holds no
    cleaner, so that it may not be joined freely with others. `stuck`: tests for which only the reference order is known
    to be safe. `ending`: tests that take their process down in the reference order. `clauses_with[t]`: dependents with
    the clauses that t can meet. `bans_with[t]`: victims with the bans that t lifts. `joined[t]`: those whose rows were
    taken into t's. `clauses_of[t]` and `bans_of[t]`: all that t needs and all that it must be spared, whatever was
    chosen."""

    rows: list[int]
    apart: dict[int, frozenset[Ban]] = field(default_factory=dict)
    stuck: set[int] = field(default_factory=set)
    ending: frozenset[int] = frozenset()
    clauses_with: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    bans_with: dict[int, list[tuple[int, Ban]]] = field(default_factory=dict)
    joined: dict[int, list[int]] = field(default_factory=dict)
    clauses_of: dict[int, list[int]] = field(default_factory=dict)
    bans_of: dict[int, list[Ban]] = field(default_factory=dict)


def tie(dependencies: Dependencies, weights: Sequence[float], dear: float, clean_state: float) -> Ties:
    """Chooses one alternative of each clause and one cleaner of each conflict: the cheapest that does not fail itself.

    A cleaner that costs more than `dear`, and more than running the victim's row once more from a clean state, is not
    carried. Cost: linear in tests, alternatives and cleaners, times the width of a bitset.
    """
    return _Tying(dependencies, weights, dear, clean_state).ties()


class _Tying:
    def __init__(self, dependencies: Dependencies, weights: Sequence[float], dear: float, clean_state: float) -> None:
        self._dependencies = dependencies
        self._index = dependencies.suite.index
        self._dear = dear
        self._clean_state = clean_state
        tests = dependencies.suite.tests
        self._bad = [dependencies.outcomes[test].is_bad for test in tests]
        ending = frozenset(place for place, test in enumerate(tests) if dependencies.outcomes[test] in _ENDS_PROCESS)
        self._ties = Ties([1 << place for place in range(len(tests))], ending=ending)
        # Estimates: a prerequisite reached twice counts twice, which is exact for trees and bounded by the whole suite.
        self._cost = list(weights)
        self._most = sum(weights)

    def ties(self) -> Ties:
        # In reference order, so that the rows of all possible prerequisites are known.
        for place, test in enumerate(self._dependencies.suite.tests):
            needs = self._dependencies.needs_of.get(test, ())
            if needs:
                self._add_needs(place, needs)
            conflicts = self._dependencies.conflicts_of.get(test, ())
            if conflicts and not self._bad[place]:
                self._add_conflicts(place, conflicts)
            self._find_stuck(place)
        return self._ties

    def _add_needs(self, place: int, needs: Sequence[Need]) -> None:
        clauses = [self._between(need.any_of, -1, place) for need in needs]
        # Fewest alternatives first: what must be there anyway may meet the wider clauses.
        for clause in sorted(clauses, key=len):
            if not clause:
                self._ties.stuck.add(place)
                continue
            mask = bits(clause)
            self._ties.clauses_of.setdefault(place, []).append(mask)
            for option in clause:
                self._ties.clauses_with.setdefault(option, []).append((place, mask))
            if not mask & self._ties.rows[place]:
                self._join(place, min(clause, key=self._price))

    def _add_conflicts(self, place: int, conflicts: Sequence[Conflict]) -> None:
        for conflict in conflicts:
            polluters = self._between(conflict.polluters, -1, place)
            if len(polluters) < len(set(conflict.polluters)) or not polluters:
                continue
            cleaners = self._between(conflict.cleaners, polluters[-1], place)
            self._add_ban(place, Ban(bits(polluters), bits(cleaners)))

    def _add_ban(self, place: int, ban: Ban) -> None:
        ties = self._ties
        ties.bans_of.setdefault(place, []).append(ban)
        for cleaner in positions(ban.cleaners):
            ties.bans_with.setdefault(cleaner, []).append((place, ban))
        if ban.cleaners & ties.rows[place]:
            return
        cheapest = min(positions(ban.cleaners), key=self._price, default=None)
        if cheapest is None or (self._is_dear(place, cheapest) and not ban.strikes(ties.rows[place])):
            ties.apart[place] = ties.apart.get(place, frozenset()) | {ban}
        else:
            self._join(place, cheapest)

    def _find_stuck(self, place: int) -> None:
        row = self._ties.rows[place]
        if strikes_any(self._ties.apart.get(place, ()), row):
            self._ties.stuck.add(place)

    def _between(self, tests: Order, after: int, before: int) -> list[int]:
        """The positions, rising, of those that stand between and leave their process alive. A test that is not in the
        suite never runs."""
        places = {self._index[test] for test in tests if test in self._index}
        return sorted(place for place in places - self._ties.ending if after < place < before)

    def _price(self, place: int) -> tuple[bool, bool, bool, float, int]:
        ties = self._ties
        return place in ties.stuck, place in ties.apart, self._bad[place], self._cost[place], place

    def _is_dear(self, victim: int, cleaner: int) -> bool:
        return self._cost[cleaner] > max(self._dear, self._clean_state + self._cost[victim])

    def _join(self, place: int, other: int) -> None:
        ties = self._ties
        ties.rows[place] |= ties.rows[other]
        ties.joined.setdefault(place, []).append(other)
        self._cost[place] = min(self._most, self._cost[place] + self._cost[other])
        if other in ties.apart:
            ties.apart[place] = ties.apart.get(place, frozenset()) | ties.apart[other]
        if other in ties.stuck:
            ties.stuck.add(place)
