"""Parts that stay together and places to cut, judged by running every way to cut."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from unknot.model.knots import Knots
from unknot.plan.constraints.components import blocks, components

from ..plan_cases import conflict, ids, knots_of, need, passes, passing_knots, truth_of


@settings(deadline=None, max_examples=60)
@given(passing_knots(), st.randoms(use_true_random=False))
def test_parts_in_their_own_order_are_safe_however_they_are_mixed(knots: Knots, dice: object) -> None:
    parts = [list(part) for part in components(knots)]
    grouped = {test for part in parts for test in part}
    parts += [[test] for test in knots.suite.tests if test not in grouped]
    order = []
    while any(parts):
        part = dice.choice([part for part in parts if part])  # type: ignore[attr-defined]
        order.append(part.pop(0))
    assert passes(truth_of(knots), tuple(order))


@settings(deadline=None, max_examples=60)
@given(passing_knots())
def test_every_run_of_neighbouring_blocks_passes_by_itself(knots: Knots) -> None:
    cut = blocks(knots)
    assert tuple(test for block in cut for test in block) == knots.suite.tests
    for start, end in combinations(range(len(cut) + 1), 2):
        assert passes(truth_of(knots), tuple(test for block in cut[start:end] for test in block))


@settings(deadline=None, max_examples=60)
@given(passing_knots())
def test_no_further_cut_would_do(knots: Knots) -> None:
    """With needs of one test each, a block that could be cut would leave a dependent without what it needs."""
    knots = knots_of(knots.suite.tests, needs=[found for found in knots.needs if len(found.any_of) == 1])
    for block in blocks(knots):
        for place in range(1, len(block)):
            assert not passes(truth_of(knots), block[place:])


def test_needs_and_conflicts_tie() -> None:
    knots = knots_of("a b c d e f", needs=[need("d", "a")], conflicts=[conflict("f", "b", "c")])
    assert components(knots) == (ids("a d"), ids("b c f"))


def test_an_unfinished_detection_ties_everything() -> None:
    knots = knots_of("a b c", complete=False)
    assert components(knots) == (ids("a b c"),)
    assert blocks(knots) == (ids("a b c"),)


def test_the_nearest_alternative_is_kept_with_its_dependent() -> None:
    knots = knots_of("a x b c", needs=[need("c", "a b")])
    assert blocks(knots) == (ids("a"), ids("x"), ids("b c"))
