"""What each test requires in any order that follows the reference order.

Every order of a maker follows the reference order. So a conflict can strike only if all polluters precede the victim
there; and since the victim passed in the reference order, a cleaner runs in between. Including that cleaner in the
victim's closure, as if it were needed, makes every union of closures safe: needs stay met when tests are added, and a
conflict whose cleaner is always present cannot strike. So lanes can be filled freely, without checking conflicts again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby

from unknot.model.bits import members, positions
from unknot.model.dependencies import Dependencies
from unknot.plan.constraints.implications import Implication, ending_tests, index_rules, known_implications


@dataclass(frozen=True)
class Exclusion:
    """Tests that must not share an order with a victim: all `polluters`, which precede it in reference order, without
    one of `cleaners`, which run in between (none if no cleaner is known). The victim is not named: many victims share
    an exclusion, and only orders that hold the victim are checked."""

    polluters: int
    cleaners: int

    def strikes(self, members: int) -> bool:
        """Whether the victim breaks when these tests, including it, run in reference order."""
        return self.polluters & ~members == 0 and not self.cleaners & members


def any_strikes(exclusions: Iterable[Exclusion], members: int) -> bool:
    return any(exclusion.strikes(members) for exclusion in exclusions)


@dataclass
class OrderConstraints:
    """Constraints by position in the suite.

    `closures[t]`: t with all that must run in its order.
    `unresolved[t]`: exclusions of tests in the closure that has no cleaner for them, so it cannot be joined freely.
    `reference_only`: tests for which only the reference order is known to be safe.
    `ending`: tests that end their process in the reference order.
    `included[t]`: tests whose closures were added to that of t.
    `rules`: all needs and conflicts, independent of the choices made.
    `satisfied_by[t]`: the rules that t, an alternative or a cleaner, can satisfy.
    """

    closures: list[int]
    unresolved: dict[int, frozenset[Exclusion]] = field(default_factory=dict)
    reference_only: set[int] = field(default_factory=set)
    ending: frozenset[int] = frozenset()
    included: dict[int, list[int]] = field(default_factory=dict)
    rules: tuple[Implication, ...] = ()

    @cached_property
    def satisfied_by(self) -> dict[int, list[Implication]]:
        return index_rules((rule for rule in self.rules if not rule.needs_all), lambda rule: rule.wanted)


def derive_constraints(
    dependencies: Dependencies, weights: Sequence[float], expensive: float, clean_state: float
) -> OrderConstraints:
    """Chooses one alternative of each clause and one cleaner of each conflict: the cheapest that does not fail itself.

    A cleaner is not included if it costs more than `expensive` and more than running the victim's closure again from a
    clean state. Cost: linear in tests, alternatives and cleaners, times the width of a bitset.
    """
    return _Derivation(dependencies, weights, expensive, clean_state).constraints()


class _Derivation:
    def __init__(
        self, dependencies: Dependencies, weights: Sequence[float], expensive: float, clean_state: float
    ) -> None:
        self._expensive = expensive
        self._clean_state = clean_state
        tests = dependencies.suite.tests
        self._bad = [dependencies.outcomes[test].is_bad for test in tests]
        self._constraints = OrderConstraints(
            [1 << place for place in range(len(tests))],
            ending=frozenset(members(ending_tests(dependencies))),
            rules=known_implications(dependencies),
        )
        # Estimates: a prerequisite reached twice counts twice. Exact for trees, bounded by the whole suite.
        self._cost = list(weights)
        self._most = sum(weights)

    def constraints(self) -> OrderConstraints:
        # In reference order, so that the closures of all possible prerequisites are known.
        for place, rules in groupby(self._constraints.rules, key=lambda rule: rule.last):
            # Fewest alternatives first: a test that is required anyway may meet the wider clauses.
            for rule in sorted(rules, key=lambda rule: (not rule.is_need, rule.is_need and rule.wanted.bit_count())):
                if not rule.is_need:
                    self._add_exclusion(place, Exclusion(rule.when ^ 1 << place, 0 if rule.needs_all else rule.wanted))
                elif rule.needs_all:
                    self._constraints.reference_only.add(place)
                elif not rule.wanted & self._constraints.closures[place]:
                    self._join(place, min(positions(rule.wanted), key=self._price))
            self._find_reference_only(place)
        return self._constraints

    def _add_exclusion(self, place: int, exclusion: Exclusion) -> None:
        constraints = self._constraints
        if exclusion.cleaners & constraints.closures[place]:
            return
        cheapest = min(positions(exclusion.cleaners), key=self._price, default=None)
        if cheapest is None or (
            self._is_expensive(place, cheapest) and not exclusion.strikes(constraints.closures[place])
        ):
            constraints.unresolved[place] = constraints.unresolved.get(place, frozenset()) | {exclusion}
        else:
            self._join(place, cheapest)

    def _find_reference_only(self, place: int) -> None:
        row = self._constraints.closures[place]
        if any_strikes(self._constraints.unresolved.get(place, ()), row):
            self._constraints.reference_only.add(place)

    def _price(self, place: int) -> tuple[bool, bool, bool, float, int]:
        constraints = self._constraints
        return (
            place in constraints.reference_only,
            place in constraints.unresolved,
            self._bad[place],
            self._cost[place],
            place,
        )

    def _is_expensive(self, victim: int, cleaner: int) -> bool:
        return self._cost[cleaner] > max(self._expensive, self._clean_state + self._cost[victim])

    def _join(self, place: int, other: int) -> None:
        constraints = self._constraints
        constraints.closures[place] |= constraints.closures[other]
        constraints.included.setdefault(place, []).append(other)
        self._cost[place] = min(self._most, self._cost[place] + self._cost[other])
        if other in constraints.unresolved:
            constraints.unresolved[place] = (
                constraints.unresolved.get(place, frozenset()) | constraints.unresolved[other]
            )
        if other in constraints.reference_only:
            constraints.reference_only.add(place)
