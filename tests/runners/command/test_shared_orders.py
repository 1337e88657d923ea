"""Orders that begin alike, on an instance whose states can be kept."""

import itertools
import os
import random
import signal
from typing import Any

import pytest

from unknot.runners.sut.spec import InstanceSpec, ResetSpec

FORKABLE = InstanceSpec(reset=ResetSpec("directory", (("live", "true"),)))
NOT_FORKABLE = InstanceSpec(reset=ResetSpec("restart"))

SCRIPT = """
echo "$1" >> "$FAULTS/runs"
case "$1" in
  set*) touch "$UNKNOT_DIR/${1#set:}" ;;
  need*) test -e "$UNKNOT_DIR/${1#need:}" ;;
  clear*) rm -f "$UNKNOT_DIR/${1#clear:}" ;;
  copy) test ! -e here && touch here ;;
  temporary) test ! -e "$TMPDIR/here" && touch "$TMPDIR/here" ;;
  server) sleep 76543.2 & echo $! > "$UNKNOT_DIR/pid" ;;
  client) test -e "$UNKNOT_DIR/pid" && kill -0 "$(cat "$UNKNOT_DIR/pid")" ;;
  crash-if*) test ! -e "$UNKNOT_DIR/${1#crash-if:}" || kill -11 $$ ;;
  once*) test -e "$FAULTS/${1#once:}" || { touch "$FAULTS/${1#once:}"; kill -9 $$; } ;;
  launcher) test -e "$FAULTS/launcher" || { touch "$FAULTS/launcher"; kill -9 $PPID; } ;;
esac
"""


def run_tests(workshop: Any) -> list[str]:
    path = workshop.faults / "runs"
    runs = path.read_text().splitlines() if path.exists() else []
    path.unlink(missing_ok=True)
    return runs


def test_a_common_beginning_is_run_once(workshop: Any, answers: Any) -> None:
    slot = workshop.one_by_one(SCRIPT, FORKABLE)
    orders = [["set:x", "set:y", "need:x"], ["set:x", "set:y", "need:z"], ["set:x", "need:y"], ["need:x"]]
    found = answers(slot, *orders, shares=True)
    outcomes = [[str(result.outcome) for result in one.results] for one in found]
    assert outcomes == [["passed"] * 3, ["passed", "passed", "failed"], ["passed", "failed"], ["failed"]]
    assert sorted(run_tests(workshop)) == ["need:x", "need:x", "need:y", "need:z", "set:x", "set:y"]
    assert [one.executed for one in found] == [3, 1, 1, 1]


@pytest.mark.parametrize("left", ["copy", "temporary", "server"])
def test_what_no_snapshot_holds_is_not_shared(workshop: Any, answers: Any, left: str) -> None:
    slot = workshop.one_by_one(SCRIPT, FORKABLE)
    follows = "client" if left == "server" else "need:x"
    found = answers(slot, [left, follows], [left, "set:y", follows], [left, "set:x", follows], shares=True)
    outcomes = [[str(result.outcome) for result in one.results] for one in found]
    last = "passed" if left == "server" else "failed"
    assert outcomes == [["passed", last], ["passed", "passed", last], ["passed", "passed", "passed"]]
    assert run_tests(workshop).count(left) == 3
    assert sum(one.executed for one in found) == 8


def test_a_crash_below_a_branch_is_run_alone(workshop: Any, answers: Any) -> None:
    slot = workshop.one_by_one(SCRIPT, FORKABLE)
    orders = [["set:x", "crash-if:x", "need:x"], ["set:x", "clear:x", "crash-if:x"], ["set:x", "need:x"]]
    found = answers(slot, *orders, shares=True)
    outcomes = [[str(result.outcome) for result in one.results] for one in found]
    assert outcomes == [["passed", "crashed", "not-run"], ["passed"] * 3, ["passed"] * 2]


