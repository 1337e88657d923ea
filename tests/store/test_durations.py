"""How long tests take: kept beside the lock file, averaged by runs, assumed where nothing is known."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unknot.model.dependencies import Cost, Dependencies
from unknot.model.errors import StorageError
from unknot.model.suite import Suite, TestId
from unknot.report.export.result_json import result_json
from unknot.store.durations import (
    read_durations,
    update_durations,
    with_assumed_durations,
    with_durations,
    write_durations,
)
from unknot.store.known_result import read_known_result, write_cost
from unknot.store.lock import write_lock
from unknot.store.state_directory import StateDirectory

A, B, C = TestId("a"), TestId("b"), TestId("c")


@given(data=st.data())
def test_what_is_written_is_read_back(
    data: st.DataObject, ids: st.SearchStrategy[TestId], tmp_path_factory: pytest.TempPathFactory
) -> None:
    seconds = data.draw(st.dictionaries(ids, st.integers(0, 10**9).map(lambda number: number / 10**6)))
    path = tmp_path_factory.getbasetemp() / "durations.json"
    write_durations(path, seconds)
    assert read_durations(path) == seconds


def test_a_run_moves_a_duration_half_of_the_way_and_adds_new_tests(tmp_path: Path) -> None:
    path = tmp_path / "durations.json"
    write_durations(path, {A: 1.0, B: 4.0})
    update_durations(path, {B: 2.0, C: 5.0})
    assert read_durations(path) == {A: 1.0, B: 3.0, C: 5.0}


def test_a_run_replaces_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "durations.json"
    path.write_text("{")
    update_durations(path, {A: 2.0})
    assert read_durations(path) == {A: 2.0}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "must be an object, is a list"),
        ('{"format": 9, "seconds": {}}', "format: 9 is unknown"),
        ('{"format": 1}', "seconds: missing"),
        ('{"format": 1, "seconds": {"a": -1}}', 'seconds["a"]: must be a number of seconds'),
    ],
)
def test_damage_is_refused_with_its_place_and_the_cure(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "durations.json"
    path.write_text(text)
    with pytest.raises(StorageError) as caught:
        read_durations(path)
    assert caught.value.message.startswith(f"{path}: {message}")
    assert caught.value.hint.startswith("Delete the file")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="no such file") as caught:
        read_durations(tmp_path / "gone.json")
    assert "unknot run" in caught.value.hint


def test_a_test_without_a_duration_is_taken_to_be_as_long_as_the_median() -> None:
    known = Dependencies(Suite((A, B, C)), {}, {A: 1.0, B: 3.0})
    assert with_assumed_durations(known).seconds == {A: 1.0, B: 3.0, C: 2.0}
    assert with_assumed_durations(replace(known, seconds={})).seconds == {A: 1.0, B: 1.0, C: 1.0}


def test_durations_win_over_those_of_an_old_lock_file_and_other_tests_are_dropped() -> None:
    old = Dependencies(Suite((A, B)), {}, {A: 1.0, B: 3.0})
    assert with_durations(old, {B: 5.0, C: 9.0}).seconds == {A: 1.0, B: 5.0}


def test_a_known_result_has_times_and_the_cost_of_its_own_lock_file(small: Dependencies, tmp_path: Path) -> None:
    state, lock = StateDirectory(tmp_path / ".unknot"), tmp_path / "unknot.lock.json"
    write_lock(lock, small)
    assert read_known_result(lock, state) == replace(small, seconds={}, cost=Cost())
    write_durations(state.durations, small.seconds)
    write_cost(lock, state, small.cost)
    assert read_known_result(lock, state) == small
    write_durations(tmp_path / "shared.json", dict.fromkeys(small.suite.tests, 2.0))
    given_file = read_known_result(lock, state, tmp_path / "shared.json")
    assert set(given_file.seconds.values()) == {2.0}
    write_lock(lock, replace(small, untried=0))
    assert not read_known_result(lock, state).cost.is_known, "another lock file cost something else"


def test_an_old_lock_file_still_gives_its_times_and_costs(small: Dependencies, tmp_path: Path) -> None:
    lock = tmp_path / "unknot.lock.json"
    lock.write_text(result_json(small))
    assert read_known_result(lock, StateDirectory(tmp_path / ".unknot")) == small
