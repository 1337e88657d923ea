"""The state of a search: what is wanted of every test, and what was found so far. Valid whenever one stops."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from unknot.model.bits import positions
from unknot.model.closure import closure_bits
from unknot.model.outcome import Outcome

_NEVER = 1 << 60


@dataclass(frozen=True)
class Clause:
    """Any one of these positions must have run; rising."""

    any_of: tuple[int, ...]
    complete: bool = True


@dataclass(frozen=True)
class Sight:
    """Two orders that were run, each without its last test, the one in question: it did as wanted after `with_it` and
    not after `without`, which lacks a prerequisite and whoever cannot run without it."""

    with_it: tuple[int, ...]
    without: tuple[int, ...]


@dataclass(frozen=True)
class Pollution:
    """`victim` is broken by all of `polluters`; `sequence` is an order, without the victim, that shows it."""

    victim: int
    polluters: tuple[int, ...]
    sequence: tuple[int, ...]
    cleaners: tuple[int, ...] = ()
    complete: bool = True


@dataclass(frozen=True)
class Steadiness:
    """What came of repeating an order: what the test mostly did there, and whether it is flaky, having differed in so
    many of so many runs; `sure` is the probability that it is."""

    usual: Outcome
    is_flaky: bool
    differed: int
    runs: int
    sure: float


@dataclass
class Findings:
    """`wanted[i]` is the outcome that counts as "as expected" for test i: its reference outcome, except for a test
    that fails in the reference order and passes alone: that one is a victim, and passing is what is wanted."""

    wanted: list[Outcome]
    pollutions: list[Pollution] = field(default_factory=list)
    flaky: set[int] = field(default_factory=set)
    sights: dict[tuple[int, int], Sight] = field(default_factory=dict)
    """By dependent and prerequisite: needs that were seen on the way, and need no orders of their own as proof."""
    failed: dict[tuple[int, tuple[int, ...]], frozenset[int]] = field(default_factory=dict)
    """By victim and the sequence after which it was seen broken: who of the sequence had not done as wanted."""
    certainty: dict[int, Steadiness] = field(default_factory=dict)
    """Of flaky tests, how sure that is."""
    usual: dict[int, Outcome] = field(default_factory=dict)
    """What tests do in the reference order as a rule, where the first run of it was an exception."""
    rescued: set[int] = field(default_factory=set)
    """Tests that fail in the reference order although they pass alone."""
    settled: set[int] = field(default_factory=set)
    """Tests that differed once, and of which it was decided whether they are flaky."""
    next_look: int = 0
    """How many orders have to be asked before it is looked again who differed."""
    is_examined: bool = False
    """Whether the reference order was repeated to tell who is flaky."""

    def __post_init__(self) -> None:
        self._clauses: dict[int, tuple[Clause, ...]] = {}
        self._unresolved: frozenset[int] = frozenset()
        self._closures: dict[int, int] = {}
        self._rounds_without: dict[frozenset[int], Mapping[int, int]] = {}

    @property
    def clauses(self) -> Mapping[int, tuple[Clause, ...]]:
        return self._clauses

    @property
    def unresolved(self) -> AbstractSet[int]:
        return self._unresolved

    def learn(self, test: int, clauses: tuple[Clause, ...]) -> None:
        """What the test needs; no clauses mean that it needs nothing."""
        self._clauses.pop(test, None)
        if clauses:
            self._clauses[test] = clauses
        self._forget_derived()

    def give_up_on(self, tests: Iterable[int]) -> None:
        """Nothing is known of what these need but that the reference order has it."""
        self._unresolved |= frozenset(tests)
        self._forget_derived()

    def take_back(self, tests: Iterable[int]) -> None:
        """These are not unresolved any more."""
        self._unresolved -= frozenset(tests)
        self._forget_derived()

    def _forget_derived(self) -> None:
        self._closures.clear()
        self._rounds_without.clear()

    def closure(self, test: int, avoid: AbstractSet[int] = frozenset()) -> tuple[int, ...]:
        """The test with all it needs, the test last, the rest in reference order as far as needs allow, without those
        to avoid where there is a choice. An unresolved test is thought to need every earlier one."""
        return (*self._arranged(self._closure_bits(test, avoid) & ~(1 << test)), test)

    def closed(self, group: Iterable[int], avoid: AbstractSet[int] = frozenset()) -> list[int]:
        """The group with everything it needs, in reference order as far as needs allow."""
        members = 0
        for test in group:
            members |= self._closure_bits(test, avoid)
        return self._arranged(members)

    def _arranged(self, members: int) -> list[int]:
        """Reference order, but whoever serves a test and stands after it is moved before it."""
        order: list[int] = []
        placed: set[int] = set()
        begun: set[int] = set()

        def place(test: int) -> None:
            begun.add(test)
            for clause in self._clauses.get(test, ()):
                if placed.isdisjoint(clause.any_of):
                    helpers = [option for option in clause.any_of if members >> option & 1 and option not in begun]
                    if helpers:
                        place(helpers[0])
            placed.add(test)
            order.append(test)

        for test in positions(members):
            if test not in begun:
                place(test)
        return order

    def _closure_bits(self, test: int, avoid: AbstractSet[int]) -> int:
        if test not in self._clauses and test not in self._unresolved:
            return 1 << test
        if avoid:
            return self._close(test, self._rounds(avoid))
        known = self._closures.get(test)
        if known is None:
            known = self._closures[test] = self._close(test, {})
        return known

    def _close(self, test: int, rounds: Mapping[int, int]) -> int:
        """With `rounds`, whoever serves a test can do so itself without it: tests never hold each other up."""

        def clauses(at: int) -> list[Sequence[int]]:
            mine = rounds.get(at, _NEVER)
            fitting = ([o for o in clause.any_of if rounds.get(o, 0) < mine] for clause in self._clauses.get(at, ()))
            return [fit or clause.any_of for fit, clause in zip(fitting, self._clauses.get(at, ()), strict=True)]

        chosen = closure_bits(test, clauses)
        for stranger in self._unresolved:
            if chosen >> stranger & 1:
                chosen |= (1 << stranger) - 1
        return chosen

    def _rounds(self, gone: AbstractSet[int]) -> Mapping[int, int]:
        """When these are gone: for each brittle test the round in which it can be served by those of earlier rounds,
        never if at all; those that are gone never serve. Whoever is not listed needs nothing. Built from below, so
        that tests that only need each other do not hold each other up."""
        key = frozenset(gone)
        known = self._rounds_without.get(key)
        if known is not None:
            return known
        rounds = dict.fromkeys([*self._clauses, *gone], _NEVER)
        waiting = [test for test in self._clauses if test not in gone]
        number = 1
        while waiting:
            served = [
                test
                for test in waiting
                if all(any(rounds.get(o, 0) < number for o in clause.any_of) for clause in self._clauses[test])
            ]
            if not served:
                break
            rounds.update(dict.fromkeys(served, number))
            done = set(served)
            waiting = [test for test in waiting if test not in done]
            number += 1
        self._rounds_without[key] = rounds
        return rounds

    def stranded(self, gone: AbstractSet[int]) -> frozenset[int]:
        """Tests that cannot do as wanted any more when these are gone, whatever else is there.
        Cost: the number of brittle tests times the length of their chains, once for each set."""
        rounds = self._rounds(gone)
        return frozenset(test for test, number in rounds.items() if number == _NEVER and test not in gone)

    def rests_on(self, test: int, others: Iterable[int]) -> bool:
        """Whether the test cannot run without one of these."""
        if test in self._unresolved:
            return any(other < test for other in others)
        return test in self._clauses and test in self.stranded(frozenset(others) - {test})

    def explains(self, victim: int, before: Sequence[int]) -> bool:
        """Whether a known pollution breaks the victim after this sequence."""
        place = {test: number for number, test in enumerate(before)}
        for known in self.pollutions:
            if known.victim != victim or not all(polluter in place for polluter in known.polluters):
                continue
            last = max(place[polluter] for polluter in known.polluters)
            if not any(place.get(cleaner, -1) > last for cleaner in known.cleaners):
                return True
        return False

    def accounts_for(self, victim: int, before: tuple[int, ...]) -> bool:
        """Whether it is no wonder that the victim was seen broken after this sequence: a pollution explains it; or, as
        may have turned out since, it lacked what it needs, or a flaky test had failed before it."""
        failed = self.failed.get((victim, before), frozenset())
        if not self.flaky.isdisjoint(failed) or not self.has_needs(victim, set(before) - failed):
            return True
        return self.explains(victim, before)

    def has_needs(self, test: int, worked: set[int]) -> bool:
        return all(any(option in worked for option in clause.any_of) for clause in self.clauses.get(test, ()))
