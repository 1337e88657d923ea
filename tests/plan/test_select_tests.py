"""Some tests with what they need, in an order in which they do as in the whole suite."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.errors import UsageError
from unknot.model.outcome import Outcome
from unknot.model.suite import Order, Suite, TestId
from unknot.oracle.simulated import HiddenConflict, HiddenTruth
from unknot.plan.select import select_tests

NO_PROOF = Proof((), ())


def ids(*names: str) -> Order:
    return tuple(TestId(name) for name in names)


def dependencies_of(
    names: str,
    needs: dict[str, list[str]] | None = None,
    conflicts: list[tuple[str, str, str]] | None = None,
    **outcomes: Outcome,
) -> Dependencies:
    """One letter is one test; a need is written `ab` for a or b."""
    suite = Suite(ids(*names))
    return Dependencies(
        suite=suite,
        outcomes={test: outcomes.get(test, Outcome.PASSED) for test in suite.tests},
        seconds=dict.fromkeys(suite.tests, 1.0),
        needs=tuple(
            Need(TestId(test), ids(*any_of), NO_PROOF) for test, clauses in (needs or {}).items() for any_of in clauses
        ),
        conflicts=tuple(
            Conflict(TestId(victim), ids(*polluters), ids(*cleaners), NO_PROOF)
            for victim, polluters, cleaners in conflicts or []
        ),
    )


def order(dependencies: Dependencies, wanted: str) -> str:
    return "".join(select_tests(dependencies, ids(*wanted)).order)


def test_what_is_wanted_comes_in_reference_order() -> None:
    assert order(dependencies_of("abcd"), "ca") == "ac"


def test_nothing_wanted_is_nothing_to_run() -> None:
    assert select_tests(dependencies_of("abc"), ()).order == ()


def test_needs_are_added_and_listed_separately() -> None:
    selection = select_tests(dependencies_of("abcd", {"d": ["b"], "b": ["a"]}), ids("d"))
    assert selection.order == ids("a", "b", "d")
    assert selection.wanted == ids("d")
    assert selection.needed == ids("a", "b")


def test_an_alternative_that_is_there_anyway_will_do() -> None:
    assert order(dependencies_of("abcd", {"d": ["abc"]}), "cd") == "cd"
    assert order(dependencies_of("abcd", {"d": ["abc"], "c": ["b"]}), "cd") == "bcd"
    assert order(dependencies_of("abcd", {"d": ["abc"]}), "d") == "ad"
    assert order(dependencies_of("abcdef", {"f": ["ac", "cd"]}), "f") == "cf"


def test_a_cleaner_comes_along_only_if_the_polluter_does() -> None:
    dependencies = dependencies_of("abcd", conflicts=[("d", "a", "bc")])
    assert order(dependencies, "d") == "d"
    assert order(dependencies, "ad") == "abd"
    assert order(dependencies, "acd") == "acd"


def test_what_a_cleaner_needs_comes_along_too() -> None:
    assert order(dependencies_of("abcde", {"c": ["b"]}, [("e", "a", "c")]), "ae") == "abce"


def test_where_no_cleaner_is_known_all_that_stands_before_comes_along() -> None:
    assert order(dependencies_of("abcde", conflicts=[("d", "a", "")]), "ad") == "abcd"
    assert order(dependencies_of("abcde", conflicts=[("d", "a", "")]), "ade") == "abcde"
    assert order(dependencies_of("abcde", conflicts=[("d", "a", "")]), "de") == "de"


def test_a_need_that_nothing_before_meets_leaves_only_the_reference_order() -> None:
    assert order(dependencies_of("abcd", {"c": ["d"]}), "c") == "abc"


def test_unfinished_dependencies_leave_only_the_reference_order() -> None:
    dependencies = replace(dependencies_of("abcde"), complete=False)
    assert order(dependencies, "bd") == "abcd"
    assert order(replace(dependencies_of("abcde"), untried=3), "b") == "ab"


def test_a_test_that_ends_its_process_comes_last() -> None:
    dependencies = dependencies_of("abcd", {"b": ["a"]}, b=Outcome.CRASHED)
    assert order(dependencies, "bd") == "adb"
    assert order(replace(dependencies, complete=False), "bd") == "acdb"


def test_a_victim_that_fails_anyway_is_not_spared() -> None:
    assert order(dependencies_of("abcd", conflicts=[("d", "a", "b")], d=Outcome.FAILED), "ad") == "ad"


def test_an_unknown_test_is_named() -> None:
    with pytest.raises(UsageError, match="there is no test x"):
        select_tests(dependencies_of("abc"), ids("x"))


@st.composite
def suites(draw: st.DrawFn) -> tuple[Dependencies, HiddenTruth]:
    """A suite that passes in its own order, and the truth about it. Every conflict has a cleaner in between."""
    size = draw(st.integers(3, 9))
    names = ids(*"abcdefghi"[:size])
    needs: dict[TestId, list[frozenset[TestId]]] = {}
    for place in range(1, size):
        clauses = draw(st.lists(st.sets(st.sampled_from(names[:place]), min_size=1, max_size=3), max_size=2))
        if clauses:
            needs[names[place]] = [frozenset(clause) for clause in clauses]
    conflicts = []
    for place in draw(st.lists(st.integers(2, size - 1), max_size=4)):
        first = draw(st.integers(0, place - 2))
        polluters = {names[first], *draw(st.sets(st.sampled_from(names[: first + 1]), max_size=2))}
        cleaners = draw(st.sets(st.sampled_from(names[first + 1 : place]), min_size=1, max_size=2))
        conflicts.append(HiddenConflict(names[place], frozenset(polluters), frozenset(cleaners)))
    truth = HiddenTruth(
        needs={test: tuple(clauses) for test, clauses in needs.items()},
        conflicts=tuple(conflicts),
        seconds=dict.fromkeys(names, 1.0),
    )
    dependencies = Dependencies(
        suite=Suite(names),
        outcomes=dict.fromkeys(names, Outcome.PASSED),
        seconds=dict.fromkeys(names, 1.0),
        needs=tuple(
            Need(test, tuple(sorted(clause)), NO_PROOF) for test, clauses in needs.items() for clause in clauses
        ),
        conflicts=tuple(
            Conflict(known.victim, tuple(sorted(known.polluters)), tuple(sorted(known.cleaners)), NO_PROOF)
            for known in conflicts
        ),
    )
    return dependencies, truth


@settings(max_examples=200, deadline=None)
@given(suites(), st.data())
def test_whatever_is_wanted_does_as_in_the_whole_suite(
    found: tuple[Dependencies, HiddenTruth], data: st.DataObject
) -> None:
    """Without conflicts, a wanted test brings no more than its closure."""
    dependencies, truth = found
    wanted = data.draw(st.sets(st.sampled_from(dependencies.suite.tests)))
    selection = select_tests(dependencies, wanted)

    outcomes = truth.outcomes(selection.order, random.Random(0))

    assert set(outcomes) <= {Outcome.PASSED}
    assert wanted == set(selection.wanted)
    assert len(set(selection.order)) == len(selection.order)
    assert list(selection.order) == sorted(selection.order), "the reference order is that of the alphabet"

    without_conflicts = replace(dependencies, conflicts=())
    for test in wanted:
        assert select_tests(without_conflicts, [test]).order == dependencies.closure(test)
