"""Laws of sieve over suites with arbitrary needs and conflicts: nothing false is ever claimed."""

import pytest
from hypothesis import example, given
from strategies import Case, case, laws, mixed_suites

from ..judge import MakeOracle, as_readable, assert_nothing_false, cheap, dependencies_in, expensive, failing_closures


@pytest.mark.parametrize("pollutes", [False, True], ids=["failures do nothing", "failures pollute"])
@pytest.mark.parametrize("oracle", [cheap, expensive])
def test_nothing_claimed_is_false(oracle: MakeOracle, pollutes: bool) -> None:
    @laws(150)
    @given(mixed_suites(9, failures_pollute=pollutes))
    @example(case(6, {2: [[0]], 5: [[0, 3]]}, [(5, [0], [1])], failures_pollute=pollutes))
    def law(told: Case) -> None:
        assert_nothing_false(told, dependencies_in(told, oracle(told)))

    law()


@pytest.mark.parametrize("pollutes", [False, True], ids=["failures do nothing", "failures pollute"])
@pytest.mark.parametrize("oracle", [cheap, expensive])
def test_every_closure_of_a_complete_result_passes(oracle: MakeOracle, pollutes: bool) -> None:
    @laws(80)
    @given(mixed_suites(9, failures_pollute=pollutes))
    @example(case(6, {1: [[0]], 2: [[0]], 4: [[0, 3, 5]]}, failures_pollute=pollutes))
    def law(told: Case) -> None:
        dependencies = dependencies_in(told, oracle(told))

        assert not (dependencies.complete and failing_closures(told, dependencies)), as_readable(dependencies)

    law()


KNOWN = {
    "a stand-in brings a polluter along": case(7, {6: [[5]]}, [(0, [5], []), (0, [1, 2], [])]),
    "polluters and cleaners of each other": case(5, {2: [[0]]}, [(0, [4], []), (0, [1], []), (1, [3], [0])]),
    "the cleaner looks like a need": case(4, {2: [[0]], 3: [[0]]}, [(3, [1], [2])]),
    "the same, and failures pollute": case(4, {2: [[0]], 3: [[0]]}, [(3, [1], [2])], failures_pollute=True),
    "a victim is needed": case(5, {2: [[0]], 4: [[3]]}, [(3, [1], [2])]),
    "the need cleans up after its own need": case(4, {2: [[1]], 3: [[0]]}, [(3, [1], [2])]),
    "one alternative has to be cleaned up after": case(6, {2: [[0]], 5: [[0, 3]]}, [(5, [0], [1])]),
    "the need pollutes, and one cleans": case(3, {2: [[0]]}, [(2, [0], [1])]),
    "the need pollutes, and either cleans": case(4, {2: [[0]]}, [(2, [0], [1, 3])]),
    "implied only through one alternative": case(8, {2: [[0]], 3: [[0]], 4: [[0, 1]], 5: [[0], [4]]}, [(0, [1], [])]),
    "a polluter beside alternatives": case(4, {2: [[0, 1]]}, [(2, [3], [])]),
    "polluters together hide an alternative": case(4, {2: [[0, 1]]}, [(2, [1, 3], [])]),
    "an alternative breaks the polluter": case(6, {2: [[0, 5]], 3: [[0]]}, [(4, [5], []), (2, [4], [])]),
    "an either-or test brings the polluter along": case(4, {3: [[0, 1, 2]]}, [(0, [1], [])]),
    "an either-or test brings the cleaned polluter along": case(
        7, {1: [[0]], 2: [[0, 3]], 3: [[0, 5, 6]]}, [(0, [5], [2])]
    ),
    "a chain of choices ends in the polluter": case(5, {1: [[0]], 2: [[0, 3]], 3: [[0, 4]]}, [(0, [4], [2])]),
    "polluters together share one": case(6, {}, [(3, [0, 1], [2]), (3, [0], [1, 5]), (2, [0, 5], [])]),
    "two that break it together are each an alternative": case(3, {1: [[0, 2]]}, [(1, [0, 2], []), (0, [1, 2], [])]),
    "tests serve each other in a circle": case(
        7, {1: [[0, 6]], 2: [[0, 1]], 3: [[0]], 5: [[0, 1], [0, 2]], 6: [[0, 3, 4, 5]]}, [(6, [0], [2, 4, 5])]
    ),
    "the cleaner of an alternative looks like the only one": case(5, {3: [[1, 4], [2]]}, [(2, [0], [1])]),
    "an alternative is broken among the others": case(6, {2: [[0], [1, 4, 5]], 5: [[1, 3, 4]]}, [(4, [0], [2, 3, 5])]),
    "one that the prerequisite needs is enough": case(
        4, {2: [[1], [0]], 3: [[0, 2]]}, [(3, [1], [0, 2])], failures_pollute=True
    ),
    "a polluter brings another along": case(
        3, {2: [[0, 1]]}, [(0, [2], [1]), (0, [1, 2], []), (0, [1], [])], failures_pollute=True
    ),
    "polluters share the victim's only alternatives": case(
        4,
        {2: [[1]], 3: [[0, 1, 2]]},
        [(1, [2, 3], [0]), (3, [1], [0, 2]), (3, [0, 1], [2])],
        failures_pollute=True,
    ),
    "cleaned by what the polluter needs": case(7, {5: [[0]], 6: [[5]]}, [(2, [6], [0, 1, 5])], failures_pollute=True),
}


@pytest.mark.parametrize("oracle", [cheap, expensive])
@pytest.mark.parametrize("name", KNOWN)
def test_nothing_false_is_said_of_a_named_suite(name: str, oracle: MakeOracle) -> None:
    told = KNOWN[name]
    assert told.is_green

    dependencies = dependencies_in(told, oracle(told))

    assert_nothing_false(told, dependencies)
    assert not (dependencies.complete and failing_closures(told, dependencies)), as_readable(dependencies)
