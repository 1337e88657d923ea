"""Which of many are enough."""

import math
import random
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import laws, names

from unknot.detect.engine.parallel import Search
from unknot.detect.engine.subsets import halves, minimal, parts, singles
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Result, Run

SIZE = 40
TESTS = names(SIZE)
INDEX = {test: number for number, test in enumerate(TESTS)}

CANDIDATES = st.lists(st.integers(0, SIZE - 1), min_size=1, max_size=SIZE, unique=True).map(sorted)


class Trial:
    """Answers whether a group has the property, and counts."""

    def __init__(self, has_property: Callable[[set[int]], bool]) -> None:
        self._has_property = has_property
        self.asked: list[tuple[int, ...]] = []
        self.batches = 0

    def probe(self, group: Sequence[int]) -> OrderRequest:
        return OrderRequest(tuple(TESTS[number] for number in group))

    def holds(self, run: Run) -> bool:
        return self._has_property({INDEX[test] for test in run.order})

    def result(self, search: Search[tuple[int, ...]]) -> tuple[int, ...]:
        passed = Result(Outcome.PASSED)
        try:
            expected = next(search)
            while True:
                self.batches += bool(expected)
                self.asked += [tuple(INDEX[test] for test in request.order) for request in expected]
                expected = search.send([Run(q, (passed,) * len(q.order), 0) for q in expected])
        except StopIteration as end:
            found: tuple[int, ...] = end.value
            return found


@st.composite
def ways(draw: st.DrawFn) -> tuple[list[int], list[set[int]]]:
    """Candidates, and sets of them each of which is enough: any monotone property is of this kind."""
    candidates = draw(CANDIDATES)
    enough = st.sets(st.sampled_from(candidates), min_size=1, max_size=5)
    return candidates, draw(st.lists(enough, min_size=1, max_size=4))


@pytest.mark.parametrize("breadth", [1, 2, 4, 7, 100])
@laws(100)
@given(drawn=ways())
def test_a_minimal_set_is_enough_and_none_of_it_can_be_left_out(
    breadth: int, drawn: tuple[list[int], list[set[int]]]
) -> None:
    candidates, enough = drawn
    trial = Trial(lambda group: any(way <= group for way in enough))

    found = trial.result(minimal(candidates, trial.probe, trial.holds, breadth))

    assert set(found) in enough
    assert not any(way < set(found) for way in enough)
    assert list(found) == sorted(found)


@laws(100)
@given(ways())
def test_a_minimal_set_costs_what_the_docstring_says(drawn: tuple[list[int], list[set[int]]]) -> None:
    candidates, enough = drawn
    trial = Trial(lambda group: any(way <= group for way in enough))

    size = len(trial.result(minimal(candidates, trial.probe, trial.holds)))

    assert len(trial.asked) <= 2 * size * math.log2(SIZE) + 2 * size


@pytest.mark.parametrize(("breadth", "batches"), [(4, 3), (8, 2), (64, 1)])
@laws()
@given(candidates=CANDIDATES, chosen=st.data())
def test_a_single_sufficient_candidate_is_found_in_few_batches_with_breadth(
    breadth: int, batches: int, candidates: list[int], chosen: st.DataObject
) -> None:
    one = chosen.draw(st.sampled_from(candidates))
    trial = Trial(lambda group: one in group)

    assert trial.result(minimal(candidates, trial.probe, trial.holds, breadth)) == (one,)
    assert trial.batches <= batches
    assert trial.result(singles(candidates, trial.probe, trial.holds, breadth=breadth)) == (one,)
    assert trial.batches <= 2 * batches


def test_without_candidates_nothing_is_minimal_and_nothing_is_run() -> None:
    trial = Trial(lambda group: True)

    assert trial.result(minimal([], trial.probe, trial.holds)) == ()
    assert trial.asked == []


@pytest.mark.parametrize("breadth", [1, 4, 7, 100])
@laws(100)
@given(candidates=CANDIDATES, marked=st.sets(st.integers(0, SIZE - 1)))
def test_singles_are_exactly_those_that_have_the_property_alone(
    breadth: int, candidates: list[int], marked: set[int]
) -> None:
    trial = Trial(lambda group: bool(group & marked))

    assert trial.result(singles(candidates, trial.probe, trial.holds, breadth=breadth)) == tuple(
        number for number in candidates if number in marked
    )


@laws(100)
@given(ways())
def test_singles_leaves_out_sets_that_are_enough_only_together(drawn: tuple[list[int], list[set[int]]]) -> None:
    candidates, enough = drawn
    trial = Trial(lambda group: any(way <= group for way in enough))

    found = trial.result(singles(candidates, trial.probe, trial.holds))

    assert list(found) == sorted({number for way in enough if len(way) == 1 for number in way})


@laws()
@given(CANDIDATES, st.integers())
def test_singles_invents_nothing_whatever_the_property(candidates: list[int], seed: int) -> None:
    def at_random(group: set[int]) -> bool:
        return random.Random(f"{seed} {sorted(group)}").random() < 0.7

    trial = Trial(at_random)

    found = trial.result(singles(candidates, trial.probe, trial.holds))

    assert all(at_random({number}) for number in found)


def test_singles_runs_one_order_if_there_is_none_and_nothing_without_candidates() -> None:
    trial = Trial(lambda group: False)

    assert trial.result(singles(range(SIZE), trial.probe, trial.holds)) == ()
    assert len(trial.asked) == 1
    assert trial.result(singles([], trial.probe, trial.holds)) == ()
    assert len(trial.asked) == 1


@laws()
@given(CANDIDATES, st.sets(st.integers(0, SIZE - 1), max_size=3))
def test_singles_cost_two_orders_for_each_level_of_each_one_found(candidates: list[int], marked: set[int]) -> None:
    trial = Trial(lambda group: bool(group & marked))

    found = trial.result(singles(candidates, trial.probe, trial.holds))

    assert len(trial.asked) <= 2 * len(found) * math.ceil(math.log2(SIZE)) + 1


@laws()
@given(CANDIDATES.filter(lambda candidates: len(candidates) > 1))
def test_halves_are_two_and_cut_at_a_border_that_does_not_depend_on_other_candidates(candidates: list[int]) -> None:
    first, second = halves(candidates)

    assert [*first, *second] == candidates
    assert first
    assert second
    digit = (first[0] ^ second[-1]).bit_length() - 1
    assert {number >> digit & 1 for number in first} == {0}
    assert {number >> digit & 1 for number in second} == {1}


@laws()
@given(CANDIDATES, st.integers(1, 100))
def test_parts_are_together_all_and_at_most_so_many(candidates: list[int], most: int) -> None:
    cut = parts(candidates, most)

    assert [one for part in cut for one in part] == candidates
    assert all(cut)
    assert len(cut) <= most
