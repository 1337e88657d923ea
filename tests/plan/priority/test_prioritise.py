"""Orders by hand: what comes first, and what holds it back."""

import pytest

from unknot.model.coverage import Coverage
from unknot.model.outcome import Outcome
from unknot.plan.priority.gain import dependents
from unknot.plan.priority.prioritise import by_coverage, by_seconds, by_structure

from ..minimise_cases import covers
from ..plan_cases import conflict, dependencies_of, ids, need


def test_what_covers_most_per_second_runs_first_and_what_is_covered_already_counts_no_more() -> None:
    dependencies = dependencies_of("a b c d", seconds={"a": 4.0, "b": 1.0, "c": 1.0, "d": 2.0})
    coverage = covers({"a": "u v w", "b": "u v", "c": "v", "d": "w x"})
    found = by_coverage(dependencies, coverage)
    assert found.order[:2] == ids("b d")
    # Reference: 3/4 from second 4 on, all at the end (8 s). Ours: 2/4 after 1 s, all after 3 s.
    assert found.before.area == pytest.approx((4 * 0.75) / 8)
    assert found.after.area == pytest.approx((2 * 0.5 + 5 * 1.0) / 8)
    assert found.after.points == ((0.0, 0.0), (1 / 8, 0.5), (3 / 8, 1.0), (1.0, 1.0))


def test_once_all_is_covered_the_rest_is_ranked_again() -> None:
    dependencies = dependencies_of("z a b", seconds={"z": 9.0, "a": 1.0, "b": 2.0})
    assert by_coverage(dependencies, covers({"z": "", "a": "x", "b": "x"})).order == ids("a b z")


def test_a_test_comes_with_what_it_needs() -> None:
    dependencies = dependencies_of("a b c", needs=[need("c", "b")])
    assert by_coverage(dependencies, covers({"a": "x", "c": "u v w"})).order == ids("b c a")


def test_what_a_test_needs_can_make_it_too_expensive() -> None:
    dependencies = dependencies_of("a b c", needs=[need("c", "b")], seconds={"b": 9.0})
    assert by_coverage(dependencies, covers({"a": "x", "c": "u v w"})).order == ids("a b c")


def test_one_alternative_is_enough_and_the_one_that_ran_will_do() -> None:
    dependencies = dependencies_of("a b c", needs=[need("c", "a b")], seconds={"a": 1.0, "b": 2.0, "c": 1.0})
    assert by_coverage(dependencies, covers({"b": "u v w x", "c": "y"})).order == ids("b c a")


def test_a_polluter_waits_for_its_victim_unless_a_cleaner_comes_between() -> None:
    coverage = covers({"v": "x", "p": "s t u w"})
    assert by_coverage(dependencies_of("v c p", conflicts=[conflict("v", "p")]), coverage).order[0] == "v"
    with_cleaner = by_coverage(
        dependencies_of("v p c", conflicts=[conflict("v", "p", "c")]), covers({"c": "w", "p": "s t"})
    )
    assert with_cleaner.order == ids("p c v")


def test_a_victim_waits_for_the_cleaner_once_its_polluter_ran() -> None:
    dependencies = dependencies_of("p c v", conflicts=[conflict("v", "p", "c")], seconds={"c": 5.0})
    assert by_coverage(dependencies, covers({"p": "s t u", "v": "x y", "c": ""})).order != ids("p v c")


def test_an_unfinished_search_leaves_the_reference_order() -> None:
    found = by_coverage(dependencies_of("a b", complete=False), covers({"b": "x"}))
    assert found.order == ids("a b")
    assert "only the reference order is known to be safe" in found.reason


def test_a_crash_comes_last_where_nothing_holds_it() -> None:
    dependencies = dependencies_of("a b c", outcomes={"a": Outcome.CRASHED})
    assert by_coverage(dependencies, covers({"c": "x"})).order == ids("c b a")


def test_short_tests_first() -> None:
    dependencies = dependencies_of("a b c", needs=[need("c", "a")], seconds={"a": 3.0, "b": 2.0, "c": 0.1})
    assert by_seconds(dependencies).order == ids("a c b")
    assert by_seconds(dependencies_of("a b", seconds={"a": 3.0, "b": 2.0})).order == ids("b a")


def test_volume_and_height_count_dependents_near_and_far() -> None:
    dependencies = dependencies_of(
        "a b c d e", needs=[need("b", "a"), need("c", "b"), need("d", "a"), need("e", "b c")]
    )
    assert dependents(dependencies) == ([4, 2, 1, 0, 0], [3, 2, 1, 0, 0])


def test_by_structure_many_dependents_come_first() -> None:
    dependencies = dependencies_of("z a b x y", needs=[need("b", "a"), need("x", "a"), need("y", "b")])
    found = by_structure(dependencies)
    assert found.order[:2] == ids("a b")
    assert found.after.area > found.before.area


def test_without_dependencies_there_is_no_structure_to_go_by() -> None:
    found = by_structure(dependencies_of("a b"))
    assert found.order == ids("a b")
    assert found.reason


def test_without_any_element_the_order_stays() -> None:
    assert by_coverage(dependencies_of("a b"), Coverage((), {})).order == ids("a b")


def test_a_test_that_gains_nothing_runs_first_if_it_opens_the_way_for_a_valuable_one() -> None:
    # v must precede p, which has no cleaner, and v itself needs a.
    dependencies = dependencies_of(
        "a s v p",
        needs=[need("v", "a")],
        conflicts=[conflict("v", "p")],
        seconds={"s": 9.0, "p": 1.0, "v": 0.1, "a": 0.1},
    )
    assert by_coverage(dependencies, covers({"s": "x", "p": "t u w"})).order == ids("a v p s")


def test_an_alternative_that_follows_its_dependent_in_the_suite_may_run_before_it() -> None:
    dependencies = dependencies_of("a b c", needs=[need("b", "a c")], seconds={"a": 9.0, "b": 1.0, "c": 1.0})
    assert by_coverage(dependencies, covers({"b": "x"})).order == ids("c b a")
