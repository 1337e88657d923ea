"""ddmin: enough, and none of it to spare, whatever the property."""

import random

from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.detect.engine.ddmin import ddmin

from .test_subsets import CANDIDATES, Trial


@laws(150)
@given(CANDIDATES, st.randoms(use_true_random=False))
def test_the_result_has_the_property_and_loses_it_with_any_member(candidates: list[int], chance: random.Random) -> None:
    """Not monotone: every group but all and none has the property by chance."""
    verdicts: dict[frozenset[int], bool] = {frozenset(): False, frozenset(candidates): True}

    def has_property(group: set[int]) -> bool:
        return verdicts.setdefault(frozenset(group), chance.random() < 0.3)

    trial = Trial(has_property)

    found = trial.result(ddmin(candidates, trial.probe, trial.holds))

    assert verdicts[frozenset(found)]
    for member in found:
        less = frozenset(found) - {member}
        assert verdicts.get(less) is False, "not seen to be too little"


@laws(100)
@given(st.data(), CANDIDATES)
def test_one_that_is_enough_alone_is_found_by_halving(data: st.DataObject, candidates: list[int]) -> None:
    needed = data.draw(st.sampled_from(candidates))
    trial = Trial(lambda group: needed in group)

    assert trial.result(ddmin(candidates, trial.probe, trial.holds)) == (needed,)
    assert len(trial.asked) <= 2 * len(candidates).bit_length()


@laws(100)
@given(st.permutations(range(12)), st.sets(st.integers(0, 11), min_size=1))
def test_the_sequence_of_the_candidates_is_kept(candidates: list[int], needed: set[int]) -> None:
    trial = Trial(lambda group: needed <= group)

    found = trial.result(ddmin(candidates, trial.probe, trial.holds))

    assert list(found) == [candidate for candidate in candidates if candidate in needed]
    assert all(list(group) == [c for c in candidates if c in group] for group in trial.asked)


def test_all_are_needed() -> None:
    trial = Trial(lambda group: group == set(range(9)))

    assert trial.result(ddmin(range(9), trial.probe, trial.holds)) == tuple(range(9))
