"""`unknot report` in every form, and what is put together for it."""

import json
import os
import xml.etree.ElementTree
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from strategies import case
from told_recording import read, told, wrote

from unknot.cli.alternatives import alternatives
from unknot.cli.excerpts import excerpts_of
from unknot.cli.main import main
from unknot.cli.report_data import full_report, recall_price, remember_price
from unknot.detect.algorithms import ALGORITHMS
from unknot.detect.engine.options import Options
from unknot.detect.sieve.sieve import sieve
from unknot.model.dependencies import Conflict, Cost, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.recording import Recording
from unknot.model.suite import Suite, TestId
from unknot.oracle.count import CountingOracle
from unknot.oracle.protocol import Price
from unknot.oracle.simulated import SimulatedOracle
from unknot.report.graph.mermaid import MOST_EDGES
from unknot.report.report import Report
from unknot.store.lock import dumps as lock_text
from unknot.store.lock import write_lock
from unknot.store.recording_file import dumps

ADD, TOTAL, ENV = (TestId(f"tests/test_shop.py::test_{name}") for name in ("add", "total", "env"))
FOUND = Dependencies(
    Suite((ADD, TOTAL, ENV)),
    dict.fromkeys((ADD, TOTAL, ENV), Outcome.PASSED),
    dict.fromkeys((ADD, TOTAL, ENV), 0.5),
    needs=(Need(TOTAL, (ADD,), Proof((ADD, TOTAL), (TOTAL,))),),
    conflicts=(Conflict(TOTAL, (ENV,), (), Proof((ADD, TOTAL), (ADD, ENV, TOTAL))),),
    cost=Cost("sieve", 9, 20, 12.5),
)
SOURCE = "CART = []\n\n\ndef test_add():\n    CART.append(1)\n\n\ndef test_total():\n    assert CART\n"
PRICE = Price(0.1)

Unknot = Callable[..., int]


@pytest.fixture
def unknot(project: Path, monkeypatch: pytest.MonkeyPatch) -> Unknot:
    """In this process, in a project with a lock file."""
    monkeypatch.chdir(project)
    monkeypatch.setattr("unknot.cli.main.Interruption.watch", lambda _: None)
    write_lock(project / "unknot.lock.json", FOUND)
    return lambda *arguments: main(["report", *arguments])


def recording() -> Recording:
    return told(
        FOUND.suite.tests,
        [
            wrote(ADD, "memory", "test_shop.CART", "[1]", "tests/test_shop.py:5"),
            wrote(ENV, "environment", "SHOP", "x", "../outside.py:1"),
            read(TOTAL, "memory", "test_shop.CART", "/usr/lib/python3/x.py:7 tests/test_shop.py:9"),
            read(TOTAL, "environment", "SHOP", "tests/test_shop.py:9"),
        ],
    )


def first_line(text: str) -> str:
    return text.partition("\n")[0]


BEGINNINGS = {
    "text": "1 of 3 tests depends on others: 1 brittle, 1 victim.",
    "markdown": "### 1 of 3 tests depends on others: 1 brittle, 1 victim.",
    "json": "{",
    "dot": "digraph unknot {",
    "mermaid": "flowchart LR",
    "graphml": '<?xml version="1.0" encoding="UTF-8"?>',
}


@pytest.mark.parametrize("form", BEGINNINGS)
def test_every_form_goes_to_standard_output_or_into_a_file(
    form: str, unknot: Unknot, capsys: pytest.CaptureFixture[str], project: Path
) -> None:
    assert unknot("--format", form) == 0
    printed = capsys.readouterr().out
    assert first_line(printed) == BEGINNINGS[form]
    assert unknot("--format", form, "-o", "written") == 0
    assert (project / "written").read_text(encoding="utf-8") == printed
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "written: written\n")


def test_data_is_data(unknot: Unknot, capsys: pytest.CaptureFixture[str]) -> None:
    assert unknot("--format", "json") == 0
    assert capsys.readouterr().out == lock_text(FOUND)
    assert unknot("--format", "graphml") == 0
    assert len(list(xml.etree.ElementTree.fromstring(capsys.readouterr().out).iter())) > 10


