"""A suite that has grown and is recorded while it is searched: two runs of the suite instead of four, as much found."""

import random
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Case, case, either_or_suites, laws, mixed_suites

from unknot.detect.engine.options import Options
from unknot.detect.incremental.detector import detect_incrementally
from unknot.detect.sieve.sieve import sieve
from unknot.model.bits import bits
from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest
from unknot.model.suite import Suite, TestId
from unknot.oracle.count import CountingOracle
from unknot.oracle.recorded_reference import RecordedReferenceOracle

from ..edits import Edit, edits
from ..judge import assert_nothing_false, cheap
from ..recordings import RECORDINGS, right

SIZE = 300


def recorded_beside(flows: str, told: Case, chance: random.Random) -> Options:
    made = RECORDINGS[flows](told, chance)
    return Options(records_reference=True, recorded_so_far=lambda: made)


def recorded_outcomes(told: Case, suite: Suite) -> dict[TestId, Outcome]:
    (run,) = cheap(told).run_orders([OrderRequest(suite.tests)])
    return {test: result.outcome for test, result in zip(run.order, run.results, strict=True)}


def with_new_test_last(before: Case) -> Case:
    return replace(before, size=before.size + 1, ids=(*before.suite.tests, TestId("tests/test_new.py::test_new")))


def grown(before: Case, after: Case, options: Options) -> tuple[Dependencies, CountingOracle]:
    previous = sieve(before.suite, cheap(before))
    oracle = CountingOracle(cheap(after))
    beside = RecordedReferenceOracle(oracle, after.suite, partial(recorded_outcomes, after, after.suite))
    return detect_incrementally(after.suite, beside, previous, options=options), oracle


@given(
    edits(st.one_of(mixed_suites(10), either_or_suites(10)), plain=False), st.sampled_from([*RECORDINGS]), st.randoms()
)
@laws(120)
def test_nothing_false_is_claimed_whatever_was_recorded(edit: Edit, flows: str, chance: random.Random) -> None:
    previous = sieve(edit.before.suite, cheap(edit.before))
    suite = edit.after.suite
    beside = RecordedReferenceOracle(cheap(edit.after), suite, partial(recorded_outcomes, edit.after, suite))
    options = recorded_beside(flows, edit.after, chance)
    assert_nothing_false(edit.after, detect_incrementally(suite, beside, previous, edit.changed, options))


def test_a_new_test_runs_the_suite_once_beside_the_recording() -> None:
    before = replace(case(SIZE), seconds=1.0)
    after = with_new_test_last(before)
    dependencies, oracle = grown(before, after, recorded_beside("right", after, random.Random(1)))
    assert (dependencies.complete, dependencies.untried) == (True, 0)
    assert oracle.tests <= after.size + 1


def test_a_new_test_beside_dependencies_runs_the_suite_once_and_what_they_take() -> None:
    before = replace(case(SIZE, {200: [[30]], 250: [[200]]}, [(40, [280], [])]), seconds=1.0)
    after = with_new_test_last(before)
    dependencies, oracle = grown(before, after, recorded_beside("right", after, random.Random(1)))
    assert dependencies.complete
    assert (len(dependencies.needs), len(dependencies.conflicts)) == (2, 1)
    assert oracle.tests <= after.size + 30


def test_without_a_recording_two_more_orders_of_the_suite_are_run() -> None:
    before = replace(case(SIZE), seconds=1.0)
    _, oracle = grown(before, with_new_test_last(before), Options())
    assert 3 * SIZE <= oracle.tests <= 4 * SIZE + 5


@pytest.mark.parametrize("flows", ["right", "half missing"])
def test_a_suite_that_was_recorded_beside_shows_more_of_what_cleaners_hide(flows: str) -> None:
    """Each of the 40 suites gets a polluter of one test, which some other tests clean up."""
    found = {"recorded": 0, "not recorded": 0}
    for seed in range(40):
        chance = random.Random(seed)
        size = 40
        before = replace(case(size), seconds=1.0)
        victim, *cleaners = chance.sample(range(size), 5)
        after = replace(with_new_test_last(before), conflicts=((victim, (size,), tuple(cleaners)),))
        for name, options in (
            ("recorded", recorded_beside(flows, after, chance)),
            ("not recorded", Options()),
        ):
            dependencies, _ = grown(before, after, options)
            found[name] += bool(dependencies.conflicts)
    assert found["recorded"] >= found["not recorded"]
    assert found["recorded"] == 40 or flows != "right"


def test_a_pair_with_a_new_test_is_tried_side_by_side_and_a_cache_is_not_tried_everywhere() -> None:
    before = replace(case(SIZE), seconds=1.0)
    after = with_new_test_last(before)
    everything = tuple(bits(range(after.size)) & ~(1 << test) for test in range(after.size))
    flows = replace(right(after, random.Random(1)), may_be_broken_by=everything, written_by=everything)
    options = Options(records_reference=True, recorded_so_far=lambda: flows)
    dependencies, oracle = grown(before, after, options)
    assert dependencies.complete
    assert oracle.tests <= after.size + 1 + 2 * 16
