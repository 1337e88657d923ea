"""What follows from a run for every test in it."""

from hypothesis import given
from hypothesis import strategies as st
from strategies import Case, hidden_graphs, laws

from unknot.detect.sieve.elimination import Elimination
from unknot.model.bits import bits, positions
from unknot.model.graph import DependencyGraph
from unknot.model.outcome import Outcome


def everyone(size: int) -> Elimination:
    return Elimination(size, range(size))


def test_a_passing_test_needs_none_of_those_left_out() -> None:
    known = everyone(4)

    known.learn(bits([1, 3]), bits([1, 3]))

    assert [list(positions(row)) for row in known.candidates] == [[], [], [0, 1], [1]]


def test_a_failing_test_needs_one_of_those_left_out() -> None:
    known = everyone(4)

    known.learn(bits([1, 3]), bits([1]))

    assert known.one_of[3] == [bits([0, 2])]


def test_one_left_is_the_one_needed_and_brings_what_it_needs() -> None:
    known = everyone(3)

    known.learn(bits([1]), 0)
    known.learn(bits([0, 2]), bits([0]))

    assert (known.confirmed[1], known.confirmed[2]) == (bits([0]), bits([0, 1]))


def test_a_test_that_does_not_need_another_does_not_need_its_dependents() -> None:
    known = everyone(3)

    known.learn(bits([1, 2]), bits([2]))

    assert known.confirmed[1] == bits([0])
    assert known.candidates[2] == 0


def test_of_two_candidates_one_of_which_needs_the_other_only_the_first_counts() -> None:
    """1 needs 0. Without both 3 fails: it needs 0, whether or not it needs 1."""
    known = everyone(4)

    known.learn(bits([1]), 0)
    known.learn(bits([2, 3]), bits([2]))

    assert known.confirmed[3] == bits([0])
    assert known.candidates[3] >> 1 & 1


def test_a_test_that_fails_with_nothing_missing_is_odd_and_keeps_its_failure_to_itself() -> None:
    known = everyone(3)
    known.learn(bits([1]), bits([1]))

    known.learn(bits([0, 1, 2]), bits([0]))

    assert known.irregular == bits([1, 2]) or known.irregular == bits([1])
    assert known.confirmed == [0, 0, 0]


@st.composite
def suites_and_selections(draw: st.DrawFn) -> tuple[Case, list[list[int]]]:
    told = draw(hidden_graphs("random", 12))
    selections = draw(st.lists(st.lists(st.integers(0, told.size - 1), unique=True), max_size=25))
    return told, [sorted(selection) for selection in selections]


@laws(150)
@given(suites_and_selections())
def test_nothing_deduced_from_any_runs_is_false(drawn: tuple[Case, list[list[int]]]) -> None:
    told, selections = drawn
    closure_of = DependencyGraph(told.size, [(d, c[0]) for d, cs in told.needs.items() for c in cs]).closure()
    known = everyone(told.size)

    for selection in selections:
        outcomes = told.outcomes(told.suite.order(selection))
        passed = bits(test for test, outcome in zip(selection, outcomes, strict=True) if outcome is Outcome.PASSED)
        known.learn(bits(selection), passed)

    assert not known.irregular
    for test, needed in enumerate(closure_of.rows):
        assert known.confirmed[test] & ~needed == 0
        assert needed & ~known.confirmed[test] & ~known.candidates[test] == 0
        assert all(group & needed for group in known.one_of[test])
