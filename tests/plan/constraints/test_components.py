"""Parts that stay together and places to cut, verified by running every way to cut."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from unknot.model.dependencies import Dependencies
from unknot.plan.constraints.components import blocks, components

from ..plan_cases import conflict, dependencies_of, ids, need, passes, passing_dependencies, truth_of


@settings(deadline=None, max_examples=60)
@given(passing_dependencies(), st.randoms(use_true_random=False))
def test_parts_in_their_own_order_are_safe_however_they_are_mixed(dependencies: Dependencies, dice: object) -> None:
    parts = [list(part) for part in components(dependencies)]
    grouped = {test for part in parts for test in part}
    parts += [[test] for test in dependencies.suite.tests if test not in grouped]
    order = []
    while any(parts):
        part = dice.choice([part for part in parts if part])  # type: ignore[attr-defined]
        order.append(part.pop(0))
    assert passes(truth_of(dependencies), tuple(order))


@settings(deadline=None, max_examples=60)
@given(passing_dependencies())
def test_every_run_of_neighbouring_blocks_passes_by_itself(dependencies: Dependencies) -> None:
    cut = blocks(dependencies)
    assert tuple(test for block in cut for test in block) == dependencies.suite.tests
    for start, end in combinations(range(len(cut) + 1), 2):
        assert passes(truth_of(dependencies), tuple(test for block in cut[start:end] for test in block))


@settings(deadline=None, max_examples=60)
@given(passing_dependencies())
def test_no_further_cut_would_do(dependencies: Dependencies) -> None:
    """With needs of one test each, a block that could be cut would leave a dependent without what it needs."""
    dependencies = dependencies_of(
        dependencies.suite.tests, needs=[found for found in dependencies.needs if len(found.any_of) == 1]
    )
    for block in blocks(dependencies):
        for place in range(1, len(block)):
            assert not passes(truth_of(dependencies), block[place:])


def test_needs_and_conflicts_tie() -> None:
    dependencies = dependencies_of("a b c d e f", needs=[need("d", "a")], conflicts=[conflict("f", "b", "c")])
    assert components(dependencies) == (ids("a d"), ids("b c f"))


def test_an_unfinished_detection_connects_everything() -> None:
    dependencies = dependencies_of("a b c", complete=False)
    assert components(dependencies) == (ids("a b c"),)
    assert blocks(dependencies) == (ids("a b c"),)


def test_the_nearest_alternative_is_kept_with_its_dependent() -> None:
    dependencies = dependencies_of("a x b c", needs=[need("c", "a b")])
    assert blocks(dependencies) == (ids("a"), ids("x"), ids("b c"))
