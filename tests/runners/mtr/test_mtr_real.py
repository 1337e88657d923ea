"""Real servers under mtr: the suite of the example, and one that breaks."""

import json
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from unknot.model.outcome import Outcome
from unknot.runners.command.listing import list_tests
from unknot.runners.mtr.config import mtr_spec
from unknot.runners.mtr.request import build_threads
from unknot.runners.settings import Settings
from unknot.runners.workers.slot import Answered

pytestmark = pytest.mark.foreign

EXAMPLE = Path(__file__).parents[3] / "examples" / "mariadb"
SUITE = sorted(f"knots.{test.stem}" for test in (EXAMPLE / "suite" / "knots" / "t").glob("*.test"))

Open = Callable[..., Callable[[list[str]], Answered]]


def bad(answered: Answered, order: list[str]) -> list[str]:
    return [test for test, result in zip(order, answered.results, strict=True) if result.outcome is Outcome.FAILED]


def test_each_order_starts_from_scratch_even_if_a_port_is_taken(open_slot: Open, number: int) -> None:
    ask = open_slot(EXAMPLE, "suite/knots")
    with socket.create_server(("127.0.0.1", 10000 + 30 * build_threads(number)[0])):
        _check_two_orders(ask)


def _check_two_orders(ask: Callable[[list[str]], Answered]) -> None:
    order = [
        "knots.accounts_make",
        "knots.settings_loosen",
        "knots.zeros_check",
        "knots.clerk_work",
    ]
    answered = ask(order)
    assert bad(answered, order) == order[2:]
    assert "Access denied for user 'clerk'" in answered.results[3].story
    assert [result.outcome for result in ask(SUITE).results] == [Outcome.PASSED] * len(SUITE)


def test_one_server_for_all_orders_is_put_back(open_slot: Open) -> None:
    ask = open_slot(EXAMPLE, "suite/knots", {"server": "extern"})
    # No other server is started after a failure: what was left behind stays.
    order = [
        "knots.accounts_make",
        "knots.settings_loosen",
        "knots.dates_check",
        "knots.zeros_check",
    ]
    assert bad(ask(order), order) == order[2:]
    assert [result.outcome for result in ask(SUITE).results] == [Outcome.PASSED] * len(SUITE)


def test_a_server_that_dies_is_a_crash_at_its_test(open_slot: Open, tmp_path: Path) -> None:
    tests = tmp_path / "suite" / "breaks" / "t"
    tests.mkdir(parents=True)
    (tmp_path / "unknot.toml").write_text('[mtr]\nsuites = ["suite/breaks"]\n')
    (tests / "fine.test").write_text("--disable_query_log\nSELECT 1;\n")
    (tests / "kills.test").write_text(
        "let $pid= `SELECT @@pid_file`;\n--exec kill -9 `cat $pid`\n--sleep 1\nSELECT 1;\n"
    )
    (tests / "later.test").write_text("--disable_query_log\nSELECT 1;\n")
    results = tmp_path / "suite" / "breaks" / "r"
    results.mkdir()
    for name in ("fine", "later"):
        (results / f"{name}.result").write_text("1\n1\n")
    ask = open_slot(tmp_path, "suite/breaks")
    answered = ask(["breaks.fine", "breaks.kills", "breaks.later"])
    assert [result.outcome for result in answered.results] == [Outcome.PASSED, Outcome.CRASHED, Outcome.NOT_RUN]


@pytest.mark.usefixtures("needs_mtr")
def test_the_list_of_the_example() -> None:
    command, _ = mtr_spec({}, ["suite/knots"], "unknot.toml: [mtr]", EXAMPLE)
    listing = list_tests(command, Settings(EXAMPLE))
    assert list(listing.suite.tests) == SUITE
    truth = json.loads((EXAMPLE / "truth.json").read_text(encoding="utf-8"))
    assert {need["dependent"] for need in truth["needs"]} <= set(listing.suite.tests)
