"""What came out of one test."""

import pytest

from unknot.model.outcome import Outcome

BAD = {Outcome.FAILED, Outcome.SETUP_ERROR, Outcome.TEARDOWN_ERROR, Outcome.TIMED_OUT, Outcome.CRASHED}
NO_VERDICT = {Outcome.TIMED_OUT, Outcome.CRASHED, Outcome.NOT_RUN}


@pytest.mark.parametrize("outcome", Outcome)
def test_bad_is_what_pytest_counts_against_the_suite(outcome: Outcome) -> None:
    assert outcome.is_bad == (outcome in BAD)


@pytest.mark.parametrize("outcome", Outcome)
def test_a_verdict_is_what_the_test_itself_decided(outcome: Outcome) -> None:
    assert outcome.is_verdict == (outcome not in NO_VERDICT)


@pytest.mark.parametrize("outcome", Outcome)
def test_an_outcome_is_found_again_by_its_written_value(outcome: Outcome) -> None:
    assert Outcome(str(outcome)) is outcome


def test_the_written_values_never_change() -> None:
    written = "passed failed setup-error teardown-error skipped xfailed xpassed timed-out crashed not-run"

    assert [outcome.value for outcome in Outcome] == written.split()
