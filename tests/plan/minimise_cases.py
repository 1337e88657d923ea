"""Cover problems to minimise: by hand, generated, and a check that tries every part of the suite."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations

from hypothesis import strategies as st

from unknot.model.coverage import Coverage
from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.plan import Lane, Plan
from unknot.model.suite import Order, TestId
from unknot.plan.check import ViolationKind, check_plan

from .plan_cases import any_dependencies, passing_dependencies

ENDING = (Outcome.CRASHED, Outcome.TIMED_OUT)


def covers(rows: Mapping[str, str]) -> Coverage:
    """One element for each word."""
    return Coverage.of({test: names.split() for test, names in rows.items()})


def covered_by(coverage: Coverage, tests: Order) -> set[str]:
    return {name for test in tests for name in coverage.names(coverage.rows.get(test, 0))}


def runs_by_itself(part: Order, dependencies: Dependencies) -> bool:
    """According to the check, which shares no code with the makers. Tests that end their process run
    after the others."""
    alive = tuple(test for test in part if dependencies.outcomes[test] not in ENDING)
    orders = [alive]
    for test in part:
        if dependencies.outcomes[test] in ENDING:
            place = dependencies.suite.index[test]
            orders.append((*(other for other in alive if dependencies.suite.index[other] < place), test))
    found = check_plan(Plan((Lane(tuple(orders)),), 0.0), dependencies)
    return all(violation.kind is ViolationKind.MISSING_TEST for violation in found)


def all_parts(dependencies: Dependencies) -> list[Order]:
    tests = dependencies.suite.tests
    return [part for size in range(len(tests) + 1) for part in combinations(tests, size)]


def microseconds(dependencies: Dependencies, part: Order) -> int:
    return sum(round(dependencies.seconds[test] * 1_000_000) for test in part)


@st.composite
def coverages(draw: st.DrawFn, dependencies: Dependencies, most: int = 8) -> Coverage:
    """Some tests are not known to the coverage, some elements are uncovered."""
    elements = [f"e{number}" for number in range(draw(st.integers(0, most)))]
    some = st.lists(st.sampled_from(elements), max_size=4, unique=True) if elements else st.just([])
    rows: dict[str, list[str]] = {test: draw(some) for test in dependencies.suite.tests if draw(st.integers(0, 9))}
    return Coverage.of(rows, elements)


@st.composite
def problems(draw: st.DrawFn, most: int = 8) -> tuple[Dependencies, Coverage, Order]:
    """Dependencies of a suite that passes, what its tests cover, and tests to keep."""
    dependencies = draw(passing_dependencies().filter(lambda dependencies: len(dependencies.suite) <= most))
    keep = draw(st.lists(st.sampled_from(dependencies.suite.tests), max_size=2, unique=True))
    return dependencies, draw(coverages(dependencies)), tuple(TestId(test) for test in keep)


@st.composite
def strange_problems(draw: st.DrawFn, most: int = 8) -> tuple[Dependencies, Coverage, Order]:
    """Also dependencies that contradict the reference order, tests that fail or crash, and searches that were not
    finished."""
    dependencies = draw(any_dependencies().filter(lambda dependencies: len(dependencies.suite) <= most))
    complete = draw(st.integers(0, 4)) > 0
    dependencies = replace(dependencies, complete=complete)
    return dependencies, draw(coverages(dependencies)), ()
