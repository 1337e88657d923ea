"""Laws of sieve over suites with conflicts and without needs."""

import pytest
from hypothesis import given
from strategies import Case, case, laws, polluted_suites

from unknot.detect.engine.options import Options
from unknot.model.dependencies import Dependencies
from unknot.model.suite import TestId

from ..judge import (
    MakeOracle,
    as_readable,
    assert_nothing_false,
    cheap,
    dependencies_in,
    expensive,
    failing_closures,
    single_polluters,
    true_cleaners,
)

Told = list[tuple[int, list[int], list[int]]]


def conflicts_in(dependencies: Dependencies) -> Told:
    index = dependencies.suite.index
    return [
        (index[c.victim], [index[p] for p in c.polluters], [index[p] for p in c.cleaners])
        for c in dependencies.conflicts
    ]


def polluters_alone(dependencies: Dependencies, victim: TestId) -> set[TestId]:
    return {c.polluters[0] for c in dependencies.conflicts_of.get(victim, ()) if len(c.polluters) == 1}


SCENES: dict[str, Told] = {
    "the victim stands before its polluter": [(2, [7], [])],
    "a cleaner hides the polluter in reference order": [(9, [3], [5])],
    "two together": [(1, [6, 8], [])],
    "two together around the victim": [(4, [2, 8], [])],
    "two together, with a cleaner": [(1, [6, 8], [10])],
    "several cleaners": [(9, [3], [4, 6, 8])],
    "alternative polluters": [(0, [4], []), (0, [7], []), (0, [11], [])],
    "alternative polluters, each with its own cleaner": [(0, [4], [5]), (0, [7], [8])],
    "a hidden polluter and an open one": [(1, [7], []), (1, [5], [6])],
    "two victims of one polluter": [(2, [7], [9]), (3, [7], [])],
    "one breaks the other": [(2, [7], []), (7, [10], [])],
    "they break each other when turned round": [(2, [7], []), (7, [2], [5])],
}


@pytest.mark.parametrize("name", SCENES)
def test_a_named_scene_is_found_exactly(name: str) -> None:
    told = case(12, conflicts=SCENES[name])
    assert told.is_green

    dependencies = dependencies_in(told)

    assert conflicts_in(dependencies) == sorted(SCENES[name])
    assert (dependencies.needs, dependencies.flaky, dependencies.untried, dependencies.complete) == ((), (), 0, True)
    assert_nothing_false(told, dependencies)


@laws(60)
@given(polluted_suites(together=1))
def test_every_single_polluter_and_cleaner_is_found_where_all_pairs_are_affordable(told: Case) -> None:
    dependencies = dependencies_in(told)

    for victim in told.suite.tests:
        assert polluters_alone(dependencies, victim) == single_polluters(told, victim), as_readable(dependencies)
    for conflict in dependencies.conflicts:
        assert set(conflict.cleaners) == true_cleaners(told, conflict), as_readable(dependencies)
    assert not dependencies.needs


@laws(60)
@given(polluted_suites(together=2, tidy=False))
def test_every_single_polluter_is_found_also_where_polluters_are_broken_themselves(told: Case) -> None:
    dependencies = dependencies_in(told)

    for victim in told.suite.tests:
        assert polluters_alone(dependencies, victim) == single_polluters(told, victim), as_readable(dependencies)
    assert not dependencies.needs


@laws(60)
@given(polluted_suites(together=2))
def test_cleaners_are_exactly_those_that_clean_also_among_polluters_together(told: Case) -> None:
    dependencies = dependencies_in(told)

    for conflict in dependencies.conflicts:
        assert set(conflict.cleaners) == true_cleaners(told, conflict), as_readable(dependencies)


@pytest.mark.parametrize("oracle", [cheap, expensive])
@pytest.mark.parametrize("tidy", [True, False])
def test_every_conflict_and_cleaner_claimed_can_be_shown(tidy: bool, oracle: MakeOracle) -> None:
    @laws(60)
    @given(polluted_suites(together=2, tidy=tidy))
    def law(told: Case) -> None:
        dependencies = dependencies_in(told, oracle(told))

        assert_nothing_false(told, dependencies)
        assert not (dependencies.complete and failing_closures(told, dependencies)), as_readable(dependencies)

    law()


def test_a_polluter_after_its_victim_is_not_searched_in_reference_order() -> None:
    told = case(12, conflicts=[(2, [7], []), (9, [3], [5])])

    dependencies = dependencies_in(told, options=Options(reorders=False))

    assert all(victim > max(polluters) for victim, polluters, _ in conflicts_in(dependencies))
    assert_nothing_false(told, dependencies)
