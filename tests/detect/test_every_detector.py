"""Laws of every detector: true, stoppable, independent of names, no more expensive than documented."""

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import pytest
from _pytest.mark import MarkDecorator
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import (
    Case,
    barabasi_albert,
    case,
    either_or_suites,
    erdos_renyi,
    flaky,
    hidden_graphs,
    laws,
    mixed_suites,
    needs_of_edges,
    out_degree,
    polluted_suites,
)

from unknot.detect.algorithms import ALGORITHMS
from unknot.detect.engine.options import Options
from unknot.detect.sieve.sieve import few_backwards
from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.graph import DependencyGraph
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import Order, Reference
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.oracle.count import CountingOracle, PredictedOracle
from unknot.oracle.protocol import Oracle, Price
from unknot.oracle.simulated import SimulatedOracle

from .judge import (
    MakeOracle,
    Transcript,
    as_readable,
    assert_nothing_false,
    cheap,
    edges,
    expensive,
    failing_closures,
    mispredicted,
    true_reduction,
)
from .published.test_mem_fast import sparse_graph
from .sieve.test_sieve_determinism import renamed
from .trials import stopped

pytestmark = pytest.mark.slow

NEVER_COMPLETE = ("reverse", "isolate")
ONE_WAY_ONLY = tuple(name for name in ALGORITHMS if name not in ("sieve", "tuscan"))
"""The published ones: they search one of several alternatives."""


def slow(case: Case, *, seed: int = 0) -> SimulatedOracle:
    """Tests of a second each, beside which a clean state costs nothing."""
    return SimulatedOracle(replace(case, seconds=1.0).truth, clean_state=0.01, seed=seed)


@dataclass(frozen=True)
class Setting:
    """A detector, whether any order counts, and what orders cost."""

    algorithm: str
    oracle: MakeOracle
    reorders: bool = False

    def __str__(self) -> str:
        return f"{self.algorithm}-{self.oracle.__name__}-{'any' if self.reorders else 'kept'}"  # type: ignore[attr-defined]

    def detect(self, told: Case, oracle: Oracle | None = None, options: Options | None = None) -> Dependencies:
        given_options = replace(options or Options(), reorders=self.reorders)
        return ALGORITHMS[self.algorithm](told.suite, oracle or self.oracle(told), given_options)

    def requests(self, told: Case) -> list[OrderRequest]:
        transcript = Transcript(self.oracle(told))
        self.detect(told, transcript)
        return transcript.requests


SETTINGS = [
    *(Setting(name, cheap) for name in ONE_WAY_ONLY),
    *(Setting("sieve", oracle, reorders) for oracle in (cheap, slow, expensive) for reorders in (False, True)),
    Setting("tuscan", cheap, reorders=True),
]
"""What orders cost, and whether the reference order is kept, concerns sieve only."""


def test_every_detector_of_the_registry_is_put_to_the_laws() -> None:
    assert {setting.algorithm for setting in SETTINGS} == set(ALGORITHMS)


def each(settings: Sequence[Setting] = SETTINGS, bugs: Mapping[str, str] | None = None) -> MarkDecorator:
    """`bugs` are laws known to be broken, by setting, and why."""
    known = bugs or {}
    assert known.keys() <= {str(setting) for setting in settings}
    return pytest.mark.parametrize(
        "setting",
        [
            pytest.param(
                setting,
                id=str(setting),
                marks=pytest.mark.xfail(strict=True, reason=known[str(setting)]) if str(setting) in known else (),
            )
            for setting in settings
        ],
    )


def all_true(setting: Setting, told: Case, dependencies: Dependencies) -> None:
    """Nothing claimed is false. If the reference order is kept, that a need has no more alternatives is a claim about
    earlier tests."""
    if setting.reorders:
        assert_nothing_false(told, dependencies)
        return
    assert_nothing_false(
        told, replace(dependencies, needs=tuple(replace(need, complete=False) for need in dependencies.needs))
    )
    assert_nothing_false(what_earlier_tests_do(told), replace(dependencies, conflicts=()))


