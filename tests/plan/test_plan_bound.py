"""The least time any safe plan can take."""

import pytest

from unknot.model.errors import UsageError
from unknot.plan.bound import lower_bound

from .plan_cases import dependencies_of, need


def test_independent_tests_are_bounded_by_work_per_worker() -> None:
    assert lower_bound(dependencies_of("a b c d"), 2) == 2.0


def test_a_chain_is_bounded_by_its_length_however_many_workers() -> None:
    assert lower_bound(dependencies_of("a b c d", needs=[need("b", "a"), need("c", "b")]), 64) == 3.0


def test_of_alternatives_only_what_all_have_in_common_counts() -> None:
    needs = [need("p", "base"), need("q", "base"), need("a", "p q")]
    assert (
        lower_bound(dependencies_of("base p q a", needs=needs, seconds={"p": 9.0, "q": 9.0, "base": 2.0}), 64) == 11.0
    )
    assert lower_bound(dependencies_of("base p q a", needs=needs, seconds={"a": 9.0, "base": 2.0}), 64) == 11.0


def test_a_later_alternative_weakens_the_bound() -> None:
    assert lower_bound(dependencies_of("p a q", needs=[need("a", "p q")]), 64) == 1.0


def test_a_suite_without_tests_takes_no_time() -> None:
    assert lower_bound(dependencies_of(""), 2) == 0.0


def test_less_than_one_worker_is_refused() -> None:
    with pytest.raises(UsageError, match="at least one worker, not 0"):
        lower_bound(dependencies_of("a"), 0)
