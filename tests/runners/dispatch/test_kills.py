"""Whose doing it was that a process was killed."""

import random

import pytest

from unknot.model.errors import RunnerError
from unknot.runners.dispatch.kills import Kills


def _times_until_believed(kills: Kills, key: int) -> int:
    return next(time for time in range(1, 20) if kills.is_its_own(key, 0))


def test_a_test_that_kills_its_process_again_and_again_is_believed() -> None:
    assert _times_until_believed(Kills(), 1) == 4


def test_orders_do_not_count_for_each_other() -> None:
    kills = Kills()
    assert not any(kills.is_its_own(key, 0) for key in range(3) for _ in range(3))


def test_after_an_order_came_through_where_it_was_killed_more_is_needed() -> None:
    kills = Kills()
    kills.is_its_own(1, 0)
    kills.decided(1, None)
    assert _times_until_believed(kills, 2) == 9


def test_that_is_remembered_when_other_orders_are_asked() -> None:
    kills = Kills()
    kills.is_its_own(1, 0)
    kills.decided(1, None)
    kills.forget_orders()
    assert _times_until_believed(kills, 1) == 9


def test_an_order_that_is_killed_at_two_places_shows_it_too() -> None:
    kills = Kills()
    assert not kills.is_its_own(1, 1)
    assert _times_until_believed(kills, 1) == 9


def test_a_test_that_crashed_says_nothing_about_others() -> None:
    kills = Kills()
    for _ in range(4):
        kills.is_its_own(1, 3)
    kills.decided(1, 3)
    assert _times_until_believed(kills, 2) == 4


def test_an_order_that_never_comes_through_is_an_error() -> None:
    kills = Kills()
    for place in range(11):
        kills.is_its_own(1, place)
    with pytest.raises(RunnerError, match="now in one test, now in another"):
        kills.is_its_own(1, 11)


@pytest.mark.parametrize("seed", range(20))
def test_one_in_five_killed_by_chance_blames_nobody(seed: int) -> None:
    """Every order is a single test, so that the place says nothing. Of these 4,000, six or so are killed four times."""
    chance, kills = random.Random(seed), Kills()
    for key in range(200):
        while chance.random() < 1 / 5:
            assert not kills.is_its_own(key, 0), key
        kills.decided(key, None)
