"""Orders in which each test has a process of its own, on one shared clean state."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from unknot.model.errors import RunnerError
from unknot.model.outcome import Outcome
from unknot.runners.workers.slot import answers

SCRIPT = """
case "$1" in
  set*) touch "${1#set:}" ;;
  need*) test -e "${1#need:}" ;;
  fail) echo out; echo err >&2; exit 1 ;;
  skip) exit 77 ;;
  exit*) exit "${1#exit:}" ;;
  signal*) kill -"${1#signal:}" $$ ;;
  hang) sleep 1000 ;;
  server) sleep 87654.3 & echo $! > pid ;;
  client) kill -0 "$(cat pid)" ;;
  dir) test ! -e "$UNKNOT_DIR/x" && touch "$UNKNOT_DIR/x" "$TMPDIR/x" ;;
  once*) test -e "$FAULTS/${1#once:}" || { touch "$FAULTS/${1#once:}"; kill -9 $$; } ;;
esac
"""


def test_the_exit_status_says_what_came_of_each(workshop: Any, answers: Any) -> None:
    (answered,) = answers(workshop.one_by_one(SCRIPT), ["set:x", "need:x", "need:y", "skip", "fail", "exit:3"])
    outcomes = [str(result.outcome) for result in answered.results]
    assert outcomes == ["passed", "passed", "failed", "skipped", "failed", "failed"]
    assert answered.results[4].story == "the command ended with status 1\nout\nerr"
    assert answered.executed == 6
    assert all(result.seconds > 0 for result in answered.results)


def test_each_order_begins_clean(workshop: Any, ask: Any) -> None:
    slot = workshop.one_by_one(SCRIPT)
    assert [ask(slot, "need:x", "dir", "set:x") for _ in range(2)] == [["failed", "passed", "passed"]] * 2


def test_the_path_of_the_project_in_an_id_is_that_of_the_working_copy(workshop: Any, ask: Any) -> None:
    assert ask(workshop.one_by_one(SCRIPT), "set:x", f"need:{workshop.directory}/x") == ["passed", "passed"]


@pytest.mark.parametrize("around", ["tests{}/x", ".{}/x", "..{}/x", "{}s/x"])
def test_what_only_looks_like_the_path_of_the_project_stays_as_it_is(workshop: Any, ask: Any, around: str) -> None:
    """In a container the project is often at /app, and has a tests/app."""
    name = around.format(workshop.directory)
    assert ask(workshop.one_by_one('case "$1" in */0/copy*) exit 1 ;; esac'), name) == ["passed"]


@pytest.mark.parametrize("bad", ["signal:11", "signal:9", "exit:139", "exit:137"])
def test_a_signal_is_a_crash_and_never_failed(workshop: Any, ask: Any, bad: str) -> None:
    assert ask(workshop.one_by_one(SCRIPT), "set:x", bad, "need:x") == ["passed", "crashed", "not-run"]


def test_a_crash_that_does_not_happen_again_blames_no_test(workshop: Any, ask: Any) -> None:
    slot = workshop.one_by_one(SCRIPT)
    assert ask(slot, "once:a", "set:x", "once:b", "need:x") == ["passed"] * 4


def test_a_test_that_hangs_has_timed_out(workshop: Any, ask: Any) -> None:
    slot = workshop.one_by_one(SCRIPT, timeout=1)
    assert ask(slot, "set:x", "hang", "need:x") == ["passed", "timed-out", "not-run"]
    assert ask(slot, "need:x") == ["failed"]


def test_what_a_test_leaves_running_is_there_for_the_next_but_not_for_the_next_order(
    workshop: Any, ask: Any, sleeping: Callable[[str], list[int]]
) -> None:
    slot = workshop.one_by_one(SCRIPT)
    assert ask(slot, "server", "client") == ["passed", "passed"]
    assert sleeping("87654.3") == []
    assert ask(slot, "client") == ["failed"]


def test_a_status_that_is_none_of_those_named_is_no_verdict(workshop: Any, ask: Any) -> None:
    slot = workshop.one_by_one(SCRIPT, statuses=[0, 1])
    assert ask(slot, "fail", "skip", "exit:2", "set:x") == ["failed", "skipped", "crashed", "not-run"]


def test_results_of_each_process_can_be_read(workshop: Any, ask: Any) -> None:
    script = 'echo 1..1; case "$1" in bad) echo "not ok - $1";; mute) exit 0;; *) echo "ok - $1";; esac'
    slot = workshop.one_by_one(script, results="tap")
    assert ask(slot, "good", "bad", "good too") == ["passed", "failed", "passed"]
    assert ask(slot, "good", "mute", "bad") == ["passed", "crashed", "not-run"]


def test_results_of_another_test_are_refused(workshop: Any, ask: Any) -> None:
    slot = workshop.one_by_one('echo 1..1; echo "ok - other"', results="tap")
    with pytest.raises(RunnerError, match="`other`, which is not in the order"):
        ask(slot, "this")


def test_a_slot_goes_on_after_an_answer_that_was_dropped(workshop: Any, ask: Any) -> None:
    slot = workshop.one_by_one(SCRIPT)
    orders = slot.answer([("set:x",), ("need:x",)], shares=False)
    assert next(answers(orders)).results[0].outcome is Outcome.PASSED
    orders.close()
    assert ask(slot, "need:x") == ["failed"]


def test_a_renewed_slot_is_as_new(workshop: Any, ask: Any) -> None:
    slot = workshop.one_by_one(SCRIPT)
    assert ask(slot, "set:x", "server") == ["passed", "passed"]
    slot.renew()
    assert ask(slot, "need:x", "client", "dir") == ["failed", "failed", "passed"]


def test_a_test_that_takes_the_command_away_spoils_the_next_and_not_the_slot(workshop: Any, ask: Any) -> None:
    (workshop.directory / "run").write_text('#!/bin/sh\ncase "$1" in take) rm run;; gone) rm -rf "$PWD";; esac\n')
    (workshop.directory / "run").chmod(0o755)
    slot = workshop.slot({"run": "./run {test}"})
    assert ask(slot, "take", "next", "last") == ["passed", "crashed", "not-run"]
    assert ask(slot, "gone", "next") == ["passed", "crashed"]
    assert ask(slot, "next", "take") == ["passed", "passed"]


def test_results_behind_a_link_are_not_removed(workshop: Any, ask: Any, tmp_path: Path) -> None:
    (tmp_path / "out.tap").write_text("precious")
    script = f'echo "1..1\nok - $1" > d/out.tap; rm -r d; ln -s {tmp_path} d'
    (workshop.directory / "d").mkdir()
    slot = workshop.one_by_one(script, **{"results": "tap", "results-file": "d/out.tap"})
    with pytest.raises(RunnerError):
        ask(slot, "a", "b", "c")
    assert (tmp_path / "out.tap").exists()
