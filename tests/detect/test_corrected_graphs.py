"""The corrected graphs of two web suites, with conflicts, cleaners and alternatives: what detectors make of them."""

import pytest
from strategies import Case

from unknot.detect.algorithms import ALGORITHMS
from unknot.detect.engine.options import Options
from unknot.model.dependencies import Dependencies
from unknot.oracle.count import CountingOracle

from .judge import MakeOracle, as_readable, assert_nothing_false, cheap, edges, expensive, failing_closures
from .trials import CORRECTED_SUITES, corrected_suite, known, web_suite

PRICES = [cheap, expensive]


def found_by(algorithm: str, told: Case, oracle: MakeOracle) -> tuple[Dependencies, CountingOracle]:
    """In reference order, as the papers search."""
    counted = CountingOracle(oracle(told))
    return ALGORITHMS[algorithm](told.suite, counted, known(told, Options(reorders=False))), counted


@pytest.mark.parametrize("name", CORRECTED_SUITES)
def test_in_reference_order_a_corrected_graph_is_as_green_as_the_published_one(name: str) -> None:
    told, published = corrected_suite(name), web_suite(name)[0]

    assert told.is_green
    assert not published.conflicts
    assert told.conflicts
    for test in range(told.size):
        closure = published.suite.order([*_published_closure(published, test), test])
        assert told.passes(closure), f"the published graph was validated on the application: {test} passes there"


def _published_closure(published: Case, test: int) -> list[int]:
    needed = {clause[0] for clause in published.needs.get(test, ())}
    return sorted(needed.union(*(_published_closure(published, other) for other in needed)))


@pytest.mark.parametrize("oracle", PRICES)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("name", CORRECTED_SUITES)
def test_nothing_false_is_said_and_what_is_called_complete_works(name: str, algorithm: str, oracle: MakeOracle) -> None:
    told = corrected_suite(name)

    dependencies, _ = found_by(algorithm, told, oracle)

    assert_nothing_false(told, dependencies)
    assert not (dependencies.complete and failing_closures(told, dependencies)), as_readable(dependencies)


@pytest.mark.parametrize("oracle", PRICES)
@pytest.mark.parametrize("name", CORRECTED_SUITES)
def test_sieve_finds_the_needs_alternatives_conflicts_and_cleaners(name: str, oracle: MakeOracle) -> None:
    told = corrected_suite(name)
    index = told.suite.index

    dependencies, _ = found_by("sieve", told, oracle)

    def numbers(tests: tuple[str, ...]) -> tuple[int, ...]:
        return tuple(sorted(index[test] for test in told.suite.tests if test in tests))

    needs = {(index[need.dependent], numbers(need.any_of)) for need in dependencies.needs}
    conflicts = {(index[c.victim], numbers(c.polluters), numbers(c.cleaners)) for c in dependencies.conflicts}
    assert needs == {(test, clause) for test, clauses in told.needs.items() for clause in clauses}
    assert conflicts == set(told.conflicts)


@pytest.mark.parametrize("algorithm", ["pfast", "pradet", "tedd"])
@pytest.mark.parametrize("name", CORRECTED_SUITES)
def test_without_conflicts_in_their_model_others_find_the_published_edges(name: str, algorithm: str) -> None:
    dependencies, _ = found_by(algorithm, corrected_suite(name), cheap)

    assert edges(dependencies) == edges(found_by(algorithm, web_suite(name)[0], cheap)[0])
    assert not dependencies.conflicts


ALL_RUN = {
    ("mrbs", "sieve"): (70, 460),
    ("ppma", "sieve"): (76, 560),
    ("mrbs", "pfast"): (99, 1266),
    ("mrbs", "pradet"): (198, 2013),
    ("mrbs", "tedd"): (204, 1872),
    ("ppma", "pfast"): (81, 1223),
    ("ppma", "pradet"): (229, 2346),
    ("ppma", "tedd"): (233, 2166),
}
"""Orders and tests, with proofs and checks. A change that makes one more expensive must edit the number."""


@pytest.mark.parametrize(("name", "algorithm"), ALL_RUN)
def test_all_orders_and_tests_stay_under_their_ceiling(name: str, algorithm: str) -> None:
    _, counted = found_by(algorithm, corrected_suite(name), expensive)
    orders, tests = ALL_RUN[name, algorithm]

    assert counted.orders <= orders
    assert counted.tests <= tests
