from dataclasses import replace

import pytest

from unknot.model.comparison import compare, renamed_tests
from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.suite import Suite, TestId

A, B, C, D = (TestId(f"t.py::test_{name}") for name in "abcd")


def result(*claims: Need | Conflict, tests: tuple[TestId, ...] = (A, B, C, D)) -> Dependencies:
    return Dependencies(
        Suite(tests),
        dict.fromkeys(tests, Outcome.PASSED),
        {},
        needs=tuple(claim for claim in claims if isinstance(claim, Need)),
        conflicts=tuple(claim for claim in claims if isinstance(claim, Conflict)),
    )


def need(test: TestId, *setters: TestId) -> Need:
    return Need(test, setters, Proof((*setters, test), (test,)))


def conflict(test: TestId, *polluters: TestId, cleaners: tuple[TestId, ...] = ()) -> Conflict:
    return Conflict(test, polluters, cleaners, Proof((test,), (*polluters, test)))


@pytest.mark.parametrize(
    ("before", "now", "is_new"),
    [
        (None, need(D, A), True),
        (need(D, A), need(D, A), False),
        (need(D, A), need(D, A, B), False),
        (need(D, A, B), need(D, A), True),
        (need(D, A), need(D, B), True),
        (conflict(D, A), need(D, A), True),
        (conflict(D, A), conflict(D, A, cleaners=(C,)), False),
        (conflict(D, A), conflict(D, A, B), False),
        (conflict(D, A, B), conflict(D, A), True),
    ],
)
def test_what_is_stricter_than_before_is_new(
    before: Need | Conflict | None, now: Need | Conflict, is_new: bool
) -> None:
    assert bool(compare(result(*([before] if before else [])), result(now)).new) is is_new


def test_a_deleted_alternative_makes_nothing_new() -> None:
    assert not compare(result(need(D, A, B)), result(need(D, A), tests=(A, C, D))).new


def test_a_dependency_is_gone_only_if_its_tests_are_still_there() -> None:
    before = result(need(D, A), conflict(C, B))
    assert compare(before, result()).gone == (*before.needs, *before.conflicts)
    assert compare(before, result(tests=(A, D))).gone == before.needs


def test_a_moved_file_has_the_dependencies_that_it_had() -> None:
    moved = {test: TestId(test.replace("t.py", "new/t.py")) for test in (A, B, C, D)}
    tests = tuple(moved.values())
    names = renamed_tests(dict.fromkeys(moved, "1"), dict.fromkeys(tests, "1"), tests)
    assert names == moved
    now = result(need(moved[D], moved[A]), conflict(moved[C], moved[B]), tests=tests)
    found = compare(result(need(D, A), conflict(C, B)), now, names)
    assert not found.new
    assert not found.gone
    assert renamed_tests(dict.fromkeys(moved, "1"), dict.fromkeys(tests, "2"), tests) == {}


def test_only_tests_that_were_not_flaky_are_newly_flaky() -> None:
    assert compare(replace(result(), flaky=(A,)), replace(result(), flaky=(A, B))).newly_flaky == (B,)
