"""What a run is predicted to take from start to end."""

from unknot.model.start_up import StartUp, WallTime


def test_both_runs_collect_and_only_the_parallel_one_has_other_costs() -> None:
    wall = WallTime.predict(StartUp(collecting=1.0, rest=0.5), work=6.0, makespan=3.0)
    assert (wall.parallel, wall.plain) == (4.5, 7.0)
    assert not wall.is_plain_faster


def test_workers_are_not_worth_their_cost_for_a_short_suite() -> None:
    assert WallTime.predict(StartUp(collecting=1.0, rest=0.5), work=0.8, makespan=0.4).is_plain_faster


def test_a_gain_that_is_too_small_to_notice_is_none() -> None:
    assert WallTime.predict(StartUp(collecting=0.0, rest=0.0), work=1.0, makespan=0.99).is_plain_faster
