"""Looking may take its share of a run, and no more."""

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


def limits(clock: Clock, look: float, test: float, tests: int) -> list[int]:
    """The limit after each test, if tests and looks always take these seconds."""
    patient = WalkBudget()
    found = []
    for _ in range(tests):
        clock.now += test
        patient.begin()
        clock.now += look
        patient.end()
        found.append(patient.most_entries)
    return found


def test_looks_that_are_short_beside_the_tests_see_everything(clock: Clock) -> None:
    assert set(limits(clock, look=1.0, test=2.0, tests=100)) == {1_000_000}


def test_looks_that_are_short_at_all_see_everything(clock: Clock) -> None:
    assert set(limits(clock, look=0.01, test=0.001, tests=150)) == {1_000_000}


def test_looks_that_take_too_long_see_less_and_less_but_never_nothing(clock: Clock) -> None:
    found = limits(clock, look=1.0, test=0.1, tests=100)
    assert found == sorted(found, reverse=True)
    assert found[0] == 1_000_000
    assert found[-1] == 10_000


def test_the_next_limit_gets_its_own_chance(clock: Clock) -> None:
    patient = WalkBudget()
    patient.begin()
    clock.now += 3
    assert patient.end()
    for _ in range(50):
        clock.now += 1
        patient.begin()
        clock.now += 0.1
        assert not patient.end()
    assert patient.most_entries == 200_000
