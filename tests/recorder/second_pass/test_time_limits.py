"""The second look of the recorder ends in time, and takes fingerprints of large objects once."""

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from unknot.app.configuration import read_configuration
from unknot.app.options import RunnerOptions
from unknot.app.progress import ProgressListener
from unknot.app.recording.suite_recorder import record
from unknot.app.session.session import settings_from
from unknot.model.recording import Recording
from unknot.recorder import second_request
from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.memory.memory import MemoryCollector, MemoryLocation
from unknot.recorder.inside.memory.stop_list import StopList
from unknot.recorder.inside.second_pass.second_pass import _Limited
from unknot.recorder.inside.stack import Stacks, UserModules

SUITE = """
    state = {}
    def test_first(): state["a"] = 1
    def test_second(): state["b"] = state["a"] + 1
    def test_third(): assert state["b"] == 2
"""
LARGE = """
class Node:
    def __init__(self, number):
        self.number = number
        self.tags = {"number": number}


large = [Node(number) for number in range(15_000)]
small = [1, 2, 3]
"""


def recorded(directory: Path, status: Callable[[str], None] = lambda text: None) -> Recording:
    (directory / "test_it.py").write_text("\n".join(line[4:] for line in SUITE.splitlines()))
    options = RunnerOptions(directory=directory, configuration=read_configuration(directory))
    return record(settings_from(options, ProgressListener()), status=status)


@pytest.mark.slow
def test_a_second_look_without_time_leaves_what_the_first_has_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = recorded(tmp_path)
    monkeypatch.setattr(second_request, "_LEAST_SECONDS", 0.0)
    monkeypatch.setattr(second_request, "_TIMES", 0.0)
    short = recorded(tmp_path)
    assert [(flow.kind, flow.writer, flow.reader, flow.location) for flow in short.flows] == [
        (flow.kind, flow.writer, flow.reader, flow.location) for flow in whole.flows
    ]
    assert "lines of writes, and reads before a write, in the last 2 tests, to save time" in short.notes
    assert not any("to save time" in note for note in whole.notes)
    assert short.outcomes == whole.outcomes
    assert short.test_runs < whole.test_runs


@pytest.mark.slow
def test_it_says_that_it_looks_again_and_how_long_that_may_take(tmp_path: Path) -> None:
    said: list[str] = []
    recorded(tmp_path, said.append)
    assert said == ["recording again, for the lines that write and to recognise caches: at most 10 s"]


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    (tmp_path / "walked_large.py").write_text(LARGE)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("walked_large")
    del sys.modules["walked_large"]


def test_the_fingerprint_of_a_large_object_is_soon_unknown_and_that_of_a_small_one_never(
    module: ModuleType, tmp_path: Path
) -> None:
    del module
    with open(tmp_path / "events", "w", encoding="utf-8") as file:
        stacks = Stacks((str(tmp_path),))
        memory = MemoryCollector(Ledger(file, stacks), StopList(()), UserModules(stacks))

        def location(name: str) -> MemoryLocation:
            return memory.location("memory", f"walked_large.{name}", "walked_large", repr((("attr", name),)), False)

        large, small = location("large"), location("small")
        assert large.affordable_fingerprint()
        assert [large.affordable_fingerprint() for _ in range(20)][-1] is None
        assert None not in [small.affordable_fingerprint() for _ in range(1_000)]
        assert location("large").affordable_fingerprint() is None, "also if it is another location of that name"


def test_a_limited_fingerprint_stays_the_same_when_its_time_is_over() -> None:
    contents = iter(range(10))
    limited = _Limited(lambda: next(contents), 0.0)
    assert [limited() for _ in range(3)] == [0, 0, 0]
    assert limited.has_ended
    unlimited = _Limited(lambda: next(contents), 1e9)
    assert [unlimited() for _ in range(3)] == [1, 2, 3]
    assert not unlimited.has_ended
