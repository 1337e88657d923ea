"""The truth about a simulated suite by brute force, and whether a result agrees. Shares no code with detect."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import Protocol

import networkx as nx  # type: ignore[import-untyped, unused-ignore]
from strategies import Case

from unknot.detect.engine.options import Options
from unknot.detect.sieve.sieve import sieve
from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import Order, TestId
from unknot.oracle.count import CountingOracle
from unknot.oracle.protocol import Oracle, Price
from unknot.oracle.simulated import SimulatedOracle

WHOLE = Options()


class MakeOracle(Protocol):
    """`cheap` or `expensive`."""

    def __call__(self, case: Case, *, seed: int = 0) -> SimulatedOracle: ...


class Transcript:
    """Records every request in sequence."""

    def __init__(self, inner: Oracle) -> None:
        self._inner = inner
        self.requests: list[OrderRequest] = []

    @property
    def price(self) -> Price:
        return self._inner.price

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        self.requests += requests
        yield from self._inner.run_orders(requests)


def cheap(case: Case, *, seed: int = 0) -> SimulatedOracle:
    """A fork tree: a clean state costs next to nothing."""
    return SimulatedOracle(case.truth, clean_state=0.01, shares_prefixes=True, seed=seed)


def expensive(case: Case, *, seed: int = 0) -> SimulatedOracle:
    """A clean state costs as much as five tests of a second each, in a small suite more: never each test alone."""
    return SimulatedOracle(replace(case, seconds=1.0).truth, clean_state=max(5.0, 100 / case.size), seed=seed)


def dependencies_in(case: Case, oracle: Oracle | None = None, options: Options = WHOLE) -> Dependencies:
    return sieve(case.suite, oracle or cheap(case), options)


def needs_in(dependencies: Dependencies) -> list[tuple[int, list[int]]]:
    index = dependencies.suite.index
    return [(index[need.dependent], [index[test] for test in need.any_of]) for need in dependencies.needs]


def conflicts_in(dependencies: Dependencies) -> list[tuple[int, list[int]]]:
    index = dependencies.suite.index
    return [(index[c.victim], [index[test] for test in c.polluters]) for c in dependencies.conflicts]


def cost_of(case: Case, oracle: Oracle) -> tuple[Dependencies, int, int]:
    """The result, orders run, tests run."""
    counted = CountingOracle(oracle)
    dependencies = sieve(case.suite, counted)
    return dependencies, counted.orders, counted.tests


def edges(dependencies: Dependencies) -> set[tuple[int, int]]:
    """The needs as edges; each must be a single prerequisite."""
    index = dependencies.suite.index
    assert all(len(need.any_of) == 1 for need in dependencies.needs), "a single prerequisite was reported as either-or"
    return {(index[need.dependent], index[need.any_of[0]]) for need in dependencies.needs}


def true_reduction(case: Case) -> set[tuple[int, int]]:
    edges = frozenset((dependent, clause[0]) for dependent, clauses in case.needs.items() for clause in clauses)
    return set(_transitive_reduction(case.size, edges))


@lru_cache(maxsize=1000)
def _transitive_reduction(size: int, edges: frozenset[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from(edges)
    return frozenset(nx.transitive_reduction(graph).edges)


def workable(case: Case, tests: Iterable[TestId]) -> set[TestId]:
    """Which of these can pass in some order of them, conflicts aside."""
    return set(levels(case, tests))


def as_readable(dependencies: Dependencies) -> str:
    index = dependencies.suite.index

    def numbers(tests: Iterable[TestId]) -> list[int]:
        return [index[test] for test in tests]

    needs = [(index[n.dependent], numbers(n.any_of)) for n in dependencies.needs]
    conflicts = [(index[c.victim], numbers(c.polluters), numbers(c.cleaners)) for c in dependencies.conflicts]
    return f"needs {needs} conflicts {conflicts} flaky {numbers(dependencies.flaky)} complete {dependencies.complete}"


# --- soundness: nothing said is false


def false_needs(case: Case, dependencies: Dependencies) -> list[str]:
    return [f"{need}: {why}" for need in dependencies.needs if (why := _what_is_wrong_with_need(case, need))]


def _what_is_wrong_with_need(case: Case, need: Need) -> str:
    passes, fails = need.proof.passes, need.proof.fails
    if passes[-1] != need.dependent or fails[-1] != need.dependent:
        return "a proof does not end in the dependent"
    if not case.passes(passes):
        return "the passing proof fails"
    if case.passes(fails):
        return "the failing proof passes"
    if not is_part(fails, passes) or not set(passes) & set(need.any_of) or set(fails) & set(need.any_of):
        return "the proofs differ in something else than the claim"
    if need.complete and (witness := _does_without(case, need)):
        return f"the dependent can do without the clause: {witness}"
    return ""


def loose_proofs(case: Case, dependencies: Dependencies) -> list[Need]:
    """Needs whose two orders differ in more than the claim and the tests that cannot work without it."""
    found: list[Need] = []
    for need in dependencies.needs:
        passes, claim = need.proof.passes, set(need.any_of)
        if (set(passes) - set(need.proof.fails) - claim) & workable(case, set(passes) - claim):
            found.append(need)
    return found


def _does_without(case: Case, need: Need) -> Order | None:
    """An order, none of the clause in it, after which the dependent passes all the same."""
    others = tuple(test for test in case.suite.tests if test not in need.any_of and test != need.dependent)
    if need.dependent not in workable(case, {*others, need.dependent}):
        return None
    level_by_level = tuple(levels(case, others))
    tried = (level_by_level, *selections(others), *selections(level_by_level))
    return next((order for order in tried if case.passes((*order, need.dependent))), None)


def levels(case: Case, tests: Iterable[TestId]) -> Iterator[TestId]:
    """Those of the tests that can work, each after what it needs, otherwise in the sequence given."""
    waiting, worked = list(tests), set[TestId]()
    needs = case.truth.needs
    while ready := [t for t in waiting if all(clause & worked for clause in needs.get(t, ()))]:
        yield from ready
        worked.update(ready)
        waiting = [t for t in waiting if t not in worked]


def false_conflicts(case: Case, dependencies: Dependencies) -> list[str]:
    return [f"{c}: {why}" for c in dependencies.conflicts if (why := _what_is_wrong_with_conflict(case, c))]


def _what_is_wrong_with_conflict(case: Case, conflict: Conflict) -> str:
    passes, fails = conflict.proof.passes, conflict.proof.fails
    if passes[-1] != conflict.victim or fails[-1] != conflict.victim:
        return "a proof does not end in the victim"
    if not case.passes(passes):
        return "the passing proof fails"
    if case.passes(fails):
        return "the failing proof passes"
    if not is_part(passes, fails) or set(passes) & set(conflict.polluters) or set(conflict.polluters) - set(fails):
        return "the proofs differ in something else than the claim"
    for polluter in conflict.polluters:
        able = workable(case, set(fails) - {polluter})
        if not case.passes(test for test in fails if test in able):
            return f"{polluter} has no part in it"
    return ""


def workable_of(case: Case, order: Order) -> set[TestId]:
    """Which tests pass in this order, conflicts aside."""
    found = case.without_conflicts.outcomes(order)
    return {test for test, outcome in zip(order, found, strict=True) if outcome is Outcome.PASSED}


def false_cleaners(case: Case, dependencies: Dependencies) -> list[str]:
    return [
        f"{conflict}: {cleaner} does not clean"
        for conflict in dependencies.conflicts
        for cleaner in conflict.cleaners
        if not any(
            case.passes(with_between(conflict, needed))
            for needed in (support(case, cleaner, conflict.victim), dependencies.closure(cleaner))
        )
    ]


def with_between(conflict: Conflict, cleaner: Iterable[TestId]) -> Order:
    """The failing proof with the cleaner, and what it needs, right before the victim."""
    before = conflict.proof.fails[:-1]
    between = [test for test in cleaner if test not in before and test != conflict.victim]
    return (*before, *between, conflict.victim)


def support(case: Case, test: TestId, avoided: TestId) -> list[TestId]:
    """The test with what it needs, none too many, and without the one to avoid. Conflicts aside, each works in this
    order."""
    kept = list(levels(case, [other for other in case.suite.tests if other != avoided]))
    for other in [*kept]:
        fewer = [member for member in kept if member != other]
        if other != test and test in workable(case, fewer):
            kept = fewer
    return list(levels(case, kept))


def is_part(part: Order, whole: Order) -> bool:
    """Whether the part is the whole with tests left out."""
    rest = iter(whole)
    return all(test in rest for test in part)


def failing_closures(case: Case, dependencies: Dependencies) -> list[Order]:
    closures = [
        dependencies.closure(test) for test in dependencies.suite.tests if dependencies.outcomes[test] is Outcome.PASSED
    ]
    return [closure for closure in closures if not case.passes(closure)]


def assert_nothing_false(case: Case, dependencies: Dependencies) -> None:
    said = as_readable(dependencies)
    assert not false_needs(case, dependencies), said
    assert not false_conflicts(case, dependencies), said
    assert not false_cleaners(case, dependencies), said


# --- completeness: nothing true is left out


def mispredicted(case: Case, dependencies: Dependencies) -> list[tuple[Order, bool]]:
    """Selections of the suite, the dependent last, about which the needs say something else than the truth.

    The truth says which tests of a selection pass; the needs have to predict the outcome of the last one.
    """
    wrong: list[tuple[Order, bool]] = []
    tests = case.suite.tests
    dependents = sorted({*dependencies.needs_of, *case.truth.needs})
    for chosen in selections(tests):
        worked = workable_of(case, chosen)
        for dependent in dependents:
            if dependent in chosen:
                continue
            said = all(worked & set(need.any_of) for need in dependencies.needs_of.get(dependent, ()))
            if said != case.passes((*chosen, dependent)):
                wrong.append(((*chosen, dependent), said))
    return wrong


def selections(tests: Order) -> Iterator[Order]:
    """All of few tests; of more, those with few present and those with few absent."""
    for size in range(len(tests) + 1):
        if len(tests) <= 8 or size <= 2 or size >= len(tests) - 2:
            yield from combinations(tests, size)


def single_polluters(case: Case, victim: TestId) -> set[TestId]:
    """Tests that break the victim directly after a clean state. For suites without needs."""
    if not case.passes((victim,)):
        return set()
    return {test for test in case.suite.tests if test != victim and not case.passes((test, victim))}


def true_cleaners(case: Case, conflict: Conflict) -> set[TestId]:
    """Tests that, between the polluters and the victim, make it pass. For suites without needs."""
    before = conflict.proof.fails[:-1]
    others = set(case.suite.tests) - {*before, conflict.victim}
    return {test for test in others if case.passes((*before, test, conflict.victim))}
