"""Orders that show many things at once."""

import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import edge_sets, laws

from unknot.detect.engine.orders import halving, in_groups, of_blocks, respecting_needs, shuffled, tuscan
from unknot.model.bits import positions
from unknot.model.graph import DependencyGraph


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 5, 16, 17, 31, 64, 100])
def test_halving_shows_every_later_test_without_every_earlier_one(size: int) -> None:
    orders = [set(order) for order in halving(size)]

    for later in range(size):
        for earlier in range(later):
            assert any(later in order and earlier not in order for order in orders)


@pytest.mark.parametrize(("size", "count"), [(1, 0), (2, 1), (3, 2), (16, 4), (17, 5), (1000, 10)])
def test_halving_takes_log2_n_orders_each_in_reference_order(size: int, count: int) -> None:
    orders = halving(size)

    assert len(orders) == count
    assert all(order == sorted(set(order)) for order in orders)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 8, 9, 20, 21])
def test_in_tuscan_orders_every_ordered_pair_stands_side_by_side_exactly_once(size: int) -> None:
    orders = list(tuscan(size))

    met = Counter(pair for order in orders for pair in pairwise(order))
    if size % 2 == 0:
        assert all(times == 1 for times in met.values())
    assert set(met) == {(a, b) for a in range(size) for b in range(size) if a != b}
    assert len(orders) == size + size % 2


@pytest.mark.parametrize("size", [0, 1, 2, 3, 7, 8])
def test_every_tuscan_order_has_every_test_once(size: int) -> None:
    assert all(sorted(order) == list(range(size)) for order in tuscan(size))


@laws()
@given(edge_sets(), st.randoms(use_true_random=False))
def test_an_order_that_respects_needs_has_every_test_once_and_after_its_needs(
    drawn: tuple[int, list[tuple[int, int]]], chance: random.Random
) -> None:
    size, edges = drawn
    closure_of = DependencyGraph(size, edges).closure()
    sequence = chance.sample(range(size), size)

    order = respecting_needs(sequence, lambda test: [*positions(closure_of.rows[test]), test])

    assert sorted(order) == list(range(size))
    assert all(order.index(needed) < order.index(dependent) for dependent, needed in edges)


@laws()
@given(st.permutations(range(8)))
def test_a_sequence_without_needs_stays_as_it_is(sequence: list[int]) -> None:
    assert respecting_needs(sequence, lambda test: (test,)) == sequence


FILES = st.lists(st.sampled_from("abcd"), min_size=1, max_size=20)


@laws()
@given(FILES, st.integers(0, 5))
def test_a_shuffled_order_has_every_test_once_and_files_in_one_piece(files: list[str], seed: int) -> None:
    order = shuffled(len(files), files, random.Random(seed))

    assert sorted(order) == list(range(len(files)))
    changes = sum(files[one] != files[other] for one, other in pairwise(order))
    assert changes == len(set(files)) - 1
    assert order == shuffled(len(files), files, random.Random(seed))


@laws()
@given(st.integers(0, 60), st.integers(1, 16))
def test_groups_have_every_test_once_no_neighbours_and_at_most_the_given_size(size: int, largest: int) -> None:
    groups = in_groups(size, largest)

    assert sorted(test for group in groups for test in group) == list(range(size))
    assert all(0 < len(group) <= largest for group in groups)
    assert all(later - earlier > 1 for group in groups for earlier, later in pairwise(group))


@laws()
@given(st.integers(1, 60), st.sampled_from([2, 4, 10]), st.randoms(use_true_random=False))
def test_in_orders_of_blocks_any_two_tests_come_close_either_way_round(
    size: int, count: int, chance: random.Random
) -> None:
    found = of_blocks(size, count, chance)

    assert len(found) == count
    assert all(sorted(order) == list(range(size)) for order in found)
    place = [{test: number for number, test in enumerate(order)} for order in found]
    largest = -(-size // count)
    for one in range(size):
        for other in range(size):
            gaps = [at[other] - at[one] for at in place if at[other] > at[one]]
            close = [abs(at[other] - at[one]) for at in place]
            assert min(gaps, default=0) < 2 * largest or max(close) < largest
