"""A baseline and a suite that has changed: nothing false, nothing lost, and only what is new is run."""

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import Case, case, either_or_suites, flaky, hidden_graphs, laws, mixed_suites, needs_of_edges

from unknot.detect.engine.options import DEFAULT_OPTIONS, Options
from unknot.detect.incremental.detector import detect_incrementally
from unknot.detect.sieve.sieve import sieve
from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.suite import Reference, TestId
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.oracle.count import CountingOracle
from unknot.oracle.protocol import Oracle

from ..edits import Edit, edits
from ..judge import (
    MakeOracle,
    Transcript,
    as_readable,
    assert_nothing_false,
    cheap,
    edges,
    expensive,
    failing_closures,
    false_cleaners,
    false_conflicts,
    false_needs,
)


def detected(told: Case, oracle: Oracle, options: Options = DEFAULT_OPTIONS) -> Dependencies:
    """The baseline. Detection that starts from it can only be as right as it was."""
    dependencies = sieve(told.suite, oracle, options)
    assume(
        not (
            false_needs(told, dependencies) or false_conflicts(told, dependencies) or false_cleaners(told, dependencies)
        )
    )
    return dependencies


def grown(edit: Edit, make: MakeOracle = cheap, options: Options = DEFAULT_OPTIONS) -> Dependencies:
    previous = detected(edit.before, make(edit.before), options)
    return detect_incrementally(edit.after.suite, make(edit.after), previous, edit.changed, options)


plain_edits = edits(hidden_graphs("random", 12), plain=True)
wild_edits = edits(st.one_of(mixed_suites(10), either_or_suites(10)), plain=False)


@given(wild_edits)
@laws(80)
def test_nothing_false_is_claimed_after_any_edit(edit: Edit) -> None:
    assert_nothing_false(edit.after, grown(edit))


@given(plain_edits, st.sampled_from([cheap, expensive]))
@laws(80)
def test_the_graph_is_the_one_that_a_detection_from_nothing_finds(edit: Edit, make: MakeOracle) -> None:
    found, fresh = grown(edit, make), sieve(edit.after.suite, make(edit.after))
    assert found.complete == fresh.complete
    assert edges(found) == edges(fresh), f"{as_readable(found)}, from nothing {as_readable(fresh)}"
    assert not failing_closures(edit.after, found)
    assert not found.conflicts


@given(wild_edits)
@laws(60)
def test_nothing_false_is_claimed_if_a_clean_state_is_expensive(edit: Edit) -> None:
    assert_nothing_false(edit.after, grown(edit, expensive))


@given(wild_edits, st.booleans())
@laws(80)
def test_nothing_false_is_claimed_in_reference_order_or_when_thorough(edit: Edit, reorders: bool) -> None:
    """In reference order alone, alternatives that stand after their dependent are not looked for, and clauses say
    nothing about them; here only what is always judged is."""
    dependencies = grown(edit, options=Options(reorders=reorders, thorough=True))
    if not reorders:
        dependencies = replace(dependencies, needs=tuple(replace(need, complete=False) for need in dependencies.needs))
    assert_nothing_false(edit.after, dependencies)


@given(wild_edits, st.integers(0, 40))
@laws(200)
def test_stopped_at_any_moment_nothing_false_is_claimed(edit: Edit, limit: int) -> None:
    previous = detected(edit.before, cheap(edit.before))
    oracle = BudgetOracle(cheap(edit.after), Budget(orders=limit), lambda: 0.0)
    assert_nothing_false(edit.after, detect_incrementally(edit.after.suite, oracle, previous, edit.changed))


@given(wild_edits, st.integers(0, 40))
@laws(80)
def test_from_an_unfinished_baseline_nothing_false_is_claimed(edit: Edit, limit: int) -> None:
    stopped = BudgetOracle(cheap(edit.before), Budget(orders=limit), lambda: 0.0)
    previous = detected(edit.before, stopped)
    dependencies = detect_incrementally(edit.after.suite, cheap(edit.after), previous, edit.changed)
    assert_nothing_false(edit.after, dependencies)
    assert previous.complete or not dependencies.complete


