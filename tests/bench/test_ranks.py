"""Rank statistics, against cases computed by hand."""

import math

import pytest
from bench.kit.ranks import effect_size, p_value, u_statistic


def test_the_statistic_counts_pairs() -> None:
    assert u_statistic([3, 4], [1, 2]) == 4
    assert u_statistic([1, 2], [3, 4]) == 0
    # 2 > 1; 2 = 2 is a half; 5 > 1, 5 > 2, 5 > 3
    assert u_statistic([2, 5], [1, 2, 3]) == 4.5


def test_the_effect_size_is_the_share_of_pairs() -> None:
    assert effect_size([2, 5], [1, 2, 3]) == 4.5 / 6
    assert effect_size([1, 2, 3], [1, 2, 3]) == 0.5


def test_the_p_value_is_that_of_the_normal_approximation() -> None:
    """Ten against ten, all larger: U = 100, mean 50, variance 100 * 21 / 12 = 175."""
    expected = math.erfc((50 - 0.5) / math.sqrt(175) / math.sqrt(2))
    assert p_value(range(10, 20), range(10)) == pytest.approx(expected)
    assert p_value(range(10), range(10, 20)) == pytest.approx(expected)
    assert expected == pytest.approx(0.000183, abs=1e-6)


def test_ties_make_the_variance_smaller() -> None:
    """1, 1, 2, 2 against 1, 2, 2, 2: U = 6, mean 8; three ones, five twos: 24 + 120 = 144 is taken off."""
    variance = 16 / 12 * (9 - 144 / 56)
    assert p_value([1, 1, 2, 2], [1, 2, 2, 2]) == pytest.approx(math.erfc(1.5 / math.sqrt(2 * variance)))


def test_equal_samples_do_not_differ() -> None:
    assert p_value([1, 1], [1, 1]) == 1
    assert p_value([1, 2, 3], [1, 2, 3]) == 1
