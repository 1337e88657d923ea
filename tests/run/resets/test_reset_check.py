"""Resets that leak, in simulated suites: who is accused, and who never is."""

from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.suite import Order, TestId
from unknot.run.seats.reset_check import PAIRS, check_reset_by, leak_error

KEYS = st.sampled_from("abcd")


@dataclass(frozen=True)
class Simulated:
    """A test fails if the system holds one of `dislikes`; then, or not, it adds and removes."""

    dislikes: frozenset[str]
    adds: frozenset[str]
    removes: frozenset[str]


TESTS = st.lists(
    st.builds(
        Simulated, st.frozensets(KEYS, max_size=1), st.frozensets(KEYS, max_size=2), st.frozensets(KEYS, max_size=1)
    ),
    min_size=1,
    max_size=6,
)


class System:
    """Its reset forgets all but `kept`. Remembers what was asked and what came of it."""

    def __init__(
        self, tests: list[Simulated], kept: frozenset[str], chance: Callable[[int], bool] | None = None
    ) -> None:
        self._tests = tests
        self._kept = kept
        self._chance = chance
        self._state: set[str] = set()
        self.asked: list[bool] = []
        self.answers: list[tuple[Outcome, ...]] = []

    @property
    def order(self) -> Order:
        return tuple(TestId(f"t{number}") for number in range(len(self._tests)))

    def __call__(self, new: bool) -> tuple[Result, ...]:
        self._state = set() if new else self._state & self._kept
        self.asked.append(new)
        outcomes = []
        for number, test in enumerate(self._tests):
            fails = bool(self._state & test.dislikes) != (self._chance is not None and self._chance(number))
            outcomes.append(Outcome.FAILED if fails else Outcome.PASSED)
            self._state = self._state - test.removes | test.adds
        self.answers.append(tuple(outcomes))
        return tuple(Result(outcome) for outcome in outcomes)


@given(TESTS)
def test_a_reset_that_resets_is_never_accused_and_costs_two_runs(tests: list[Simulated]) -> None:
    system = System(tests, kept=frozenset())
    check = check_reset_by(system, system.order)
    assert (check.leaks, check.unsteady, system.asked) == ((), (), [True, False])


@given(TESTS, st.frozensets(KEYS, min_size=1))
def test_every_steady_leak_that_the_first_two_runs_show_is_found(tests: list[Simulated], kept: frozenset[str]) -> None:
    system = System(tests, kept)
    check = check_reset_by(system, system.order)
    alone, after = system.answers[:2]
    differ = {test for test, one, other in zip(system.order, alone, after, strict=True) if one is not other}
    assert {leak.test for leak in check.leaks} | set(check.unsteady) >= differ
    if all(answer == after for new, answer in zip(system.asked, system.answers, strict=True) if not new):
        assert {leak.test for leak in check.leaks} == differ
        assert check.unsteady == ()
    for leak in check.leaks:
        place = system.order.index(leak.test)
        assert (leak.alone, leak.after) == (alone[place], after[place])


@given(TESTS, st.frozensets(KEYS), st.data())
def test_whoever_is_accused_was_seen_often_enough(
    tests: list[Simulated], kept: frozenset[str], data: st.DataObject
) -> None:
    flips = st.booleans()
    system = System(tests, kept, lambda number: data.draw(flips))
    check = check_reset_by(system, system.order)
    assert system.asked == [True, False, *[False, True] * ((len(system.asked) - 2) // 2)]
    assert len(system.asked) <= 2 * PAIRS
    differed = set()
    for place, test in enumerate(system.order):
        on_new = [answer[place] for new, answer in zip(system.asked, system.answers, strict=True) if new]
        after = [answer[place] for new, answer in zip(system.asked, system.answers, strict=True) if not new]
        if len({*on_new, *after}) > 1:
            differed.add(test)
        accused = test in {leak.test for leak in check.leaks}
        assert not accused or (len(on_new) == PAIRS and len(set(on_new)) == 1 and on_new[0] not in after)
    assert differed == {leak.test for leak in check.leaks} | set(check.unsteady)
    assert not {leak.test for leak in check.leaks} & set(check.unsteady)


def test_a_test_that_fails_once_by_chance_is_not_the_resets_doing() -> None:
    answers = iter([False, True, False, False, False, False])
    system = System([Simulated(frozenset(), frozenset(), frozenset())], frozenset(), lambda _: next(answers))
    check = check_reset_by(system, system.order)
    assert (check.leaks, check.unsteady) == ((), ("t0",))
    assert len(system.asked) == 4


def test_the_error_names_the_reset_and_the_tests() -> None:
    touchy = Simulated(frozenset("a"), frozenset("a"), frozenset())
    system = System([touchy, Simulated(frozenset("b"), frozenset("b"), frozenset())], frozenset("ab"))
    error = leak_error(check_reset_by(system, system.order), "http")
    assert "the reset 'http' does not reset: t0 (passed on a new instance, failed after it), t1 " in error.message
    many = System([Simulated(frozenset("a"), frozenset(), frozenset())] * 7 + [touchy], frozenset("a"))
    assert "t4 (passed on a new instance, failed after it) and 3 more saw" in (
        leak_error(check_reset_by(many, many.order), "sqlite").message
    )
