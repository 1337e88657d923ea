"""Laws of sieve over suites with needs and without conflicts."""

import pytest
from hypothesis import example, given
from strategies import Case, Shape, case, either_or_suites, hidden_graphs, laws

from ..judge import (
    MakeOracle,
    as_readable,
    assert_nothing_false,
    cheap,
    dependencies_in,
    edges,
    expensive,
    failing_closures,
    loose_proofs,
    mispredicted,
    true_reduction,
)

SHAPES: list[Shape] = ["chain", "fork", "join", "layered", "random"]


@pytest.mark.parametrize("oracle", [cheap, expensive])
@pytest.mark.parametrize("shape", SHAPES)
def test_single_needs_are_found_as_the_transitive_reduction_of_the_truth(shape: Shape, oracle: MakeOracle) -> None:
    @laws(40)
    @given(hidden_graphs(shape))
    def law(told: Case) -> None:
        dependencies = dependencies_in(told, oracle(told))

        assert edges(dependencies) == true_reduction(told), as_readable(dependencies)
        assert (dependencies.complete, dependencies.conflicts, dependencies.flaky, dependencies.untried) == (
            True,
            (),
            (),
            0,
        )
        assert not failing_closures(told, dependencies)
        assert_nothing_false(told, dependencies)

    law()


@pytest.mark.parametrize("oracle", [cheap, expensive])
def test_the_two_orders_of_a_proof_differ_only_in_the_prerequisite_and_its_dependents(oracle: MakeOracle) -> None:
    @laws(40)
    @given(hidden_graphs("random", 12))
    def law(told: Case) -> None:
        assert not loose_proofs(told, dependencies_in(told, oracle(told)))

    law()


@laws(80)
@given(either_or_suites(8))
def test_the_needs_say_of_every_selection_what_comes_out_of_the_last_test(told: Case) -> None:
    """So every alternative is listed, none too many, and no clause is missing or could be dropped. None is claimed that
    the dependent can do without, and every closure passes."""
    dependencies = dependencies_in(told)

    wrong = mispredicted(told, dependencies)
    assert not wrong, (as_readable(dependencies), wrong[:2])
    assert not dependencies.conflicts
    assert not failing_closures(told, dependencies), as_readable(dependencies)
    assert_nothing_false(told, dependencies)


@laws(80)
@given(either_or_suites(12))
@example(case(3, {2: [[0, 1]]}))
@example(case(8, {1: [[0]], 2: [[0]], 3: [[1, 2, 4], [0]]}))
@example(case(6, {1: [[0]], 2: [[0]], 4: [[0, 3, 5]]}))
@example(case(5, {3: [[0, 1, 2, 4]]}))
def test_if_a_clean_state_is_expensive_alternatives_are_found_or_marked_as_not_complete(told: Case) -> None:
    dependencies = dependencies_in(told, expensive(told))

    assert_nothing_false(told, dependencies)
    assert not (dependencies.complete and failing_closures(told, dependencies)), as_readable(dependencies)


KNOWN = {
    "the alternative has a choice of its own": case(4, {1: [[0, 2]], 3: [[0, 1]]}),
    "the same, all before their dependents": case(7, {1: [[0]], 5: [[0, 1, 2]], 6: [[0, 5]]}),
    "each is an alternative for the other's dependent": case(4, {1: [[0, 3]], 3: [[1, 2]]}),
    "a late alternative has a choice": case(4, {1: [[0, 3]], 3: [[0, 2]]}),
    "two clauses share a member": case(5, {1: [[0]], 2: [[0]], 3: [[0]], 4: [[1, 2], [1, 3]]}),
    "two clauses share a member and another test needs the same": case(5, {3: [[0, 1], [0, 2]], 4: [[0, 1]]}),
    "one test does for two clauses, or two for one each": case(5, {1: [[0]], 4: [[2, 3], [1, 2]]}),
    "a brittle alternative of a brittle alternative": case(7, {1: [[0]], 5: [[1, 2]], 6: [[2, 5]]}),
    "three setters of which any will do": case(6, {5: [[0, 2, 4]]}),
    "alternatives on both sides": case(6, {3: [[1, 5]]}),
    "an alternative that brings the setter along": case(6, {2: [[0, 1]], 3: [[0]], 4: [[0, 2, 5]]}),
    "two of three": case(5, {4: [[0, 1], [1, 2], [0, 2]]}),
}


@pytest.mark.parametrize("name", KNOWN)
def test_the_needs_of_a_named_suite_say_what_every_selection_does(name: str) -> None:
    told = KNOWN[name]

    dependencies = dependencies_in(told)

    assert_nothing_false(told, dependencies)
    assert not failing_closures(told, dependencies), as_readable(dependencies)
    assert not mispredicted(told, dependencies), as_readable(dependencies)