def what_earlier_tests_do(told: Case) -> Case:
    """The truth less what later tests do to earlier ones: for orders that keep the reference order it is the same."""
    needs = {
        dependent: tuple(tuple(option for option in clause if option < dependent) for clause in clauses)
        for dependent, clauses in told.needs.items()
    }
    conflicts = tuple(
        (victim, polluters, tuple(cleaner for cleaner in cleaners if cleaner < victim))
        for victim, polluters, cleaners in told.conflicts
        if max(polluters) < victim
    )
    return replace(told, needs=needs, conflicts=conflicts)


# --- the papers' model


PLAIN = st.one_of(
    hidden_graphs("chain", 9),
    hidden_graphs("fork", 9),
    hidden_graphs("join", 9),
    hidden_graphs("layered", 9),
    hidden_graphs("random", 9),
)


@each()
@laws(25)
@given(told=PLAIN)
def test_single_needs_are_found_as_the_transitive_reduction_of_the_truth(setting: Setting, told: Case) -> None:
    dependencies = setting.detect(told)

    assert edges(dependencies) == true_reduction(told), as_readable(dependencies)
    assert dependencies.complete == (setting.algorithm not in NEVER_COMPLETE)
    assert (dependencies.conflicts, dependencies.flaky) == ((), ())
    assert_nothing_false(told, dependencies)


# --- stopped


STOPPABLE = st.one_of(hidden_graphs("random", 6), polluted_suites(6, together=1), either_or_suites(6))


@each()
@laws(10)
@given(told=STOPPABLE)
@example(told=case(3, {2: [[0], [1]]}))
@example(told=case(6, {2: [[0]], 3: [[1]], 5: [[2], [3]]}))
def test_stopped_after_any_number_of_orders_the_result_is_true_and_not_complete(setting: Setting, told: Case) -> None:
    """And in a suite of single needs, what is missing counts as untried."""
    transcript = Transcript(setting.oracle(told))
    whole = setting.detect(told, transcript)
    total = len(transcript.requests)
    for orders in range(total):
        dependencies = setting.detect(told, stopped(setting.oracle(told), orders))

        all_true(setting, told, dependencies)
        assert not dependencies.complete
        assert dependencies.cost.orders <= orders
        if has_single_needs_only(told):
            missing = true_reduction(told) - edges(dependencies)
            assert dependencies.untried >= len(missing), (orders, as_readable(dependencies))
            assert dependencies.untried or not failing_closures(told, dependencies), (orders, as_readable(dependencies))
    assert setting.detect(told, stopped(setting.oracle(told), total)) == whole


def has_single_needs_only(told: Case) -> bool:
    return not told.conflicts and all(len(clause) == 1 for clauses in told.needs.values() for clause in clauses)


class InterruptedOnce:
    """The user presses Ctrl-C a single time. Counts what is answered after it."""

    def __init__(self, inner: Oracle, after: int) -> None:
        self._inner = inner
        self._left = after
        self.answered_after = 0

    @property
    def price(self) -> Price:
        return self._inner.price

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        for run in self._inner.run_orders(requests):
            self._left -= 1
            if self._left == -1:
                raise KeyboardInterrupt
            self.answered_after += self._left < 0
            yield run


@each()
def test_after_ctrl_c_nothing_more_is_run(setting: Setting) -> None:
    told = case(6, {3: [[1]], 5: [[0], [3]]})
    for after in range(len(setting.requests(told))):
        oracle = InterruptedOnce(setting.oracle(told), after)

        dependencies = setting.detect(told, oracle)

        assert (oracle.answered_after, dependencies.complete) == (0, False), after
        all_true(setting, told, dependencies)


# --- names and chance


def in_positions(told: Case, order: Order) -> tuple[int, ...]:
    return tuple(told.suite.index[test] for test in order)


