"""What mtr prints, recorded from real runs, and what is made of it."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unknot.model.outcome import Outcome
from unknot.runners.mtr.output import MtrResult, is_id, parse_output

DATA = Path(__file__).parents[2] / "data" / "mtr"

KINDS = [
    "json.json_no_table",
    "json.type_json",
    "gcol.gcol_update",
    "gcol.innodb_virtual_debug",
    "gcol.rpl_gcol,row",
    "gcol.innodb_virtual_fk",
]
REVERSED = [
    "knots.zeros_check",
    "knots.views",
    "knots.settings_restore",
    "knots.settings_loosen",
    "knots.json_values",
    "knots.functions",
    "knots.dates_check",
    "knots.clerk_work",
    "knots.clerk_hire",
    "knots.accounts_sum",
    "knots.accounts_pay",
    "knots.accounts_make",
]
BREAKS = [f"breaks.{name}" for name in ("a_fine", "b_crash", "c_fine", "d_nostart", "e_slow", "f_fine")]
RECORDED = {"kinds.txt": KINDS, "reversed.txt": REVERSED, "breaks.txt": BREAKS}


def lines(name: str) -> list[str]:
    return (DATA / name).read_text(encoding="utf-8").splitlines(keepends=True)


def read(name: str) -> dict[str, MtrResult]:
    return {one.test: one for one in parse_output(lines(name), RECORDED[name])}


def test_passed_skipped_and_disabled_tests_with_their_reasons() -> None:
    found = list(parse_output(lines("kinds.txt"), KINDS))
    assert [one.test for one in found] == KINDS
    assert [one.outcome for one in found] == [
        Outcome.PASSED,
        Outcome.PASSED,
        Outcome.PASSED,
        Outcome.SKIPPED,
        Outcome.PASSED,
        Outcome.SKIPPED,
    ]
    assert [one.seconds for one in found] == [0.215, 0.111, 0.325, 0.0, 1.18, 0.0]
    assert found[3].story == "Requires debug build"
    assert found[5].story.startswith("MDEV-29181 ")


def test_failures_have_a_story_without_what_differs_from_run_to_run() -> None:
    found = read("reversed.txt")
    assert list(found) == REVERSED
    failed = [test for test, one in found.items() if one.outcome is Outcome.FAILED]
    assert failed == [
        "knots.dates_check",
        "knots.clerk_work",
        "knots.accounts_sum",
        "knots.accounts_pay",
    ]
    story = found["knots.clerk_work"].story
    assert story.startswith("mysqltest: At line 2: query 'connect  clerk")
    assert "Test ended at" not in story
    assert "skipping" not in story


def test_the_last_story_ends_where_mtr_sums_up() -> None:
    requested = REVERSED[:-1]
    cut = [line for line in lines("reversed.txt") if not line.startswith("knots.accounts_make ")]
    last = list(parse_output(cut, requested))[-1]
    assert (last.test, last.outcome) == ("knots.accounts_pay", Outcome.FAILED)
    assert "Spent" not in last.story
    assert not last.story.endswith("-")


def test_a_server_that_dies_or_does_not_start_and_a_timeout_are_no_failures() -> None:
    found = read("breaks.txt")
    assert [one.outcome for one in found.values()] == [
        Outcome.PASSED,
        Outcome.CRASHED,
        Outcome.PASSED,
        Outcome.CRASHED,
        Outcome.TIMED_OUT,
        Outcome.PASSED,
    ]
    assert "failed during test run" in found["breaks.b_crash"].story
    assert "Failed to start mysqld.1" in found["breaks.d_nostart"].story
    assert [one.broke_off for one in found.values()] == [False, True, False, True, True, False]


def test_a_verdict_on_a_test_that_is_not_in_the_order_is_not_reported() -> None:
    requested = [test for test in REVERSED if test != "knots.views"]
    assert [one.test for one in parse_output(lines("reversed.txt"), requested)] == requested


def test_a_test_in_another_combination_is_another_test() -> None:
    assert "gcol.rpl_gcol,row" in [one.test for one in parse_output(lines("kinds.txt"), KINDS)]
    assert [one.test for one in parse_output(lines("kinds.txt"), ["gcol.rpl_gcol,mix", "gcol.rpl_gcol"])] == []


@pytest.mark.parametrize("name", RECORDED)
@given(data=st.data())
def test_output_that_breaks_off_reports_less_and_nothing_else(name: str, data: st.DataObject) -> None:
    whole = "".join(lines(name))
    cut = whole[: data.draw(st.integers(0, len(whole)))]
    # A line that is not whole is the reader's last; what is reported of it must be no other outcome.
    found = list(parse_output(cut.splitlines(keepends=True), RECORDED[name]))
    expected = list(parse_output(lines(name), RECORDED[name]))
    assert [(one.test, one.outcome) for one in found] == [(one.test, one.outcome) for one in expected[: len(found)]]


@pytest.mark.parametrize("text", ["main.alias", "engines/funcs.x-1", "gcol.rpl_gcol,row", "main-innodb.t#1,a,b+c"])
def test_ids_that_mtr_has(text: str) -> None:
    assert is_id(text)


@pytest.mark.parametrize(
    "text", ["--record", "alias", "main.a b", "main.$(touch x)", "main.a;b", "../x.t", "main.a\nmain.b", "main.a'b", ""]
)
def test_what_no_test_of_mtr_is_called(text: str) -> None:
    assert not is_id(text)
