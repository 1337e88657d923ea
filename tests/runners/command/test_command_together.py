"""Orders that one process runs from end to end."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from unknot.model.errors import RunnerError, UsageError
from unknot.model.outcome import Outcome

pytestmark = pytest.mark.slow

every_format = pytest.mark.parametrize("kind", ["lines", "tap", "junit"])


@every_format
def test_outcomes_are_those_of_the_order(workshop: Any, ask: Any, kind: str) -> None:
    slot = workshop.together(kind)
    assert ask(slot, "set:x", "need:x", "fail", "skip", "pass") == ["passed", "passed", "failed", "skipped", "passed"]


@every_format
def test_each_order_begins_clean(workshop: Any, ask: Any, kind: str) -> None:
    slot = workshop.together(kind)
    clean = ["need:x", "temporary:y", "private:z", "set:x"]
    expected = ["failed", "passed", "passed", "passed"]
    assert [ask(slot, *clean) for _ in range(3)] == [expected] * 3


@every_format
def test_a_crash_is_reported_where_it_happened_and_never_failed(workshop: Any, answers: Any, kind: str) -> None:
    slot = workshop.together(kind)
    (answered,) = answers(slot, ["pass", "set:x", "signal:11", "need:x", "fail"])
    outcomes = [result.outcome for result in answered.results]
    assert outcomes == [Outcome.PASSED, Outcome.PASSED, Outcome.CRASHED, Outcome.NOT_RUN, Outcome.NOT_RUN]
    assert answered.executed == 3
    assert "SIGSEGV" in answered.results[2].story


@every_format
@pytest.mark.parametrize("place", [0, 1, 6])
def test_a_test_that_ends_its_process_is_found_wherever_it_stands(
    workshop: Any, ask: Any, kind: str, place: int
) -> None:
    workshop.does(bad="exit:0")
    slot = workshop.together(kind)
    order = [f"pass:{number}" for number in range(6)]
    order.insert(place, "bad")
    assert ask(slot, *order) == ["passed"] * place + ["crashed"] + ["not-run"] * (6 - place)


@every_format
def test_a_crash_that_needs_another_test_is_the_second_ones(workshop: Any, ask: Any, kind: str) -> None:
    slot = workshop.together(kind)
    assert ask(slot, "crash-after:x", "pass") == ["passed", "passed"]
    assert ask(slot, "set:x", "pass", "crash-after:x", "fail") == ["passed", "passed", "crashed", "not-run"]


@every_format
def test_a_test_that_hangs_has_timed_out(workshop: Any, ask: Any, kind: str) -> None:
    slot = workshop.together(kind, timeout=1)
    assert ask(slot, "pass", "hang", "fail") == ["passed", "timed-out", "not-run"]
    assert ask(slot, "pass", "fail") == ["passed", "failed"]


@every_format
@pytest.mark.parametrize("fault", ["killed", "missing", "truncated", "foreign", "doubled"])
def test_a_fault_that_passes_leaves_no_trace_in_the_answer(workshop: Any, ask: Any, kind: str, fault: str) -> None:
    slot = workshop.together(kind)
    assert ask(slot, "pass") == ["passed"]
    workshop.break_runs(fault, 1)
    assert ask(slot, "set:x", "need:x", "fail") == ["passed", "passed", "failed"]


@every_format
@pytest.mark.parametrize("before", [["pass"], []], ids=["known to end", "nothing known"])
def test_a_killer_of_whatever_is_run_makes_no_test_crash(workshop: Any, ask: Any, kind: str, before: list[str]) -> None:
    slot = workshop.together(kind)
    assert ask(slot, *before) == ["passed"] * len(before)
    workshop.break_runs("killed", 9)
    assert ask(slot, "fail") == ["failed"]


@every_format
def test_a_test_that_kills_its_process_has_crashed_if_others_do_not(workshop: Any, ask: Any, kind: str) -> None:
    slot = workshop.together(kind)
    assert ask(slot, "signal:9") == ["crashed"]
    assert ask(slot, "signal:9", "fail", "pass") == ["crashed", "not-run", "not-run"]
    assert ask(slot, "pass", "signal:9", "fail") == ["passed", "crashed", "not-run"]


@every_format
@pytest.mark.parametrize("fault", ["foreign", "doubled"])
def test_results_that_never_make_sense_are_an_error(workshop: Any, ask: Any, kind: str, fault: str) -> None:
    slot = workshop.together(kind)
    workshop.break_runs(fault, 1000)
    with pytest.raises(RunnerError) as caught:
        ask(slot, "pass:1", "pass:2")
    assert {"foreign": "never-requested", "doubled": "twice"}[fault] in caught.value.message


@every_format
def test_a_command_that_reports_nothing_is_not_taken_for_crashing_tests(workshop: Any, ask: Any, kind: str) -> None:
    slot = workshop.together(kind)
    workshop.break_runs("missing", 1000)
    with pytest.raises(RunnerError, match="reports no test"):
        ask(slot, "pass:1", "pass:2", "pass:3")


def test_results_of_an_earlier_run_do_not_count(workshop: Any, ask: Any) -> None:
    (workshop.directory / "out.xml").write_text('<testsuite><testcase name="signal:11"/></testsuite>')
    run = [sys.executable, "-IS", "runner.py", "junit", "out.xml", "{tests}"]
    slot = workshop.slot({"run": run, "results": "junit", "id": "{name}", "results-file": "out.xml"})
    assert ask(slot, "signal:11") == ["crashed"]
    assert ask(slot, "pass") == ["passed"]


def test_results_that_are_no_file_do_not_stop_anything(workshop: Any, ask: Any) -> None:
    workshop.does(pipe="shell:mkfifo out.xml")
    (workshop.directory / "only_pipe.sh").write_text("mkfifo out.xml\n")
    slot = workshop.slot({"run": "sh only_pipe.sh {tests}", "results": "junit", "results-file": "out.xml"}, timeout=5)
    with pytest.raises(RunnerError, match="no regular file"):
        ask(slot, "one", "two")


def test_another_sequence_than_the_orders_is_refused(workshop: Any, ask: Any) -> None:
    (workshop.directory / "sorting.sh").write_text("for t in $(printf '%s\\n' $@ | sort); do echo passed $t; done\n")
    slot = workshop.slot(
        {"run": "sh sorting.sh {tests}", "results": "lines", "pattern": "(?P<outcome>.*?) (?P<test>.*)"}
    )
    assert ask(slot, "a", "b") == ["passed", "passed"]
    with pytest.raises(RunnerError, match="another sequence") as caught:
        ask(slot, "b", "a")
    assert "in that sequence" in caught.value.hint
    assert "on this machine" not in caught.value.hint


def test_results_under_other_names_say_what_is_wanted(workshop: Any, ask: Any) -> None:
    (workshop.directory / "padding.sh").write_text('for t in $@; do echo "passed  $t"; done\n')
    pattern = "(?P<outcome>.*?) (?P<test>.*)"
    slot = workshop.slot({"run": "sh padding.sh {tests}", "results": "lines", "pattern": pattern})
    with pytest.raises(RunnerError, match="` a`, which is not in the order") as caught:
        ask(slot, "a", "b")
    assert "by the id that the list has" in caught.value.hint


def test_all_results_but_a_status_that_says_otherwise(workshop: Any, ask: Any) -> None:
    slot = workshop.together("lines", statuses=[0, 1])
    workshop.break_runs("swapped", 1)
    assert ask(slot, "pass", "fail") == ["passed", "failed"]
    workshop.break_runs("swapped", 1000)
    with pytest.raises(RunnerError, match="status 9, which is none of"):
        ask(slot, "pass")


def test_any_status_will_do_if_none_is_named(workshop: Any, ask: Any) -> None:
    workshop.break_runs("swapped", 1000)
    assert ask(workshop.together("lines"), "pass", "fail") == ["passed", "failed"]


def test_tests_in_a_file_in_a_word_of_their_own_or_joined(workshop: Any, ask: Any) -> None:
    run = [sys.executable, "-IS", "runner.py", "tap", "-", "--file", "{tests_file}"]
    assert ask(workshop.slot({"run": run, "results": "tap"}), "set:x", "need:x") == ["passed", "passed"]
    (workshop.directory / "joined.sh").write_text('IFS="|"; for t in $1; do echo "ok - $t"; done; echo 1..2\n')
    slot = workshop.slot({"run": "sh joined.sh {tests}|", "results": "tap", "separator": "|"})
    assert ask(slot, "one", "two") == ["passed", "passed"]
    with pytest.raises(UsageError, match="separator"):
        ask(slot, "one", "t|wo")


def test_a_command_line_that_is_too_long_recommends_a_file(workshop: Any, ask: Any) -> None:
    with pytest.raises(UsageError) as caught:
        ask(workshop.together("tap"), *(f"pass:{number:0600d}" for number in range(4_000)))
    assert "{tests_file}" in caught.value.hint


def test_many_tests_go_through_a_file(workshop: Any, ask: Any) -> None:
    run = [sys.executable, "-IS", "runner.py", "tap", "-", "--file", "{tests_file}"]
    slot = workshop.slot({"run": run, "results": "tap"})
    assert set(ask(slot, *(f"pass:{number:0600d}" for number in range(4_000)))) == {"passed"}


def test_a_program_that_is_not_there(workshop: Any, ask: Any) -> None:
    with pytest.raises(UsageError, match="no-such-program"):
        ask(workshop.slot({"run": "no-such-program {tests}", "results": "tap"}), "a")


def test_what_a_test_prints_without_end_does_not_fill_the_disk(workshop: Any, ask: Any, kept_below: Any) -> None:
    slot = workshop.together("lines")
    with kept_below(slot, 400):
        assert ask(slot, "flood:300000", "fail") == ["passed", "failed"]


def test_results_without_end_are_an_error(workshop: Any, ask: Any) -> None:
    slot = workshop.slot({"run": "yes {tests}", "results": "tap"})
    with pytest.raises(RunnerError, match="printed more than"):
        ask(slot, "a")


def test_processes_left_behind_are_gone_before_the_next_order(
    workshop: Any, ask: Any, sleeping: Callable[[str], list[int]]
) -> None:
    slot = workshop.together("lines")
    assert ask(slot, "daemon:98765.4", "pass") == ["passed", "passed"]
    assert sleeping("98765.4") == []


def test_the_users_own_files_are_not_touched(workshop: Any, ask: Any) -> None:
    before = sorted(os.listdir(workshop.directory))
    workshop.does(wreck="shell:rm -rf * ; mkdir new; chmod 000 new; touch left")
    slot = workshop.together("lines")
    assert ask(slot, "wreck") == ["passed"]
    assert ask(slot, "set:x", "wreck") == ["passed", "passed"]
    assert sorted(os.listdir(workshop.directory)) == before


def test_the_reset_command_is_run_before_each_order(workshop: Any, ask: Any, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    workshop.does(first=f"shell:test ! -e {outside} && touch {outside}")
    slot = workshop.together("lines", reset=f"rm -f {outside}")
    assert [ask(slot, "first") for _ in range(2)] == [["passed"]] * 2


def test_a_reset_command_that_fails_is_an_error(workshop: Any, ask: Any) -> None:
    with pytest.raises(RunnerError, match="no way back"):
        ask(workshop.together("lines", reset="echo no way back; exit 3"), "pass")


def test_an_empty_order_has_an_empty_answer(workshop: Any, answers: Any) -> None:
    assert [(one.results, one.executed) for one in answers(workshop.together("lines"), [])] == [((), 0)]


def test_seconds_are_shared_out_if_they_are_not_reported(workshop: Any, answers: Any) -> None:
    (answered,) = answers(workshop.together("lines"), ["pass:1", "pass:2"])
    assert 0 < sum(result.seconds for result in answered.results) <= answered.seconds
