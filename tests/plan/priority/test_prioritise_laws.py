"""What holds of every prioritised order, whatever the dependencies."""

from collections.abc import Callable
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.model.coverage import Coverage
from unknot.model.dependencies import Dependencies
from unknot.model.plan import Lane, Plan
from unknot.model.suite import Order
from unknot.plan.check import check_plan
from unknot.plan.priority.gain import CoverageGain, curve_of
from unknot.plan.priority.prioritise import PrioritisedOrder, by_coverage, by_seconds, by_structure

from ..minimise_cases import covered_by, problems, strange_problems
from ..plan_cases import passes, truth_of

Problem = tuple[Dependencies, Coverage, Order]
Maker = Callable[[Dependencies, Coverage], PrioritisedOrder]
MAKERS: dict[str, Maker] = {
    "coverage": by_coverage,
    "seconds": lambda dependencies, _: by_seconds(dependencies),
    "structure": lambda dependencies, _: by_structure(dependencies),
}
makers = st.sampled_from(sorted(MAKERS))


def is_safe(order: Order, dependencies: Dependencies) -> bool:
    return check_plan(Plan((Lane((order,)),), 0.0), dependencies) == ()


@laws(200)
@given(problems(most=12), makers)
def test_the_order_is_the_whole_suite_safe_and_never_worse_than_the_reference_order(problem: Problem, by: str) -> None:
    dependencies, coverage, _ = problem
    found = MAKERS[by](dependencies, coverage)
    assert sorted(found.order) == sorted(dependencies.suite.tests)
    assert is_safe(found.order, dependencies)
    assert passes(truth_of(dependencies), found.order)
    assert found.after.area >= found.before.area
    assert MAKERS[by](dependencies, coverage) == found, "the same suite gives the same order"


@laws(200)
@given(strange_problems(most=12), makers)
def test_even_contradictory_or_unfinished_dependencies_get_a_safe_order(problem: Problem, by: str) -> None:
    dependencies, coverage, _ = problem
    found = MAKERS[by](dependencies, coverage)
    assert sorted(found.order) == sorted(dependencies.suite.tests)
    assert is_safe(found.order, dependencies)
    assert found.after.area >= found.before.area


@laws(100)
@given(problems(most=8))
def test_the_area_is_what_is_covered_on_average_over_the_time(problem: Problem) -> None:
    """Computed element by element: the share of the time that is left when it is covered."""
    dependencies, coverage, _ = problem
    order = dependencies.suite.tests
    area = curve_of(order, dependencies.seconds, CoverageGain(dependencies, coverage), dependencies.suite.index).area
    spent = {test: dependencies.seconds[test] for test in order}
    if not sum(spent.values()):
        spent = dict.fromkeys(order, 1.0)
    total = sum(spent.values())
    ends: dict[str, float] = {}
    for place, test in enumerate(order):
        for name in covered_by(coverage, (test,)):
            ends.setdefault(name, sum(spent[other] for other in order[: place + 1]))
    expected = sum(1 - end / total for end in ends.values()) / len(ends) if ends else 1.0
    assert abs(area - expected) < 1e-9


@laws(150)
@given(problems(most=6))
def test_by_coverage_is_close_to_the_best_of_all_safe_orders(problem: Problem) -> None:
    """A measured floor: the area is at least half that of the best order of every small suite tried."""
    dependencies, coverage, _ = problem
    gain = CoverageGain(dependencies, coverage)
    area = {
        order: curve_of(order, dependencies.seconds, gain, dependencies.suite.index).area
        for order in permutations(dependencies.suite.tests)
    }
    by_area = sorted(area, key=area.__getitem__, reverse=True)
    best = next(order for order in by_area if is_safe(order, dependencies))
    assert by_coverage(dependencies, coverage).after.area >= area[best] / 2