@pytest.mark.parametrize("fault", ["once:a", "launcher"])
def test_a_fault_in_the_midst_of_a_tree_passes(workshop: Any, answers: Any, fault: str) -> None:
    slot = workshop.one_by_one(SCRIPT, FORKABLE)
    orders = [["set:x", "need:x"], ["set:x", fault, "need:x"], ["set:x", "clear:x", "need:x"]]
    found = answers(slot, *orders, shares=True)
    outcomes = [[str(result.outcome) for result in one.results] for one in found]
    assert outcomes == [["passed"] * 2, ["passed"] * 3, ["passed", "passed", "failed"]]


def test_a_launcher_killed_at_the_end_of_a_tree_is_replaced(
    workshop: Any, answers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    slot = workshop.one_by_one(SCRIPT, FORKABLE)
    launcher = slot._workspace.launcher
    sweep = launcher.sweep
    killed: list[int] = []

    def killed_before() -> None:
        if not killed and launcher._process is not None:
            killed.append(launcher._process.pid)
            os.kill(killed[0], signal.SIGKILL)
        sweep()

    monkeypatch.setattr(launcher, "sweep", killed_before)
    found = answers(slot, ["set:x"], ["set:x", "need:x"], shares=True)
    assert killed
    assert [[str(result.outcome) for result in one.results] for one in found] == [["passed"], ["passed"] * 2]


def test_shared_answers_are_those_of_orders_run_alone(workshop: Any, answers: Any) -> None:
    tests = ["set:x", "need:x", "clear:x", "copy", "set:y", "need:y", "crash-if:y"]
    chosen = random.Random(5)
    orders = [list(order) for order in itertools.permutations(tests, 4) if order[0] in ("set:x", "copy")]
    orders = [*chosen.sample(orders, 25), [], ["set:x"], ["set:x"]]
    slot = workshop.one_by_one(SCRIPT, FORKABLE)
    shared = answers(slot, *orders, shares=True)
    ran_shared = len(run_tests(workshop))
    alone = answers(slot, *orders)
    assert [[r.outcome for r in one.results] for one in shared] == [[r.outcome for r in one.results] for one in alone]
    assert ran_shared < len(run_tests(workshop))


def test_more_branches_than_states_are_kept(workshop: Any, answers: Any) -> None:
    slot = workshop.one_by_one("exit 0", FORKABLE)
    tests = [f"t{number}" for number in range(25)]
    orders = [tests[:place] + tests[place + 1 :] for place in range(25)]
    found = answers(slot, *orders, shares=True)
    assert all(len(one.results) == 24 for one in found)
    assert sum(one.executed for one in found) < 24 * 25


def test_without_a_state_that_can_be_kept_nothing_is_shared(workshop: Any, answers: Any) -> None:
    slot = workshop.one_by_one(SCRIPT, NOT_FORKABLE)
    found = answers(slot, ["set:x", "need:x"], ["set:x", "need:y"], shares=True)
    assert [one.executed for one in found] == [2, 2]
    assert run_tests(workshop).count("set:x") == 2


def test_which_slots_can_share(workshop: Any) -> None:
    from dataclasses import replace

    from unknot.runners.command.config import command_spec
    from unknot.runners.command.slot import CommandSlotSpec

    single = command_spec({"run": "a {test}", "tests": ["a"]}, "here")
    group = command_spec({"run": "a {tests}", "tests": ["a"], "results": "tap"}, "here")
    settings = workshop.settings
    assert CommandSlotSpec(single, FORKABLE, settings).can_share
    assert not CommandSlotSpec(group, FORKABLE, settings).can_share
    assert not CommandSlotSpec(single, None, settings).can_share
    assert not CommandSlotSpec(single, NOT_FORKABLE, settings).can_share
    assert not CommandSlotSpec(single, FORKABLE, replace(settings, reset="true")).can_share
    assert not CommandSlotSpec(single, FORKABLE, replace(settings, workdir="shared")).can_share


def test_answers_come_in_the_sequence_of_the_orders(workshop: Any, answers: Any) -> None:
    slot = workshop.one_by_one("exit 0", FORKABLE)
    orders = [["a", "b"], ["c"], ["a"], [], ["c", "a", "b"], ["a", "b"]]
    assert [len(one.results) for one in answers(slot, *orders, shares=True)] == [2, 1, 1, 0, 3, 2]