@given(st.one_of(mixed_suites(10), hidden_graphs("random", 12)), st.sampled_from([cheap, expensive]))
@laws(60)
def test_if_nothing_changed_only_the_reference_order_is_run_and_all_is_kept(told: Case, make: MakeOracle) -> None:
    previous = sieve(told.suite, make(told))
    oracle = CountingOracle(make(told))
    dependencies = detect_incrementally(told.suite, oracle, previous)
    assert oracle.orders == dependencies.cost.orders == 1
    assert replace(dependencies, cost=previous.cost) == previous


@given(hidden_graphs("random", 12))
@laws(50)
def test_a_known_reference_order_is_not_run(told: Case) -> None:
    previous = sieve(told.suite, cheap(told))
    reference = Reference(previous.outcomes, previous.seconds)
    dependencies = detect_incrementally(told.suite, cheap(told), previous, options=Options(reference=reference))
    assert (dependencies.cost.orders, dependencies.needs) == (0, previous.needs)


@given(edits(flaky(hidden_graphs("random", 8)), plain=True, most=2))
@laws(40)
def test_of_suites_with_flaky_tests_nothing_false_is_claimed(edit: Edit) -> None:
    dependencies = grown(edit)
    steady = [need for need in dependencies.needs if need.dependent not in dependencies.flaky]
    assert len(steady) == len(dependencies.needs)
    chancy = set(edit.after.truth.flaky)
    shown = tuple(
        replace(n, complete=False) for n in steady if n.dependent not in chancy and chancy.isdisjoint(n.any_of)
    )
    assert_nothing_false(edit.after, replace(dependencies, needs=shown, conflicts=()))


@given(wild_edits)
@laws(30)
def test_the_same_suite_answers_and_seed_give_the_same_orders(edit: Edit) -> None:
    previous = sieve(edit.before.suite, cheap(edit.before))
    asked = []
    for _ in range(2):
        transcript = Transcript(cheap(edit.after))
        detect_incrementally(edit.after.suite, transcript, previous, edit.changed)
        asked.append(transcript.requests)
    assert asked[0] == asked[1]


# --- what it costs


def sparse(size: int, dependencies: int, conflicts: int = 0, seed: int = 1) -> Case:
    chance = random.Random(seed)
    edges: set[tuple[int, int]] = set()
    while len(edges) < dependencies:
        dependent = chance.randrange(1, size)
        edges.add((dependent, chance.randrange(dependent)))
    victims = chance.sample(range(size - 1), conflicts)
    broken = [(victim, [chance.randrange(victim + 1, size)], list[int]()) for victim in victims]
    return case(size, needs_of_edges(sorted(edges)), broken, seconds=1.0)


def with_one_more(told: Case, place: int, needed: Sequence[int] = ()) -> Case:
    """The same suite with a new test at this place, which needs those at the places they had before."""

    def now(positions: Iterable[int]) -> tuple[int, ...]:
        return tuple(position + (position >= place) for position in positions)

    tests = list(told.suite.tests)
    tests.insert(place, TestId("tests/test_new.py::test_new"))
    needs = {now([dependent])[0]: tuple(map(now, clauses)) for dependent, clauses in told.needs.items()}
    if needed:
        needs[place] = tuple((position,) for position in now(needed))
    conflicts = tuple((now([victim])[0], now(by), now(cleaners)) for victim, by, cleaners in told.conflicts)
    return replace(told, size=told.size + 1, needs=needs, conflicts=conflicts, ids=tuple(tests))


@pytest.fixture(
    scope="module", params=[(cheap, 0), (expensive, 0), (expensive, 20)], ids=["cheap", "expensive", "conflicts"]
)
def large(request: pytest.FixtureRequest) -> tuple[MakeOracle, Case, Dependencies]:
    """A suite of 500 tests with 60 dependencies, and what was found in it."""
    make, conflicts = request.param
    before = sparse(500, 60, conflicts)
    return make, before, sieve(before.suite, make(before))


@pytest.mark.parametrize("place", [0, 250, 500])
def test_one_new_test_without_needs_costs_a_few_orders(
    large: tuple[MakeOracle, Case, Dependencies], place: int
) -> None:
    make, before, previous = large
    after = with_one_more(before, place)
    dependencies = detect_incrementally(after.suite, make(after), previous)
    assert dependencies.cost.orders <= math.log2(before.size) + 2
    assert (dependencies.complete, dependencies.untried) == (True, 0)
    assert len(dependencies.needs) == len(previous.needs)
    assert len(dependencies.conflicts) == len(previous.conflicts)


