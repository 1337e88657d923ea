"""What a part of the suite must contain to run by itself, in reference order, with the expected outcomes.

A part could also be safe by a plan that keeps a victim and its polluter in different orders. The implications here
require more: one order, the reference order, from one clean state. So plain pytest can run the part, or any other
runner that keeps the order, and its time is the sum of its tests' seconds, with no test run twice. The price is an
occasional cleaner if both victim and polluter stay.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from unknot.model.bits import WeightTable, bits, members
from unknot.model.dependencies import Dependencies
from unknot.model.suite import Order


@dataclass(frozen=True)
class Implication:
    """A part that contains all of `when` also contains one of `wanted`, or all of it if `needs_all`. Bitsets. What is
    wanted precedes the last test of `when`, the dependent or victim; polluters are the other tests of `when`."""

    when: int
    wanted: int
    needs_all: bool = False

    @property
    def last(self) -> int:
        return self.when.bit_length() - 1

    @property
    def is_need(self) -> bool:
        return self.when.bit_count() == 1

    def is_broken_by(self, part: int) -> bool:
        if self.when & ~part:
            return False
        return bool(self.wanted & ~part) if self.needs_all else not self.wanted & part


def index_rules(rules: Iterable[Implication], tests_of: Callable[[Implication], int]) -> dict[int, list[Implication]]:
    """For each test the rules that name it in this role."""
    found: dict[int, list[Implication]] = {}
    for rule in rules:
        for test in members(tests_of(rule)):
            found.setdefault(test, []).append(rule)
    return found


def ending_tests(dependencies: Dependencies) -> int:
    """The tests that end their process in the reference order, as a bitset."""
    tests = dependencies.suite.tests
    return bits(place for place, test in enumerate(tests) if dependencies.outcomes[test].ends_process)


def implications_of(dependencies: Dependencies) -> tuple[Implication, ...]:
    """Guarantee: a part that satisfies all implications, run in reference order, has the expected outcomes as far as
    the dependencies are known; and the whole suite satisfies them. While the search is unfinished, only a prefix of the
    reference order is known to be safe: each test requires the one before it.

    Cost: linear in the alternatives, polluters and cleaners, times the width of a bitset.
    """
    if not dependencies.untried and dependencies.complete:
        return known_implications(dependencies)
    ending = ending_tests(dependencies)
    found = []
    before = None
    for place in range(len(dependencies.suite)):
        if before is not None:
            found.append(Implication(1 << place, 1 << before))
        if not ending >> place & 1:
            before = place
    return tuple(found)


def known_implications(dependencies: Dependencies) -> tuple[Implication, ...]:
    """What the known dependencies require, by the last test of each, needs first.

    - A need is met by an alternative that precedes its dependent.
    - A victim with all its polluters before it requires a cleaner in between: the test after the polluters that kept
      the reference order green. If its reference outcome is bad anyway, it requires nothing.
    - If no such test is known, only a prefix of the reference order is known to be safe, and all of it is required.
    - A test that crashed or timed out ends its process, so it meets no need and cleans nothing. It runs after the
      others or in an order of its own, so it does not pollute either.
    """
    index, ending = dependencies.suite.index, ending_tests(dependencies)

    def between(tests: Order, after: int, before: int) -> int:
        """A test that is not in the suite never runs."""
        places = (index[test] for test in tests if test in index)
        return bits(place for place in places if after < place < before) & ~ending

    def rule(when: int, wanted: int, place: int) -> Implication:
        if wanted:
            return Implication(when, wanted)
        return Implication(when, ((1 << place) - 1) & ~ending, needs_all=True)

    found: dict[Implication, None] = {}
    for place, test in enumerate(dependencies.suite.tests):
        for need in dependencies.needs_to_keep.get(test, ()):
            found[rule(1 << place, between(need.any_of, -1, place), place)] = None
        if dependencies.outcomes[test].is_bad:
            continue
        for conflict in dependencies.conflicts_of.get(test, ()):
            polluters = between(conflict.polluters, -1, place)
            if polluters and polluters.bit_count() == len(set(conflict.polluters)):
                cleaners = between(conflict.cleaners, polluters.bit_length() - 1, place)
                found[rule(1 << place | polluters, cleaners, place)] = None
    return tuple(found)


class Bundles:
    """Each test with what it implies. `of[t]`: t and tests that satisfy every implication about members of the bundle;
    if there is a choice, the cheapest.

    The choice is a heuristic: what is cheapest for one test need not be for many. Assumes that what an implication
    requires precedes the last test that it is about, and that the whole suite satisfies all. Cost: linear in the
    implications and the tests that they name, times the width of a bitset.
    """

    def __init__(self, prices: Sequence[float], rules: Sequence[Implication]) -> None:
        self._scale = WeightTable(prices)
        self._own = index_rules((rule for rule in rules if rule.is_need), lambda rule: rule.when)
        self._joint = index_rules((rule for rule in rules if not rule.is_need), lambda rule: rule.when)
        self._in_joint = bits(self._joint)
        self.of: list[int] = []
        for test in range(len(prices)):
            self.of.append(self._bundle(test))

    def closed(self, part: int) -> int:
        """Any part with everything that it implies."""
        whole = 0
        for test in members(part):
            whole |= self.of[test]
        return self._settled(whole, whole)

    def joined(self, part: int, test: int) -> int:
        """Like `closed`, for a part that is closed and one more test."""
        return self._settled(part | self.of[test], self.of[test] & ~part)

    def weigh(self, part: int) -> float:
        return self._scale.weigh(part)

    def _bundle(self, test: int) -> int:
        part = 1 << test
        # Fewest alternatives first: what is required anyway may satisfy the wider implications.
        for rule in sorted(self._own.get(test, ()), key=lambda rule: (not rule.needs_all, rule.wanted.bit_count())):
            part |= self._missing(rule, part)
        return self._settled(part, part)

    def _settled(self, part: int, new: int) -> int:
        """Bundles satisfy the implications of single tests; those about several tests are handled here."""
        fresh = new & self._in_joint
        while fresh:
            grown = part
            for test in members(fresh):
                for rule in self._joint[test]:
                    grown |= self._missing(rule, grown)
            fresh, part = grown & ~part & self._in_joint, grown
        return part

    def _missing(self, rule: Implication, part: int) -> int:
        if not rule.is_broken_by(part):
            return 0
        if rule.needs_all:
            # A prefix of the suite, which implies nothing more.
            return rule.wanted
        option = min(members(rule.wanted), key=lambda option: (self._scale.weigh(self.of[option] & ~part), option))
        return self.of[option]
