"""The state of a search: the expected outcome of every test, and what was found so far. Valid whenever a search
stops.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from unknot.model.closure import closure_bits, runnable_order
from unknot.model.outcome import Outcome

_NEVER = 1 << 60

Positions = tuple[int, ...]


@dataclass(frozen=True)
class Clause:
    """Any one of these positions must have run; in rising order."""

    any_of: tuple[int, ...]
    complete: bool = True

    def served_in(self, closure: Sequence[int]) -> int:
        """The member that is in this closure of a test with this clause."""
        return next(member for member in self.any_of if member in closure)


@dataclass(frozen=True)
class ObservedNeed:
    """Two orders that were run, each without its last test, the dependent: it behaved as expected after `with_it` and
    not after `without`, which lacks a prerequisite and the tests that cannot run without it."""

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
class FlakinessVerdict:
    """The result of repeating an order: the usual outcome of the test and whether it is flaky. Its outcome differed in
    `differed` of `runs` runs; `probability` is that of being flaky."""

    usual: Outcome
    is_flaky: bool
    differed: int
    runs: int
    probability: float


@dataclass
class Findings:
    """`expected[i]` is the expected outcome of test i: its reference outcome. The exception is a test that fails in the
    reference order and passes alone: that one is a victim, and is expected to pass."""

    expected: list[Outcome]
    pollutions: list[Pollution] = field(default_factory=list)
    pollutions_when_failing: list[Pollution] = field(default_factory=list)
    """By tests that fail themselves, because what they need is missing."""
    flaky: set[int] = field(default_factory=set)
    observed_needs: dict[tuple[int, int], ObservedNeed] = field(default_factory=dict)
    """By dependent and prerequisite: needs that the search itself has shown, so that they need no orders as proof."""
    broken: defaultdict[int, list[Positions]] = field(default_factory=lambda: defaultdict(list))
    """By test: the sequences after which it failed although it had all its known needs, or passes alone."""
    failed: dict[tuple[int, Positions], frozenset[int]] = field(default_factory=dict)
    """By victim and the sequence after which it was broken: the tests of the sequence that had failed themselves."""
    flakiness: dict[int, FlakinessVerdict] = field(default_factory=dict)
    """The verdicts on flaky tests."""
    usual: dict[int, Outcome] = field(default_factory=dict)
    """The usual outcome in the reference order, of tests whose first outcome there was an exception."""
    reference_victims: set[int] = field(default_factory=set)
    """Tests that fail in the reference order although they pass alone."""
    decided: set[int] = field(default_factory=set)
    """Tests whose outcome differed once and for which it was decided whether they are flaky."""
    next_flakiness_check: int = 0
    """Check for inconsistent tests again when this many orders were run."""

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
        """Records what the test needs; no clauses mean that it needs nothing."""
        self._clauses.pop(test, None)
        if clauses:
            self._clauses[test] = clauses
        self._forget_derived()

    def mark_unresolved(self, tests: Iterable[int]) -> None:
        """Only the reference order is known to have what these tests need."""
        self._unresolved |= frozenset(tests)
        self._forget_derived()

    def mark_resolved(self, tests: Iterable[int]) -> None:
        """These tests are no longer unresolved."""
        self._unresolved -= frozenset(tests)
        self._forget_derived()

    def _forget_derived(self) -> None:
        self._closures.clear()
        self._rounds_without.clear()

    def observe_need(self, dependent: int, prerequisite: int, with_it: Iterable[int], without: Iterable[int]) -> None:
        """Two runs have shown the need; see `ObservedNeed`."""
        self.observed_needs[dependent, prerequisite] = ObservedNeed(tuple(with_it), tuple(without))

    def closure(self, test: int, avoid: AbstractSet[int] = frozenset()) -> tuple[int, ...]:
        """The test with all it needs, the test last, the others in reference order as far as needs allow. Tests in
        `avoid` are left out where there is a choice. An unresolved test is taken to need every earlier one."""
        return (*self._in_runnable_order(self._closure_bits(test, avoid) & ~(1 << test)), test)

    def closure_of(self, group: Iterable[int], avoid: AbstractSet[int] = frozenset()) -> list[int]:
        """The group with everything it needs, in reference order as far as needs allow."""
        members = 0
        for test in group:
            members |= self._closure_bits(test, avoid)
        return self._in_runnable_order(members)

    def _in_runnable_order(self, members: int) -> list[int]:
        return runnable_order(members, lambda test: [clause.any_of for clause in self._clauses.get(test, ())])

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
        """With `rounds`, a test is served only by tests that can run without it: no two tests wait for each other."""

        def clauses(at: int) -> list[Sequence[int]]:
            mine = rounds.get(at, _NEVER)
            fitting = ([o for o in clause.any_of if rounds.get(o, 0) < mine] for clause in self._clauses.get(at, ()))
            return [fit or clause.any_of for fit, clause in zip(fitting, self._clauses.get(at, ()), strict=True)]

        chosen = closure_bits(test, clauses)
        for unresolved in self._unresolved:
            if chosen >> unresolved & 1:
                chosen |= (1 << unresolved) - 1
        return chosen

    def _rounds(self, gone: AbstractSet[int]) -> Mapping[int, int]:
        """With these tests gone: for each brittle test the round in which tests of earlier rounds can serve it, or
        never. Tests that are gone never serve; tests that are not listed need nothing. Built bottom-up, so that tests
        that only need each other are never served."""
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

    def unrunnable_without(self, gone: AbstractSet[int]) -> frozenset[int]:
        """Tests that cannot behave as expected when these are gone, whatever else runs.
        Cost: the number of brittle tests times the length of their chains, once for each set."""
        rounds = self._rounds(gone)
        return frozenset(test for test, number in rounds.items() if number == _NEVER and test not in gone)

    def depends_on_any(self, test: int, others: Iterable[int]) -> bool:
        """Whether the test cannot run without one of these."""
        if test in self._unresolved:
            return any(other < test for other in others)
        return test in self._clauses and test in self.unrunnable_without(frozenset(others) - {test})

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

    def unexplained(self, aside: AbstractSet[int] = frozenset()) -> dict[int, Positions]:
        """For each broken test the shortest sequence that nothing accounts for. Skips flaky tests and those in
        `aside`."""
        found: dict[int, Positions] = {}
        for victim, sequences in sorted(self.broken.items()):
            if victim in self.flaky or victim in aside:
                continue
            unaccounted = [before for before in sequences if not self._accounts_for(victim, before)]
            if unaccounted:
                found[victim] = min(unaccounted, key=lambda before: (len(before), before))
        return found

    def _accounts_for(self, victim: int, before: Positions) -> bool:
        """Whether the failure of the victim after this sequence is accounted for: a pollution explains it; or it is
        known by now that the victim lacked what it needs, or that a flaky test had failed before it."""
        failed = self.failed.get((victim, before), frozenset())
        if not self.flaky.isdisjoint(failed) or not self.has_needs(victim, set(before) - failed):
            return True
        return self.explains(victim, before)

    def has_needs(self, test: int, worked: set[int]) -> bool:
        return all(any(option in worked for option in clause.any_of) for clause in self.clauses.get(test, ()))


def reduce_clauses(findings: Findings) -> None:
    """Drops a clause that another clause of the same test satisfies by its own closure: with single prerequisites
    only, this is the transitive reduction. A clause of several is implied if whatever is taken for another clause
    brings one of its members along."""
    for test, clauses in list(findings.clauses.items()):
        kept = list(clauses)
        for clause in clauses:
            others = [other for other in kept if other is not clause]
            if any(_implies(findings, other, clause) for other in others):
                kept.remove(clause)
        if len(kept) < len(clauses):
            findings.learn(test, tuple(kept))


def _implies(findings: Findings, one: Clause, other: Clause) -> bool:
    """Whether no test that meets `one` can run without `other` being met."""
    members = frozenset(other.any_of)
    lost = findings.unrunnable_without(members)
    return all(option in members or option in lost for option in one.any_of)
