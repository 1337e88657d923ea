"""Resets that leak, in simulated suites: which are accused, and which never are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.suite import Order, TestId
from unknot.runners.dispatch.reset_check import PAIRS, check_reset_by, leak_error

KEYS = st.sampled_from("abcd")


@dataclass(frozen=True)
class Simulated:
    """A test fails if the system holds one of `dislikes` or lacks one of `needs`; then, or not, it adds and removes."""

    dislikes: frozenset[str] = frozenset()
    adds: frozenset[str] = frozenset()
    removes: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()


TESTS = st.lists(
    st.builds(
        Simulated,
        st.frozensets(KEYS, max_size=1),
        st.frozensets(KEYS, max_size=2),
        st.frozensets(KEYS, max_size=1),
        st.frozensets(KEYS, max_size=1),
    ),
    min_size=1,
    max_size=6,
)


class System:
    """Its reset forgets all but `kept`. Remembers what was requested, each time whether on a new instance and whether
    backwards, and what came of it."""

    def __init__(
        self, tests: list[Simulated], kept: frozenset[str], chance: Callable[[int], bool] | None = None
    ) -> None:
        self._tests = tests
        self._kept = kept
        self._chance = chance
        self._state: set[str] = set()
        self.requested: list[tuple[bool, bool]] = []
        self.answers: list[dict[TestId, Outcome]] = []

    @property
    def order(self) -> Order:
        return tuple(TestId(f"t{number}") for number in range(len(self._tests)))

    def __call__(self, orders: Sequence[Order]) -> list[tuple[Result, ...]]:
        return [self._run(order, new=place == 0) for place, order in enumerate(orders)]

    def _run(self, order: Order, *, new: bool) -> tuple[Result, ...]:
        self._state = set() if new else self._state & self._kept
        self.requested.append((new, order != self.order))
        outcomes = {}
        for name in order:
            number = self.order.index(name)
            test = self._tests[number]
            is_hurt = bool(self._state & test.dislikes or test.needs - self._state)
            fails = is_hurt != (self._chance is not None and self._chance(number))
            outcomes[name] = Outcome.FAILED if fails else Outcome.PASSED
            self._state = self._state - test.removes | test.adds
        self.answers.append(outcomes)
        return tuple(Result(outcome) for outcome in outcomes.values())

    def seen(self, test: TestId, *, new: bool, backwards: bool) -> list[Outcome]:
        return [
            answer[test]
            for requested, answer in zip(self.requested, self.answers, strict=True)
            if requested == (new, backwards)
        ]


@given(TESTS)
def test_a_reset_that_resets_is_never_accused_and_costs_few_runs(tests: list[Simulated]) -> None:
    system = System(tests, kept=frozenset())
    check = check_reset_by(system, system.order)
    assert (check.leaks, check.unsteady) == ((), ())
    both_ways = [(True, False), (False, True), (False, False), (True, True)]
    assert system.requested == (both_ways if len(tests) > 1 else [(True, False), (False, False)])


@given(TESTS, st.frozensets(KEYS, min_size=1))
def test_every_steady_leak_that_the_first_runs_show_is_found(tests: list[Simulated], kept: frozenset[str]) -> None:
    system = System(tests, kept)
    check = check_reset_by(system, system.order)
    differ = set()
    for backwards in (False, True) if len(tests) > 1 else (False,):
        new, used = (
            {test: system.seen(test, new=is_new, backwards=backwards) for test in system.order}
            for is_new in (True, False)
        )
        here = {test for test in system.order if new[test][0] is not used[test][0]}
        differ |= here
        steady = {test for test in here if len({*new[test]}) == len({*used[test]}) == 1}
        assert {leak.test for leak in check.leaks} >= steady
    assert {leak.test for leak in check.leaks} | set(check.unsteady) >= differ
    for leak in check.leaks:
        assert leak.alone is system.seen(leak.test, new=True, backwards=leak.backwards)[0]
        assert leak.after is system.seen(leak.test, new=False, backwards=leak.backwards)[0]


@given(TESTS, st.frozensets(KEYS), st.data())
def test_a_test_that_is_accused_failed_often_enough(
    tests: list[Simulated], kept: frozenset[str], data: st.DataObject
) -> None:
    flips = st.booleans()
    system = System(tests, kept, lambda number: data.draw(flips))
    check = check_reset_by(system, system.order)
    assert len(system.requested) <= 5 * PAIRS
    accused = {leak.test: leak for leak in check.leaks}
    assert not accused.keys() & set(check.unsteady)
    for test, leak in accused.items():
        on_new = system.seen(test, new=True, backwards=leak.backwards)[:PAIRS]
        after = system.seen(test, new=False, backwards=leak.backwards)[:PAIRS]
        assert len(on_new) == len(after) == PAIRS
        assert len(set(on_new)) == 1
        assert on_new[0] not in after


def test_what_the_suites_own_order_hides_is_seen_backwards() -> None:
    """Whoever needs something finds it in that order anyway."""
    system = System([Simulated(adds=frozenset("a")), Simulated(needs=frozenset("a"))], frozenset("a"))
    check = check_reset_by(system, system.order)
    (leak,) = check.leaks
    assert (leak.test, leak.alone, leak.after, leak.backwards) == ("t1", Outcome.FAILED, Outcome.PASSED, True)
    assert "t1 (failed on a new instance, passed after it, backwards) found" in leak_error(check, "http").message


def test_what_a_suite_that_tidies_up_at_its_end_hides_is_seen_after_it_ran_backwards() -> None:
    tests = [Simulated(dislikes=frozenset("a"), adds=frozenset("a")), Simulated(removes=frozenset("a"))]
    system = System(tests, frozenset("a"))
    (leak,) = check_reset_by(system, system.order).leaks
    assert (leak.test, leak.after, leak.backwards) == ("t0", Outcome.FAILED, False)


def test_a_test_that_fails_once_by_chance_is_not_the_resets_doing() -> None:
    answers = iter([False, True, False, False, False, False])
    system = System([Simulated()], frozenset(), lambda _: next(answers))
    check = check_reset_by(system, system.order)
    assert (check.leaks, check.unsteady) == ((), ("t0",))
    assert len(system.requested) == 4


def test_the_error_names_the_reset_and_the_tests() -> None:
    touchy = Simulated(frozenset("a"), frozenset("a"), frozenset())
    system = System([touchy, Simulated(frozenset("b"), frozenset("b"), frozenset())], frozenset("ab"))
    error = leak_error(check_reset_by(system, system.order), "http")
    assert "the reset 'http' does not reset: t0 (passed on a new instance, failed after it), t1 " in error.message
    many = System([Simulated(frozenset("a"), frozenset(), frozenset())] * 7 + [touchy], frozenset("a"))
    assert "t4 (passed on a new instance, failed after it) and 3 more found" in (
        leak_error(check_reset_by(many, many.order), "sqlite").message
    )
