"""Whether a test or something outside killed a process."""

import random

import pytest

from unknot.model.errors import RunnerError
from unknot.runners.dispatch.crash_attribution import KillCounts


def _kills_until_blamed(kills: KillCounts, key: int) -> int:
    return next(time for time in range(1, 20) if kills.blames_test(key, 0))


def test_a_test_that_kills_its_process_again_and_again_is_blamed() -> None:
    assert _kills_until_blamed(KillCounts(), 1) == 4


def test_orders_do_not_count_for_each_other() -> None:
    kills = KillCounts()
    assert not any(kills.blames_test(key, 0) for key in range(3) for _ in range(3))


def test_after_an_order_came_through_where_it_was_killed_more_is_needed() -> None:
    kills = KillCounts()
    kills.blames_test(1, 0)
    kills.decided(1, None)
    assert _kills_until_blamed(kills, 2) == 9


def test_that_is_remembered_when_other_orders_are_run() -> None:
    kills = KillCounts()
    kills.blames_test(1, 0)
    kills.decided(1, None)
    kills.forget_orders()
    assert _kills_until_blamed(kills, 1) == 9


def test_an_order_that_is_killed_at_two_positions_shows_it_too() -> None:
    kills = KillCounts()
    assert not kills.blames_test(1, 1)
    assert _kills_until_blamed(kills, 1) == 9


def test_a_test_that_crashed_says_nothing_about_others() -> None:
    kills = KillCounts()
    for _ in range(4):
        kills.blames_test(1, 3)
    kills.decided(1, 3)
    assert _kills_until_blamed(kills, 2) == 4


def test_an_order_that_never_comes_through_is_an_error() -> None:
    kills = KillCounts()
    for position in range(11):
        kills.blames_test(1, position)
    with pytest.raises(RunnerError, match="now in one test, now in another"):
        kills.blames_test(1, 11)


@pytest.mark.parametrize("seed", range(20))
def test_one_in_five_killed_by_chance_blames_no_test(seed: int) -> None:
    """Every order is a single test, so the position says nothing. Of these 4,000, six or so are killed four times."""
    chance, kills = random.Random(seed), KillCounts()
    for key in range(200):
        while chance.random() < 1 / 5:
            assert not kills.blames_test(key, 0), key
        kills.decided(key, None)
