"""Predictions of what is left of a search, and of the whole."""

import math

from hypothesis import given
from hypothesis import strategies as st

from unknot.detect.engine.cost import CostModel
from unknot.detect.engine.forecast import forecast
from unknot.detect.engine.outlook import SearchFacts, Stage, Work, work_left
from unknot.detect.engine.session import Outlook
from unknot.oracle.protocol import Price

COUNTS = st.integers(0, 500)
SECONDS = st.floats(0, 1e4)
PRICES = st.builds(Price, st.floats(0, 100), st.integers(1, 64))
FACTS = st.builds(
    SearchFacts, st.integers(1, 2000), st.sampled_from(Stage), COUNTS, COUNTS, COUNTS, st.booleans(), st.booleans()
)
DONE = st.builds(Work, st.floats(0, 1e6), st.floats(0, 1e6))


@given(FACTS, DONE, SECONDS, PRICES)
def test_what_is_left_is_never_negative_and_nothing_at_the_end(
    facts: SearchFacts, done: Work, mean_test: float, price: Price
) -> None:
    left = work_left(facts, done, mean_test, price)
    if facts.stage is Stage.FIRST_RUNS:
        assert left is None
    elif facts.stage is Stage.FINISHED:
        assert left == 0
    else:
        assert left is not None
        assert left >= 0
        assert math.isfinite(left)


@given(FACTS, DONE, DONE, SECONDS, PRICES)
def test_work_done_shortens_what_is_left_until_the_stage_takes_longer_than_predicted(
    facts: SearchFacts, done: Work, more: Work, mean_test: float, price: Price
) -> None:
    before = work_left(facts, done, mean_test, price)
    after = work_left(facts, done + more, mean_test, price)
    if before is not None and after is not None:
        assert after <= max(before, before + 0.15 * more.seconds(mean_test, price)) + 1e-6 * before


@given(st.builds(Outlook, COUNTS, COUNTS, COUNTS, SECONDS, st.none() | SECONDS), SECONDS)
def test_the_time_left_is_unknown_before_work_was_done_and_0_without_work_left(
    outlook: Outlook, elapsed: float
) -> None:
    seconds = outlook.seconds_left(elapsed)
    if outlook.left is None or not outlook.done:
        assert seconds is None
    elif not outlook.left:
        assert seconds == 0
    else:
        assert seconds is not None
        assert seconds >= 0


@given(PRICES, st.integers(1, 2000), SECONDS, st.booleans(), st.booleans())
def test_a_forecast_is_a_range_that_begins_with_at_least_one_run(
    price: Price, tests: int, seconds: float, thorough: bool, is_recorded: bool
) -> None:
    expected = forecast(CostModel(price, tests, seconds, thorough), is_recorded=is_recorded)
    assert 0 <= expected.run <= expected.least * (1 + 1e-9)
    assert expected.least <= expected.most
    assert expected.first_claims <= expected.most * (1 + 1e-9)