def everything(setting: Setting, told: Case, seed: int = 0) -> tuple[object, ...]:
    """What was run and what was found, without names."""
    transcript = Transcript(setting.oracle(told, seed=seed))
    dependencies = setting.detect(told, transcript, Options(seed=seed))
    claims: tuple[Need | Conflict, ...] = (*dependencies.needs, *dependencies.conflicts)
    return (
        [(in_positions(told, request.order), request.attempt) for request in transcript.requests],
        as_readable(dependencies),
        [(in_positions(told, claim.proof.passes), in_positions(told, claim.proof.fails)) for claim in claims],
        [claim.complete for claim in claims],
        (dependencies.cost, dependencies.untried),
    )


@each()
@laws(12)
@given(
    told=st.one_of(mixed_suites(7), flaky(mixed_suites(7))),
    seed=st.integers(0, 9),
    chance=st.randoms(use_true_random=False),
)
def test_the_same_seed_gives_the_same_orders_and_other_names_only_other_names(
    setting: Setting, told: Case, seed: int, chance: random.Random
) -> None:
    found = everything(setting, told, seed)

    assert everything(setting, told, seed) == found
    assert everything(setting, renamed(told, chance), seed) == found


# --- conflicts, and failures that leave a mess


MISTAKEN = {
    "tuscan-cheap-any": "a need is called complete, or a polluter named, for the sake of the company it was seen in",
}


@each(bugs=MISTAKEN)
@pytest.mark.parametrize("pollutes", [False, True], ids=["failures do nothing", "failures pollute"])
def test_with_conflicts_nothing_claimed_is_false(setting: Setting, pollutes: bool) -> None:
    @laws(25)
    @given(mixed_suites(7, failures_pollute=pollutes))
    @example(case(4, {2: [[0]]}, [(2, [0], [1, 3])], failures_pollute=pollutes))
    @example(case(4, {2: [[0, 1]]}, [(2, [1, 3], [])], failures_pollute=pollutes))
    @example(case(6, {2: [[0]], 5: [[0, 3]]}, [(5, [0], [1])], failures_pollute=pollutes))
    @example(case(6, {2: [[0, 5]], 3: [[0]]}, [(4, [5], []), (2, [4], [])], failures_pollute=pollutes))
    @example(case(5, {3: [[1, 4], [2]]}, [(2, [0], [1])], failures_pollute=pollutes))
    @example(case(3, {2: [[1]]}, [(0, [1], []), (0, [2], [])], failures_pollute=pollutes))
    def law(told: Case) -> None:
        all_true(setting, told, setting.detect(told))

    law()


@each()
@laws(25)
@given(told=st.one_of(mixed_suites(7), mixed_suites(7, failures_pollute=True), either_or_suites(7)))
# A case that breaks it if a clean state is expensive is in test_sieve_needs.
@example(told=case(3, {1: [[0, 2]]}))
@example(told=case(4, {1: [[0]], 2: [[0]], 3: [[1, 2]]}))
@example(told=case(5, {2: [[0]], 3: [[0], [1, 2, 4]], 4: [[0]]}))
def test_every_closure_of_a_complete_result_passes(setting: Setting, told: Case) -> None:
    dependencies = setting.detect(told)

    assert not (dependencies.complete and failing_closures(told, dependencies)), as_readable(dependencies)


# --- either-or


@each([setting for setting in SETTINGS if setting.algorithm in ONE_WAY_ONLY])
@laws(25)
@given(told=either_or_suites(8))
def test_the_published_detectors_never_call_one_alternative_the_only_one(setting: Setting, told: Case) -> None:
    dependencies = setting.detect(told)

    assert all(len(need.any_of) == 1 and not need.complete for need in dependencies.needs)
    assert not failing_closures(told, dependencies) or not dependencies.complete
    assert_nothing_false(told, dependencies)


@each([Setting("sieve", cheap, reorders) for reorders in (False, True)])
@laws(60)
@given(told=either_or_suites(8))
def test_sieve_finds_all_alternatives_if_orders_are_cheap(setting: Setting, told: Case) -> None:
    told = told if setting.reorders else what_earlier_tests_do(told)

    dependencies = setting.detect(told)

    wrong = mispredicted(told, dependencies)
    assert not wrong, (as_readable(dependencies), wrong[:2])
    assert dependencies.complete