def test_one_new_test_that_needs_another_costs_one_search(large: tuple[MakeOracle, Case, Dependencies]) -> None:
    make, before, previous = large
    after = with_one_more(before, 495, [170])
    dependencies = detect_incrementally(after.suite, make(after), previous)
    assert dependencies.cost.orders <= 4 * math.log2(before.size)
    (found,) = dependencies.needs_of[after.suite.tests[495]]
    assert found.any_of == (after.suite.tests[170],)
    assert len(dependencies.needs) == len(previous.needs) + 1


# --- one edit at a time


def after_edit(before: Case, after: Case, *changed: int) -> tuple[Dependencies, int]:
    """The result and the orders it took, the reference order aside. Positions are those after the edit."""
    previous = sieve(before.suite, cheap(before))
    dependencies = detect_incrementally(after.suite, cheap(after), previous, after.suite.order(changed))
    return dependencies, dependencies.cost.orders - 1


def reduced(before: Case, gone: int) -> Case:
    """The suite without one test; a clause that no test can meet any more stays a need."""

    def now(positions: Iterable[int]) -> tuple[int, ...]:
        return tuple(position - (position > gone) for position in positions if position != gone)

    tests = tuple(test for place, test in enumerate(before.suite.tests) if place != gone)
    needs = {now([d])[0]: tuple(map(now, clauses)) for d, clauses in before.needs.items() if d != gone}
    conflicts = tuple(
        (now([v])[0], now(by), now(by_whom)) for v, by, by_whom in before.conflicts if gone not in (v, *by)
    )
    return replace(before, size=before.size - 1, needs=needs, conflicts=conflicts, ids=tests)


def test_of_two_alternatives_one_is_removed() -> None:
    before = case(8, {5: [[1, 3]]})
    dependencies, _ = after_edit(before, reduced(before, 1))
    (need,) = dependencies.needs
    assert need.any_of == (before.suite.tests[3],)
    assert need.complete
    assert dependencies.complete


def test_a_test_that_lost_its_only_setter_fails_and_nothing_is_claimed() -> None:
    before = case(8, {5: [[1]], 6: [[5]], 7: [[2]]})
    dependencies, _ = after_edit(before, reduced(before, 1))
    assert {need.dependent for need in dependencies.needs} == {before.suite.tests[7]}
    assert dependencies.failing == before.suite.order([5, 6])


def test_a_removed_polluter_takes_its_conflict_with_it() -> None:
    before = case(8, {}, [(2, [5], []), (3, [6], [7])])
    dependencies, _ = after_edit(before, reduced(before, 5))
    assert [conflict.victim for conflict in dependencies.conflicts] == [before.suite.tests[3]]


def test_a_removed_cleaner_is_named_no_more_and_the_proof_stays() -> None:
    before = case(8, {}, [(3, [6], [7])])
    old = sieve(before.suite, cheap(before)).conflicts[0]
    dependencies, _ = after_edit(before, reduced(before, 7))
    assert (dependencies.conflicts[0].cleaners, dependencies.conflicts[0].proof) == ((), old.proof)


def test_a_proof_that_names_a_removed_test_is_shown_again() -> None:
    before = case(8, {4: [[1, 2]], 6: [[4]]})
    previous = sieve(before.suite, cheap(before))
    assert before.suite.tests[1] in previous.needs_of[before.suite.tests[6]][0].proof.passes
    after = reduced(before, 1)
    dependencies = detect_incrementally(after.suite, cheap(after), previous)
    assert_nothing_false(after, dependencies)
    assert edges(dependencies) == {(3, 1), (5, 3)}


def test_a_changed_test_that_needs_its_setter_no_more() -> None:
    before, after = case(8, {5: [[1]], 6: [[2]]}), case(8, {6: [[2]]})
    dependencies, _ = after_edit(before, after, 5)
    assert edges(dependencies) == {(6, 2)}


def test_what_came_along_with_a_changed_test_becomes_a_need_of_its_own() -> None:
    before, after = case(8, {3: [[0]], 6: [[3], [0]]}), case(8, {6: [[3], [0]]})
    dependencies, _ = after_edit(before, after, 3)
    assert edges(dependencies) == {(6, 3), (6, 0)}


