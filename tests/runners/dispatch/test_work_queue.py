"""Who takes which group of orders next."""

import random

from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.runners.dispatch.work_queue import Group, WorkQueue


def _group(key: int, tests: int = 1) -> Group:
    return {key: tuple(range(tests))}


def test_each_worker_works_off_its_own_lane_from_the_front() -> None:
    waiting = WorkQueue([[_group(0), _group(1)], [_group(2), _group(3)]])
    assert [waiting.take(worker) for worker in (1, 0, 1, 0)] == [_group(2), _group(0), _group(3), _group(1)]
    assert not waiting


def test_an_idle_worker_takes_the_last_of_the_lane_with_most_left() -> None:
    waiting = WorkQueue([[], [_group(1, 5)], [_group(2, 3), _group(3, 4)]])
    assert waiting.take(0) == _group(3, 4)
    assert waiting.take(0) == _group(1, 5)
    assert waiting.take(7) == _group(2, 3)


def test_what_came_to_nothing_goes_first_and_one_lane_keeps_its_sequence() -> None:
    waiting = WorkQueue([[_group(0), _group(1), _group(2)]])
    assert waiting.take(1) == _group(0)
    waiting.give_back(_group(0))
    assert [waiting.take(worker) for worker in (1, 0, 1)] == [_group(0), _group(1), _group(2)]


@given(st.lists(st.integers(0, 4), min_size=1, max_size=5), st.randoms(use_true_random=False))
@laws(60)
def test_every_group_is_taken_exactly_once(sizes: list[int], chance: random.Random) -> None:
    keys = iter(range(sum(sizes)))
    waiting = WorkQueue([[_group(next(keys), 1 + size) for _ in range(size)] for size in sizes])
    taken: list[int] = []
    while waiting:
        taken += waiting.take(chance.randrange(6))
    assert sorted(taken) == list(range(sum(sizes)))