@each([setting for setting in SETTINGS if setting.algorithm in ("sieve", "tuscan")])
@laws(25)
@given(told=either_or_suites(8))
@example(told=case(7, {1: [[0]], 4: [[1, 3]], 6: [[2, 4]]}))
@example(told=case(7, {1: [[0, 3, 6]], 3: [[1, 2]], 5: [[2, 4], [1]]}))
@example(told=case(6, {1: [[0, 3, 5]], 3: [[0, 1, 2]], 4: [[0, 3]]}))
def test_no_clause_is_called_complete_that_its_dependent_does_not_need(setting: Setting, told: Case) -> None:
    all_true(setting, told, setting.detect(told))


# --- what it costs: the algorithm's own orders, the reference order known


@dataclass(frozen=True)
class Measures:
    """Of a suite of single needs."""

    tests: int
    closures: tuple[int, ...]
    """Of each test, how many it needs, directly or not."""
    reduction: int

    @property
    def pairs(self) -> int:
        return self.tests * (self.tests - 1) // 2

    @property
    def brittle(self) -> int:
        return sum(size > 0 for size in self.closures)

    @property
    def minimising(self) -> int:
        """ddmin at worst for every brittle test, and its closure once more."""
        return sum(size**2 + 3 * test + 1 for test, size in enumerate(self.closures) if size)

    @property
    def group_testing(self) -> float:
        sizes = ((size, test) for test, size in enumerate(self.closures) if size)
        return sum(2 * size * math.log2(test / size) + 4 * size + 6 for size, test in sizes)


def measured(told: Case) -> Measures:
    graph = DependencyGraph(told.size, ((one, clause[0]) for one, clauses in told.needs.items() for clause in clauses))
    closures = tuple(row.bit_count() for row in graph.closure().rows)
    return Measures(told.size, closures, sum(row.bit_count() for row in graph.reduction().rows))


Bound = Callable[[Measures], float]


def whole_orders(suite: Measures) -> float:
    """Proofs included."""
    return 2.2 * suite.tests + suite.reduction + 2 * math.log2(suite.tests) + 10


def one_by_one(suite: Measures) -> float:
    return suite.tests + 2 * math.log2(suite.tests) + 4 + suite.group_testing


BOUNDS: Mapping[Setting, Bound] = {
    Setting("pradet", cheap): lambda suite: suite.pairs - sum(suite.closures) + suite.reduction,
    Setting("pfast", cheap): lambda suite: suite.pairs + 2 * suite.tests - 1,
    Setting("tedd", cheap): lambda suite: suite.pairs + suite.reduction + suite.tests,
    Setting("reverse", cheap): lambda suite: 1 + suite.brittle + suite.minimising,
    Setting("isolate", cheap): lambda suite: suite.tests + suite.minimising,
    Setting("exhaustive", cheap): lambda suite: 2 * suite.pairs + suite.tests + suite.minimising,
    Setting("dependence-aware", cheap): lambda suite: suite.tests + suite.pairs + suite.minimising,
    Setting("tuscan", cheap): lambda suite: suite.tests * (suite.tests + suite.brittle + 1) + 1,
    Setting("sieve", slow): whole_orders,
    Setting("sieve", expensive): whole_orders,
    Setting("sieve", cheap): one_by_one,
}
"""MEM-FAST states a bound only if no test needs two others; see its own tests."""


def known_to_be_green(told: Case, seconds: float) -> Options:
    tests = told.suite.tests
    return Options(reference=Reference(dict.fromkeys(tests, Outcome.PASSED), dict.fromkeys(tests, seconds)))


