"""`unknot report` in every form, and what is put together for it."""

import os
import xml.etree.ElementTree
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from told_recording import read, told, wrote
from written_results import write_result

from unknot.app.excerpts import excerpts_of
from unknot.app.progress import ProgressListener
from unknot.app.report import full_report
from unknot.cli.interruption import Interruption
from unknot.cli.main import main
from unknot.cli.terminal import TerminalProgress
from unknot.model.dependencies import Conflict, Cost, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.recording import Recording
from unknot.model.suite import Suite, TestId
from unknot.report.export.result_json import result_json
from unknot.report.graph.mermaid import MOST_EDGES
from unknot.report.report import Report
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

Unknot = Callable[..., int]


@pytest.fixture
def unknot(project: Path, monkeypatch: pytest.MonkeyPatch) -> Unknot:
    """In this process, in a project with a lock file."""
    monkeypatch.chdir(project)
    monkeypatch.setattr("unknot.cli.main.Interruption.watch", lambda _: None)
    write_result(project / "unknot.lock.json", FOUND)
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
    assert capsys.readouterr().out == result_json(FOUND)
    assert unknot("--format", "graphml") == 0
    assert len(list(xml.etree.ElementTree.fromstring(capsys.readouterr().out).iter())) > 10


def test_a_picture_that_mermaid_refuses_is_reported(
    unknot: Unknot, capsys: pytest.CaptureFixture[str], project: Path
) -> None:
    tests = tuple(TestId(f"t{number}") for number in range(MOST_EDGES + 2))
    needs = tuple(Need(test, (tests[0],), Proof((tests[0], test), (test,))) for test in tests[1:])
    outcomes = dict.fromkeys(tests, Outcome.PASSED)
    write_result(project / "unknot.lock.json", Dependencies(Suite(tests), outcomes, dict.fromkeys(tests, 0.0), needs))
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
    found = excerpts_of(FOUND, recording(), Path.cwd(), recorded)
    assert {key: [(e.label, e.frame.file, e.frame.line) for e in some] for key, some in found.items()} == {
        (TOTAL, 0): [("written", "tests/test_shop.py", 5), ("read", "tests/test_shop.py", 9)],
        (TOTAL, 1): [("written", "../outside.py", 1), ("read", "tests/test_shop.py", 9)],
    }
    written, seen = found[TOTAL, 0]
    assert written.source.text == SOURCE
    assert written.source is seen.source, "each file is read once"


def test_a_file_outside_the_project_is_not_shown(recorded: Path) -> None:
    outside, _ = excerpts_of(FOUND, recording(), Path.cwd(), recorded)[TOTAL, 1]
    assert outside.source.text is None


def test_a_file_that_is_gone_or_newer_says_so(recorded: Path, project: Path) -> None:
    source = project / "tests" / "test_shop.py"
    later = (recorded / "recording.json").stat().st_mtime + 10
    assert not excerpts_of(FOUND, recording(), Path.cwd(), recorded)[TOTAL, 0][0].source.is_newer
    os.utime(source, (later, later))
    assert excerpts_of(FOUND, recording(), Path.cwd(), recorded)[TOTAL, 0][0].source.is_newer
    source.unlink()
    assert excerpts_of(FOUND, recording(), Path.cwd(), recorded)[TOTAL, 0][0].source.text is None


def test_the_report_takes_the_recording_of_the_project(recorded: Path) -> None:
    report = full_report(Report(FOUND), Path.cwd(), recorded, ProgressListener())
    assert set(report.excerpts) == {(TOTAL, 0), (TOTAL, 1)}
    assert replace(report, excerpts={}) == Report(FOUND)


def test_a_recording_that_cannot_be_read_is_passed_over(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (recorded / "recording.json").write_text("{")
    report = full_report(Report(FOUND), Path.cwd(), recorded, TerminalProgress(Console(stderr=True), Interruption()))
    assert not report.excerpts
    assert "note: no lines of code are shown from the recording:" in capsys.readouterr().err