def test_a_picture_that_mermaid_refuses_is_told_of(
    unknot: Unknot, capsys: pytest.CaptureFixture[str], project: Path
) -> None:
    tests = tuple(TestId(f"t{number}") for number in range(MOST_EDGES + 2))
    needs = tuple(Need(test, (tests[0],), Proof((tests[0], test), (test,))) for test in tests[1:])
    outcomes = dict.fromkeys(tests, Outcome.PASSED)
    write_lock(project / "unknot.lock.json", Dependencies(Suite(tests), outcomes, dict.fromkeys(tests, 0.0), needs))
    assert unknot("--format", "mermaid") == 0
    said = capsys.readouterr()
    assert said.err.startswith("note: 501 edges, and Mermaid draws at most 500")
    assert said.out.startswith("flowchart LR\n  %% 501 edges")


def test_without_a_lock_file_it_says_what_to_do(
    unknot: Unknot, capsys: pytest.CaptureFixture[str], project: Path
) -> None:
    (project / "unknot.lock.json").unlink()
    assert unknot("--format", "markdown") == 13
    assert "run unknot detect first" in capsys.readouterr().err


# Lines of code


@pytest.fixture
def recorded(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The state directory of a project whose suite was recorded."""
    monkeypatch.chdir(project)
    (project / "tests").mkdir()
    (project / "tests" / "test_shop.py").write_text(SOURCE)
    (project.parent / "outside.py").write_text("secret\n")
    state = project / ".unknot"
    state.mkdir()
    (state / "recording.json").write_text(dumps(recording()))
    return state


def test_every_claim_has_the_lines_where_it_is_written_and_read(recorded: Path) -> None:
    found = excerpts_of(FOUND, recording(), recorded)
    assert {key: [(e.label, e.frame.file, e.frame.line) for e in some] for key, some in found.items()} == {
        (TOTAL, 0): [("written", "tests/test_shop.py", 5), ("read", "tests/test_shop.py", 9)],
        (TOTAL, 1): [("written", "../outside.py", 1), ("read", "tests/test_shop.py", 9)],
    }
    written, seen = found[TOTAL, 0]
    assert written.source.text == SOURCE
    assert written.source is seen.source, "each file is read once"


def test_a_file_outside_the_project_is_not_shown(recorded: Path) -> None:
    outside, _ = excerpts_of(FOUND, recording(), recorded)[TOTAL, 1]
    assert outside.source.text is None


def test_a_file_that_is_gone_or_newer_says_so(recorded: Path, project: Path) -> None:
    source = project / "tests" / "test_shop.py"
    later = (recorded / "recording.json").stat().st_mtime + 10
    assert not excerpts_of(FOUND, recording(), recorded)[TOTAL, 0][0].source.is_newer
    os.utime(source, (later, later))
    assert excerpts_of(FOUND, recording(), recorded)[TOTAL, 0][0].source.is_newer
    source.unlink()
    assert excerpts_of(FOUND, recording(), recorded)[TOTAL, 0][0].source.text is None


def test_the_report_takes_the_recording_of_the_project(recorded: Path) -> None:
    report = full_report(Report(FOUND), recorded, Console(quiet=True))
    assert set(report.excerpts) == {(TOTAL, 0), (TOTAL, 1)}
    assert report.alternatives
    assert replace(report, excerpts={}, alternatives=()) == Report(FOUND)


def test_a_recording_that_cannot_be_read_is_passed_over(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (recorded / "recording.json").write_text("{")
    report = full_report(Report(FOUND), recorded, Console(stderr=True))
    assert not report.excerpts
    assert "note: no lines of code are shown from the recording:" in capsys.readouterr().err


# What others would have cost


def complete_dependencies() -> Dependencies:
    told_case = case(12, {3: [[1]], 7: [[3]], 9: [[2, 4]]}, [(5, [8], [])])
    found = sieve(told_case.suite, SimulatedOracle(told_case.truth, clean_state=PRICE.clean_state))
    assert found.complete
    return replace(found, seconds=dict.fromkeys(found.suite.tests, 0.5))


def test_each_other_algorithm_is_told_with_what_it_would_really_ask() -> None:
    told_case = case(12, {3: [[1]], 7: [[3]], 9: [[2, 4]]}, [(5, [8], [])])
    found = alternatives(complete_dependencies(), PRICE)
    assert [one.algorithm for one in found] == [name for name in ALGORITHMS if name not in ("auto", "sieve")]
    for one in found:
        counted = CountingOracle(SimulatedOracle(told_case.truth, clean_state=PRICE.clean_state))
        ALGORITHMS[one.algorithm](told_case.suite, counted, Options())
        assert (one.orders, one.tests) == (counted.orders, counted.tests)
        assert one.seconds == pytest.approx(one.orders * PRICE.clean_state + one.tests * 0.5)


def test_whoever_would_not_find_all_of_it_is_not_complete() -> None:
    dependencies = complete_dependencies()
    by_name = {one.algorithm: one.complete for one in alternatives(dependencies, PRICE)}
    assert not by_name["pfast"], "it looks for no conflicts"
    assert by_name["tuscan"]
    plain = {
        one.algorithm: one.complete
        for one in alternatives(replace(dependencies, conflicts=(), needs=dependencies.needs[:1]), PRICE)
    }
    assert plain["pfast"]
    assert not plain["reverse"], "it cannot know whether there is more"


def test_the_algorithm_that_was_used_is_not_compared_with_itself() -> None:
    used = replace(complete_dependencies(), cost=Cost("pfast", 1, 1))
    names = [one.algorithm for one in alternatives(used, PRICE, reorders=False)]
    assert "pfast" not in names
    assert {"auto", "sieve"} <= set(names)


def test_nothing_is_said_of_a_search_that_was_stopped_or_has_found_nothing() -> None:
    dependencies = complete_dependencies()
    assert alternatives(replace(dependencies, complete=False), PRICE) == ()
    assert alternatives(replace(dependencies, needs=(), conflicts=()), PRICE) == ()


def test_when_the_time_is_up_nothing_more_is_said() -> None:
    times = iter(range(0, 10**6, 10))
    assert alternatives(complete_dependencies(), PRICE, clock=lambda: next(times)) == ()


def test_who_is_stopped_is_told_only_if_it_is_dearer_by_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unknot.cli.alternatives._MOST_STEPS", 200_000)
    told_case = case(150, {test: [[test - 1]] for test in range(1, 150, 2)})
    tests = told_case.suite.tests
    needs = tuple(Need(tests[at], (tests[at - 1],), Proof((), ())) for at in range(1, 150, 2))
    dependencies = Dependencies(
        told_case.suite, dict.fromkeys(tests, Outcome.PASSED), {}, needs, cost=Cost("sieve", 200, 9000)
    )
    dear = {one.algorithm: one for one in alternatives(dependencies, PRICE, clock=lambda: 0.0)}["tedd"]
    assert not dear.complete
    assert dear.orders > 200
    assert dear.tests > 9000
    cheaper = replace(dependencies, cost=Cost("sieve", 10**6, 10**8))
    assert "tedd" not in [one.algorithm for one in alternatives(cheaper, PRICE, clock=lambda: 0.0)]


# What an order costs


def test_the_price_is_remembered(tmp_path: Path) -> None:
    assert recall_price(tmp_path) is None
    remember_price(tmp_path, Price(2.5, 4, shares_prefixes=True), reorders=False)
    assert recall_price(tmp_path) == (Price(2.5, 4, shares_prefixes=True), False)


@pytest.mark.parametrize("damage", ["", "[]", "{", '{"clean_state": -1}', "\x00", "\udcff"])
def test_a_damaged_price_is_as_good_as_none(damage: str, tmp_path: Path) -> None:
    (tmp_path / "price.json").write_bytes(damage.encode("utf-8", "surrogateescape"))
    assert recall_price(tmp_path) is None


def test_without_a_price_the_cost_of_the_detection_tells_it(tmp_path: Path) -> None:
    """Nine orders took 12.5 s, twenty tests of half a second in them 10 s."""
    by_cost = full_report(Report(FOUND), tmp_path, Console(quiet=True)).alternatives
    remember_price(tmp_path, Price(2.5 / 9), reorders=True)
    assert by_cost == full_report(Report(FOUND), tmp_path, Console(quiet=True)).alternatives
    assert json.loads((tmp_path / "price.json").read_text())["workers"] == 1
