"""What a result says was looked for exhaustively."""

import pytest
from strategies import Case, case

from unknot.model.dependencies import Dependencies, Sought

from ..judge import WHOLE, cheap, dependencies_in

_HELPED_FROM_BOTH_SIDES = {150: [list(range(100, 150)) + list(range(151, 200))]}
"""A test that needs any of a hundred others, which stand before and after it."""


def _found(told: Case) -> Dependencies:
    return dependencies_in(told, cheap(told), WHOLE)


def test_in_a_small_suite_everything_was_sought() -> None:
    found = _found(case(8, {3: [[1]]}, []))
    assert set(found.sought) == set(Sought)
    assert not found.only_in_company


@pytest.mark.parametrize("needs", [{}, _HELPED_FROM_BOTH_SIDES], ids=["independent", "helped from both sides"])
def test_setters_of_tests_that_ran_only_in_groups_were_not_sought(needs: dict[int, list[list[int]]]) -> None:
    found = _found(case(300, needs, []))
    assert found.complete
    assert Sought.SETTERS not in found.sought
    assert Sought.POLLUTERS_IN_ANY_ORDER in found.sought
    assert found.only_in_company