def test_a_changed_setter_that_sets_up_no_more_makes_room_for_a_new_one() -> None:
    before = case(8, {6: [[3]]})
    after = with_one_more(replace(before, needs={}), 5)
    after = replace(after, needs={7: ((5,),)})
    dependencies, _ = after_edit(before, after, 3)
    assert edges(dependencies) == {(7, 5)}


def test_a_new_test_that_can_substitute_another_is_found() -> None:
    before = case(30, {20: [[3]], 25: [[20]], 28: [[4], [5]]})
    after = with_one_more(before, 15)
    after = replace(after, needs={**after.needs, 29: ((4, 15), (5,))})
    dependencies, _ = after_edit(before, after)
    clauses = [need.any_of for need in dependencies.needs_of[after.suite.tests[29]]]
    assert sorted(clauses) == sorted([after.suite.order([4, 15]), after.suite.order([5])])
    assert all(need.complete for need in dependencies.needs)


def test_a_new_polluter_a_new_victim_and_a_new_cleaner_are_found() -> None:
    before = case(12, {}, [(4, [9], [])])
    polluter = replace(with_one_more(before, 12), conflicts=((4, (9,), ()), (2, (12,), ())))
    assert {c.victim for c in after_edit(before, polluter)[0].conflicts} == set(polluter.suite.order([2, 4]))
    victim = replace(with_one_more(before, 0), conflicts=((5, (10,), ()), (0, (3,), ())))
    assert {c.victim for c in after_edit(before, victim)[0].conflicts} == set(victim.suite.order([0, 5]))
    cleaner = replace(with_one_more(before, 12), conflicts=((4, (9,), (12,)),))
    (conflict,) = after_edit(before, cleaner)[0].conflicts
    assert conflict.cleaners == cleaner.suite.order([12])


def test_a_test_moved_behind_its_polluter_is_a_victim_still() -> None:
    before = case(10, {}, [(2, [7], [])])
    tests = list(before.suite.tests)
    tests.append(tests.pop(2))
    after = replace(before, ids=tuple(tests), conflicts=((9, (6,), ()),))
    dependencies, orders = after_edit(before, after)
    assert [(c.victim, c.polluters) for c in dependencies.conflicts] == [(tests[9], (tests[6],))]
    assert dependencies.outcomes[tests[9]] is Outcome.FAILED
    assert orders < 12


def test_tests_that_move_without_harm_cost_nothing_more() -> None:
    before = case(30, {20: [[3]], 25: [[20]]}, [(8, [12], [])])
    tests = list(before.suite.tests)
    tests.insert(0, tests.pop(29))
    tests.insert(15, tests.pop(5))
    place = {test: number for number, test in enumerate(tests)}
    old = before.suite.tests
    after = replace(
        before,
        ids=tuple(tests),
        needs={place[old[20]]: ((place[old[3]],),), place[old[25]]: ((place[old[20]],),)},
        conflicts=((place[old[8]], (place[old[12]],), ()),),
    )
    dependencies, orders = after_edit(before, after)
    assert orders == 0
    assert (len(dependencies.needs), len(dependencies.conflicts)) == (2, 1)
    assert_nothing_false(after, dependencies)


def test_in_reference_order_alone_a_moved_test_is_looked_at_again() -> None:
    """After the move the polluter runs before the victim, which was not tried before."""
    before = case(10, {}, [(2, [7], [])])
    tests = list(before.suite.tests)
    tests.insert(1, tests.pop(7))
    after = replace(before, ids=tuple(tests), conflicts=((3, (1,), ()),))
    keeping = Options(reorders=False)
    previous = sieve(before.suite, cheap(before), keeping)
    assert not previous.conflicts
    dependencies = detect_incrementally(after.suite, cheap(after), previous, options=keeping)
    assert [(c.victim, c.polluters) for c in dependencies.conflicts] == [(tests[3], (tests[1],))]


def test_what_was_untried_in_the_baseline_is_still_untried() -> None:
    before = case(20, {15: [[3]]})
    previous = sieve(before.suite, BudgetOracle(cheap(before), Budget(orders=5), lambda: 0.0))
    assert not previous.complete
    assert previous.untried > 0
    after = with_one_more(before, 20)
    dependencies = detect_incrementally(after.suite, cheap(after), previous)
    assert not dependencies.complete
    # But for the one pair that is claimed now.
    assert len(dependencies.needs) == 1
    assert dependencies.untried >= previous.untried - 1
