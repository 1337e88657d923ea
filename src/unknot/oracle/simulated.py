"""A simulated suite, given by its hidden truth: every detector can be tested and its cost measured without a
process.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import Order, TestId
from unknot.oracle.protocol import Price

Needs = Mapping[TestId, tuple[frozenset[TestId], ...]]


@dataclass(frozen=True, slots=True)
class _Role:
    """`mine` is the bit of the test, 0 if no test needs it; `all_of` are its single needs; `any_of` the others."""

    mine: int
    all_of: int
    any_of: tuple[int, ...]
    passed: Result
    failed: Result


class NeedsOnly:
    """A fast oracle for truths with needs only: benchmarks run millions of tests.

    Idea
        Every test that another one needs is a bit, the tests that have passed so far are a set of bits, and the single
        needs of a test are one mask. There are two results for every test, built once and reused.
    Assumptions
        No conflicts and no flaky tests: the outcome of a test then depends only on the tests that passed before it.
    Guarantee
        The same results as the truth itself gives. Tests that the needs do not mention always pass.
    Cost
        For each test of an order one lookup and one int operation, and one more for each clause with alternatives.
    """

    def __init__(self, needs: Needs, seconds: Mapping[TestId, float]) -> None:
        self._needs = needs
        self._seconds = seconds
        serving = sorted({option for clauses in needs.values() for clause in clauses for option in clause})
        self._bits = {test: 1 << number for number, test in enumerate(serving)}
        self._roles: dict[TestId, _Role] = {}

    def results(self, order: Order) -> tuple[Result, ...]:
        roles = self._roles
        worked = 0
        found: list[Result] = []
        for test in order:
            role = roles.get(test) or self._learn(test)
            all_of = role.all_of
            if worked & all_of == all_of and (not role.any_of or all(worked & clause for clause in role.any_of)):
                worked |= role.mine
                found.append(role.passed)
            else:
                found.append(role.failed)
        return tuple(found)

    def _learn(self, test: TestId) -> _Role:
        all_of = 0
        any_of = []
        for clause in self._needs.get(test, ()):
            mask = sum(self._bits[option] for option in clause)
            if len(clause) == 1:
                all_of |= mask
            else:
                any_of.append(mask)
        seconds = self._seconds.get(test, 0.0)
        role = _Role(
            self._bits.get(test, 0),
            all_of,
            tuple(any_of),
            Result(Outcome.PASSED, seconds),
            Result(Outcome.FAILED, seconds),
        )
        self._roles[test] = role
        return role


@dataclass(frozen=True)
class HiddenConflict:
    """`victim` fails after all of `polluters`, unless one of `cleaners` ran after the last of them. With `when_failed`,
    polluters have an effect only if they fail themselves."""

    victim: TestId
    polluters: frozenset[TestId]
    cleaners: frozenset[TestId] = frozenset()
    when_failed: bool = False


@dataclass(frozen=True)
class HiddenTruth:
    """What the simulated tests do. `needs[t]` are clauses: any one test of each must have passed before.

    A test that fails has no effect: it sets up, pollutes and cleans nothing. With `failures_pollute`, a failing test
    pollutes all the same, as real ones may. `flaky[t]` is the probability that t fails for no reason.
    """

    needs: Mapping[TestId, tuple[frozenset[TestId], ...]] = field(default_factory=dict)
    conflicts: tuple[HiddenConflict, ...] = ()
    flaky: Mapping[TestId, float] = field(default_factory=dict)
    seconds: Mapping[TestId, float] = field(default_factory=dict)
    failures_pollute: bool = False

    def outcomes(self, order: Order, chance: random.Random) -> list[Outcome]:
        found: list[Outcome] = []
        worked: dict[TestId, int] = {}
        failed: dict[TestId, int] = {}
        polluted: dict[TestId, int] = {}
        for place, test in enumerate(order):
            passes = self._has_needs(test, worked) and not self._is_broken(test, worked, polluted, failed)
            if passes and test in self.flaky and chance.random() < self.flaky[test]:
                passes = False
            found.append(Outcome.PASSED if passes else Outcome.FAILED)
            (worked if passes else failed)[test] = place
            if passes or self.failures_pollute:
                polluted[test] = place
        return found

    def _has_needs(self, test: TestId, worked: Mapping[TestId, int]) -> bool:
        return all(any(option in worked for option in clause) for clause in self.needs.get(test, ()))

    def _is_broken(
        self,
        test: TestId,
        worked: Mapping[TestId, int],
        polluted: Mapping[TestId, int],
        failed: Mapping[TestId, int],
    ) -> bool:
        for conflict in self.conflicts:
            acted = failed if conflict.when_failed else polluted
            if conflict.victim != test or not all(polluter in acted for polluter in conflict.polluters):
                continue
            last = max(acted[polluter] for polluter in conflict.polluters)
            if not any(worked.get(cleaner, -1) > last for cleaner in conflict.cleaners):
                return True
        return False


class SimulatedOracle:
    """Answers from a hidden truth, as a runner with these costs would.

    With `shares_prefixes`, executed tests are counted as a fork tree would run them: a prefix shared by orders of one
    batch counts once. A truth without conflicts and flaky tests is answered much faster, with the same results.
    """

    def __init__(
        self,
        truth: HiddenTruth,
        *,
        clean_state: float = 0.01,
        workers: int = 1,
        shares_prefixes: bool = False,
        seed: int = 0,
    ) -> None:
        self._truth = truth
        self._price = Price(clean_state, workers, shares_prefixes)
        self._chance = random.Random(seed)
        self._needs_only = None if truth.conflicts or truth.flaky else NeedsOnly(truth.needs, truth.seconds)

    @property
    def price(self) -> Price:
        return self._price

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        tree: dict[TestId, object] = {}
        for request in requests:
            results = self._results(request.order)
            executed = _grow(tree, request.order) if self._price.shares_prefixes else len(request.order)
            spent = self._price.clean_state + sum(result.seconds for result in results)
            yield Run(request, results, executed, spent)

    def _results(self, order: Order) -> tuple[Result, ...]:
        if self._needs_only:
            return self._needs_only.results(order)
        outcomes = self._truth.outcomes(order, self._chance)
        seconds = self._truth.seconds
        return tuple(Result(outcome, seconds.get(test, 0.0)) for test, outcome in zip(order, outcomes, strict=True))


def _grow(tree: dict[TestId, object], order: Order) -> int:
    """Adds the order as a path from the root; returns how many of its tests no earlier path had."""
    new = 0
    branch = tree
    for test in order:
        following = branch.get(test)
        if not isinstance(following, dict):
            following = branch[test] = {}
            new += 1
        branch = following
    return new
