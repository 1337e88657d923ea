"""Slots that list the suite and stay for its first orders."""

import textwrap
from pathlib import Path

import pytest

from unknot.model.errors import CollectionError, RunnerError
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest
from unknot.runners.pytest.open_suite import open_suite
from unknot.runners.settings import Settings


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("LOG", str(tmp_path / "log"))
    directory = tmp_path / "project"
    directory.mkdir()
    (directory / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    return directory


def write_suite(project: Path, text: str) -> None:
    (project / "test_it.py").write_text(textwrap.dedent(text), encoding="utf-8")


COLLECTED_ONCE_EACH = """
    import os
    with open(os.environ["LOG"], "a") as log:
        print(os.environ["UNKNOT_WORKER"], file=log)
    box = []
    def test_sets(): box.append(1)
    def test_needs(): assert box
"""


def test_who_has_listed_the_suite_answers(project: Path, tmp_path: Path) -> None:
    write_suite(project, COLLECTED_ONCE_EACH)
    with open_suite(Settings(project, workers=2), prestarted=2) as opened:
        sets, needs = opened.collected.suite.tests
        assert opened.forks
        runs = list(
            opened.runner.run_in_turn([OrderRequest((sets, needs)), OrderRequest((needs,)), OrderRequest((needs,), 1)])
        )
    passed, failed = Outcome.PASSED, Outcome.FAILED
    assert sorted([each.outcome for each in run.results] for run in runs) == [[failed], [failed], [passed, passed]]
    assert len((tmp_path / "log").read_text().splitlines()) == 2


def test_others_are_opened_when_they_are_needed(project: Path, tmp_path: Path) -> None:
    write_suite(project, COLLECTED_ONCE_EACH)
    with open_suite(Settings(project, workers=2), prestarted=1) as opened:
        assert len((tmp_path / "log").read_text().splitlines()) == 1
        orders = [OrderRequest(opened.collected.suite.tests, attempt) for attempt in range(6)]
        assert len(list(opened.runner.run_in_turn(orders))) == 6


def test_a_new_slot_need_not_be_renewed(project: Path, tmp_path: Path) -> None:
    write_suite(project, COLLECTED_ONCE_EACH)
    with open_suite(Settings(project, workers=1), prestarted=1) as opened:
        oracle = opened.runner
        request = OrderRequest(opened.collected.suite.tests)
        oracle.on_one_slot([request], renewed=True)
        assert len((tmp_path / "log").read_text().splitlines()) == 1
        oracle.on_one_slot([request], renewed=True)
        assert len((tmp_path / "log").read_text().splitlines()) == 2


def test_ids_may_differ_from_slot_to_slot(project: Path) -> None:
    """Tests are known by their place then, and each slot has its own names for them."""
    write_suite(
        project,
        """
        import os, pytest
        @pytest.mark.parametrize("pid", [os.getpid()])
        def test_fails(pid): assert not pid
        def test_passes(): pass
        """,
    )
    with open_suite(Settings(project, workers=2), prestarted=2) as opened:
        order = opened.collected.suite.tests
        runs = list(opened.runner.run_in_turn([OrderRequest(order, attempt) for attempt in range(4)]))
    outcomes = [[each.outcome for each in run.results] for run in runs]
    assert outcomes == [[Outcome.FAILED, Outcome.PASSED]] * 4


def test_slots_that_find_other_tests_are_refused(project: Path) -> None:
    write_suite(
        project,
        """
        import os
        try:
            os.mkdir(os.environ["LOG"])
            def test_first(): pass
        except FileExistsError:
            def test_other(): pass
        """,
    )
    with (
        pytest.raises(RunnerError, match=r"collects other tests on a worker: \S+ is not there"),
        open_suite(Settings(project, workers=2), prestarted=2),
    ):
        pass


def test_a_suite_that_cannot_be_collected_gives_the_usual_error(project: Path) -> None:
    write_suite(project, "import no_such_module_anywhere")
    with (
        pytest.raises(CollectionError, match="no_such_module_anywhere") as raised,
        open_suite(Settings(project, workers=2), prestarted=2),
    ):
        pass
    assert raised.value.hint
