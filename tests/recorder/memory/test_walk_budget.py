"""Heap walks may take their share of a run, and no more."""

import pytest

from unknot.recorder.inside.memory import memory
from unknot.recorder.inside.memory.memory import WalkBudget


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(memory, "_cpu_seconds", made)
    return made


def limits(clock: Clock, walk: float, test: float, tests: int) -> list[int]:
    """The limit after each test, if tests and walks always take these seconds."""
    budget = WalkBudget()
    found = []
    for _ in range(tests):
        clock.now += test
        budget.begin()
        clock.now += walk
        budget.end()
        found.append(budget.most_entries)
    return found


def test_walks_much_shorter_than_the_tests_are_not_limited(clock: Clock) -> None:
    assert set(limits(clock, walk=1.0, test=2.0, tests=100)) == {1_000_000}


def test_short_walks_are_not_limited(clock: Clock) -> None:
    assert set(limits(clock, walk=0.01, test=0.001, tests=150)) == {1_000_000}


def test_long_walks_are_limited_more_and_more_but_never_to_nothing(clock: Clock) -> None:
    found = limits(clock, walk=1.0, test=0.1, tests=100)
    assert found == sorted(found, reverse=True)
    assert found[0] == 1_000_000
    assert found[-1] == 10_000


def test_the_next_limit_gets_its_own_chance(clock: Clock) -> None:
    budget = WalkBudget()
    budget.begin()
    clock.now += 3
    assert budget.end()
    for _ in range(50):
        clock.now += 1
        budget.begin()
        clock.now += 0.1
        assert not budget.end()
    assert budget.most_entries == 200_000