@each(list(BOUNDS))
@laws(25)
@given(told=hidden_graphs("random", 14))
@example(told=case(12))
@example(told=case(12, needs_of_edges(combinations(reversed(range(12)), 2))))
def test_a_suite_of_single_needs_costs_no_more_than_is_documented(setting: Setting, told: Case) -> None:
    seconds = 0.0 if setting.oracle is cheap else 1.0

    dependencies = setting.detect(told, options=known_to_be_green(told, seconds))

    assert edges(dependencies) == true_reduction(told)
    assert dependencies.cost.orders <= BOUNDS[setting](measured(told))


# --- sieve on suites of all densities


KEPT = Options(reorders=False)


def priced(told: Case, clean_state: float) -> SimulatedOracle:
    return SimulatedOracle(told.truth, clean_state=clean_state)


def sparse(seed: int, likely: float = 0.0005) -> Case:
    return replace(sparse_graph(likely, seed), seconds=1.0)


def denser_than_it_looks(size: int) -> Case:
    """The tests of the sample that is run backwards have no needs, and all others have two."""
    sample = few_backwards(size)
    return case(size, {test: [[0], [1]] for test in range(2, size) if test not in sample}, seconds=1.0)


@pytest.mark.parametrize(
    ("told", "clean_state"),
    [
        (sparse(seed=2), 0.01),
        (sparse(seed=2), 10.0),
        (case(50, seconds=1.0), 0.01),
        (out_degree(50, seed=0), 0.01),
        (out_degree(50, seed=0), 10.0),
        (denser_than_it_looks(50), 0.01),
    ],
    ids=["sparse-cheap", "sparse-expensive", "independent-cheap", "dense-cheap", "dense-expensive", "denser-cheap"],
)
def test_sieve_finds_the_truth_whatever_the_density(told: Case, clean_state: float) -> None:
    dependencies = ALGORITHMS["sieve"](told.suite, priced(told, clean_state), KEPT)

    assert edges(dependencies) == true_reduction(told)
    assert dependencies.complete
    assert_nothing_false(told, dependencies)


def predicted_seconds(name: str, told: Case, clean_state: float, budget: Budget) -> tuple[float, int]:
    """Of all orders, to the last proof, one after the other; infinite if the budget is not sufficient. And the tests
    run."""
    counted = CountingOracle(BudgetOracle(priced(told, clean_state), budget, lambda: 0.0))
    predicted = PredictedOracle(counted)
    dependencies = ALGORITHMS[name](told.suite, predicted, KEPT)
    assert not dependencies.complete or edges(dependencies) == true_reduction(told)
    return (predicted.seconds(counted.orders) if dependencies.complete else math.inf), counted.tests


def pfast_seconds(told: Case, clean_states: Sequence[float]) -> list[float]:
    """For each price of a clean state. PFAST runs the same orders whatever they cost, so that one run serves all."""
    counted = CountingOracle(priced(told, clean_states[0]))
    prices = [Price(clean_state) for clean_state in clean_states]
    predicted = PredictedOracle(counted, prices)
    dependencies = ALGORITHMS["pfast"](told.suite, predicted, KEPT)
    assert not dependencies.complete or edges(dependencies) == true_reduction(told)
    return [predicted.seconds(counted.orders, price) if dependencies.complete else math.inf for price in prices]


def test_sieve_costs_little_more_than_the_cheapest_detector_on_each_graph() -> None:
    """Once MEM-FAST has run more tests than sieve, in more and shorter orders, it cannot be the cheapest any more."""
    graphs = [graph(50, seed) for graph in (barabasi_albert, erdos_renyi, out_degree) for seed in range(2)]
    graphs += [sparse(seed, likely) for likely in (0.0005, 0.005, 0.02) for seed in range(2)]
    clean_states = (0.01, 1.0, 10.0)
    total = best = 0.0
    for told in graphs:
        for clean_state, pfast in zip(clean_states, pfast_seconds(told, clean_states), strict=True):
            sieve, tests = predicted_seconds("sieve", told, clean_state, Budget())
            mem_fast, _ = predicted_seconds("mem-fast", told, clean_state, Budget(tests=tests))
            total += sieve
            best += min(sieve, pfast, mem_fast)

    assert total <= 1.2 * best
