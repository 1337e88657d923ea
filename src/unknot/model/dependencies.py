"""What a detection found: needs, conflicts, their proofs, and what is still unknown."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

from unknot.model.closure import closure_bits, runnable_order
from unknot.model.outcome import Outcome
from unknot.model.pairs import pairs_in, rows_in
from unknot.model.reason import Reason
from unknot.model.suite import Order, Suite, TestId, by_test


@dataclass(frozen=True)
class Proof:
    """Two orders that end in the test in question and differ only in the tests claimed: in `passes` it does as
    wanted, in `fails` it does not."""

    passes: Order
    fails: Order


@dataclass(frozen=True)
class Need:
    """`dependent` does as expected only after one of `any_of`; a plain dependency is a clause of one. Several needs
    of one dependent hold together. `complete` is false where more alternatives may exist than are listed, where only
    the reference order was kept: among earlier tests."""

    dependent: TestId
    any_of: Order
    proof: Proof
    complete: bool = True
    why: tuple[Reason, ...] = ()


@dataclass(frozen=True)
class Conflict:
    """`victim` stops doing as expected after all of `polluters`, unless one of `cleaners` runs in between."""

    victim: TestId
    polluters: Order
    cleaners: Order
    proof: Proof
    complete: bool = True
    why: tuple[Reason, ...] = ()


@dataclass(frozen=True)
class Confidence:
    """In so many of so many runs of the same order a test did not do what it mostly does there; `sure` is the
    probability that it is flaky, if before the runs that was as likely as not."""

    sure: float
    differed: int
    runs: int


@dataclass(frozen=True)
class Cost:
    """What the detection ran. `tests` counts executions; a prefix shared between orders counts once. `choice` says,
    where an algorithm chose among others, which one and why. Without an algorithm the cost is unknown."""

    algorithm: str = ""
    orders: int = 0
    tests: int = 0
    seconds: float = 0.0
    choice: str = ""

    @property
    def is_known(self) -> bool:
        return bool(self.algorithm)


class Sought(StrEnum):
    """What a search looked for exhaustively. A polluter is hidden if a test that cleans up ran after it each time."""

    SETTERS = "setters"
    ALTERNATIVES = "alternatives"
    POLLUTERS_IN_REFERENCE_ORDER = "single polluters in reference order"
    POLLUTERS_IN_ANY_ORDER = "single polluters in any order"
    HIDDEN_POLLUTERS = "single polluters hidden by cleaners"


class SuspicionKind(StrEnum):
    """Why a test is suspected to depend on others. The values are part of the lock file."""

    BRITTLE = "brittle"
    """It fails alone; what it needs is not proved."""
    VICTIM = "victim"
    """It passes alone and fails in another order; what breaks it is not proved."""
    UNCLEAR = "unclear"
    """It fails in another order, and was not run alone."""
    RECORDED = "recorded"
    """By the recording it reads what others write, directly after which it was not run."""


@dataclass(frozen=True)
class Suspicion:
    """A dependency of `test` for which there is evidence and no proof. `others` are the tests that it may depend on,
    the likeliest first; empty if any may be."""

    test: TestId
    kind: SuspicionKind
    others: Order = ()


@dataclass(frozen=True)
class Dependencies:
    """The result of a detection; true whenever it was stopped.

    `untried` counts ordered pairs about which nothing is known; `complete` says whether the search reached its end.
    `failing` are tests whose reference outcome is bad: nothing is claimed that would make them pass, unless they
    are victims. `confidence` is held for the flaky tests on which repeated runs decided. `untried_rows`, where it is
    kept, says which pairs are untried: for each position the bitset of those whose effect on it is unknown
    when they run before it. `only_in_company` counts ordered pairs of which the second did as expected after the first,
    but never directly after it: another test may have cleaned up in between. `sought` is what the search looked for
    exhaustively. `conflicts_when_failing` are conflicts whose polluters break the victim only if they fail themselves:
    without what they need. An order that respects all needs has none of them, so that plans ignore them. `suspected`
    is, of a search that did not reach its end, what has evidence and no proof, at most one entry for each test.
    """

    suite: Suite
    outcomes: Mapping[TestId, Outcome]
    seconds: Mapping[TestId, float]
    needs: tuple[Need, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    conflicts_when_failing: tuple[Conflict, ...] = ()
    flaky: Order = ()
    untried: int = 0
    complete: bool = True
    cost: Cost = field(default_factory=Cost)
    confidence: Mapping[TestId, Confidence] = field(default_factory=dict)
    untried_rows: tuple[int, ...] = ()
    only_in_company: int = 0
    sought: tuple[Sought, ...] = ()
    suspected: tuple[Suspicion, ...] = ()

    @cached_property
    def needs_of(self) -> Mapping[TestId, tuple[Need, ...]]:
        return by_test(self.needs, lambda need: need.dependent)

    @cached_property
    def conflicts_of(self) -> Mapping[TestId, tuple[Conflict, ...]]:
        return by_test(self.conflicts, lambda conflict: conflict.victim)

    @property
    def failing(self) -> Order:
        return tuple(test for test in self.suite.tests if self.outcomes[test].is_bad)

    @cached_property
    def misplaced(self) -> Order:
        """Tests that fail in reference order because what they need stands behind them there, or is misplaced."""
        place = self.suite.index
        found: dict[TestId, None] = {}
        for test in self.failing:
            needs = self.needs_of.get(test, ())
            if any(all(place.get(one, 0) > place[test] or one in found for one in need.any_of) for need in needs):
                found[test] = None
        return tuple(found)

    @cached_property
    def needs_to_keep(self) -> Mapping[TestId, tuple[Need, ...]]:
        """By dependent, the needs that an order has to meet: not those of misplaced tests, which fail in any case."""
        misplaced = set(self.misplaced)
        return {test: needs for test, needs in self.needs_of.items() if test not in misplaced}

    @property
    def has_any(self) -> bool:
        return bool(self.needs or self.conflicts)

    def among(self, tests: Order) -> "Dependencies":
        """What is known of these tests alone, in this order: of alternatives and cleaners those that are there; a
        conflict only if all its polluters are; of untried pairs, where it is known which they are, those among them."""
        there = set(tests)
        rows = rows_in(Suite(tests), self.untried_rows, self.suite) if self.untried_rows else ()

        def those(some: Order) -> Order:
            return tuple(test for test in some if test in there)

        def possible(conflicts: tuple[Conflict, ...]) -> tuple[Conflict, ...]:
            return tuple(
                replace(conflict, cleaners=those(conflict.cleaners))
                for conflict in conflicts
                if conflict.victim in there and there.issuperset(conflict.polluters)
            )

        return replace(
            self,
            suite=Suite(tests),
            outcomes={test: outcome for test, outcome in self.outcomes.items() if test in there},
            seconds={test: seconds for test, seconds in self.seconds.items() if test in there},
            needs=tuple(replace(need, any_of=those(need.any_of)) for need in self.needs if need.dependent in there),
            conflicts=possible(self.conflicts),
            conflicts_when_failing=possible(self.conflicts_when_failing),
            flaky=those(self.flaky),
            confidence={test: known for test, known in self.confidence.items() if test in there},
            untried=pairs_in(rows) if self.untried_rows else self.untried,
            untried_rows=rows if any(rows) else (),
            only_in_company=min(self.only_in_company, len(tests) * (len(tests) - 1)),
            suspected=tuple(replace(one, others=those(one.others)) for one in self.suspected if one.test in there),
        )

    def closure(self, test: TestId) -> Order:
        """The test with all it needs, in reference order, the test itself last. Of several alternatives the one
        first in reference order is taken, unless another is needed anyway. A test that stands behind one that needs it
        is moved before it.
        """
        position = self.suite.index

        def clauses(at: int) -> list[list[int]]:
            needs = self.needs_of.get(self.suite.tests[at], ())
            return [sorted(position[option] for option in need.any_of) for need in needs]

        place = position[test]
        return (*self.suite.order(runnable_order(closure_bits(place, clauses) & ~(1 << place), clauses)), test)
