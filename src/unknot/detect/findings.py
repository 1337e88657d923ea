"""The state of a search: what is wanted of every test, and what was found so far. Valid whenever one stops."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from unknot.model.bits import positions
from unknot.model.closure import closure_bits
from unknot.model.outcome import Outcome


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


@dataclass
class Pollution:
    """`victim` is broken by all of `polluters`; `sequence` is an order, without the victim, that shows it."""

    victim: int
    polluters: tuple[int, ...]
    sequence: tuple[int, ...]
    cleaners: tuple[int, ...] = ()
    complete: bool = True


@dataclass
class Findings:
    """`wanted[i]` is the outcome that counts as "as expected" for test i: its reference outcome, except for a test
    that fails in the reference order and passes alone: that one is a victim, and passing is what is wanted."""

    wanted: list[Outcome]
    pollutions: list[Pollution] = field(default_factory=list)
    flaky: set[int] = field(default_factory=set)
    sights: dict[tuple[int, int], Sight] = field(default_factory=dict)
    """By dependent and prerequisite: needs that were seen on the way, and need no orders of their own as proof."""

    def __post_init__(self) -> None:
        self._clauses: dict[int, tuple[Clause, ...]] = {}
        self._unresolved: frozenset[int] = frozenset()
        self._closures: dict[int, int] = {}
        self._stranded: dict[AbstractSet[int], frozenset[int]] = {}

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

    def _forget_derived(self) -> None:
        self._closures.clear()
        self._stranded.clear()

    def closure(self, test: int, avoid: AbstractSet[int] = frozenset()) -> tuple[int, ...]:
        """The test with all it needs, the test last, the rest in reference order, without those to avoid where there
        is a choice. An unresolved test is thought to need every earlier one."""
        return (*positions(self._closure_bits(test, avoid) & ~(1 << test)), test)

    def closed(self, group: Iterable[int], avoid: AbstractSet[int] = frozenset()) -> list[int]:
        """The group with everything it needs, in reference order."""
        members = 0
        for test in group:
            members |= self._closure_bits(test, avoid)
        return list(positions(members))

    def _closure_bits(self, test: int, avoid: AbstractSet[int]) -> int:
        if test not in self._clauses and test not in self._unresolved:
            return 1 << test
        if avoid:
            return self._close(test, avoid | self.stranded(avoid))
        known = self._closures.get(test)
        if known is None:
            known = self._closures[test] = self._close(test, avoid)
        return known

    def _close(self, test: int, unwanted: AbstractSet[int]) -> int:
        chosen = closure_bits(test, lambda at: [clause.any_of for clause in self._clauses.get(at, ())], unwanted)
        for stranger in self._unresolved:
            if chosen >> stranger & 1:
                chosen |= (1 << stranger) - 1
        return chosen

    def stranded(self, gone: AbstractSet[int]) -> frozenset[int]:
        """Tests that cannot do as wanted any more when these are gone, whatever else is there.

        Built from below: a test works if each of its clauses has a member that works, so that tests that only need
        each other do not hold each other up. Cost: the number of brittle tests times the length of their chains.
        """
        key = frozenset(gone)
        known = self._stranded.get(key)
        if known is not None:
            return known
        lost = set(self._clauses)
        grew = True
        while grew:
            grew = False
            # In reference order one pass settles every chain; another is needed only where an option stands later.
            for test in sorted(lost):
                if test not in gone and all(
                    any(o not in lost and o not in gone for o in clause.any_of) for clause in self._clauses[test]
                ):
                    lost.discard(test)
                    grew = True
        found = self._stranded[key] = frozenset(lost - gone)
        return found

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

    def has_needs(self, test: int, worked: set[int]) -> bool:
        return all(any(option in worked for option in clause.any_of) for clause in self.clauses.get(test, ()))
