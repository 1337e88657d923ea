"""Data files of coverage.py, as unknot reads them."""

import sqlite3
from pathlib import Path

import pytest
from coverage import CoverageData
from coverage.numbits import numbits_to_nums, nums_to_numbits
from hypothesis import given, settings
from hypothesis import strategies as st

from unknot.coverage.contexts import _unpacked, read_contexts
from unknot.model.errors import StorageError, UsageError
from unknot.model.suite import TestId


def written(path: Path, *measured: tuple[str, dict[str, list[int]]]) -> Path:
    data = CoverageData(basename=str(path))
    for context, lines in measured:
        data.set_context(context)
        data.add_lines(lines)
    data.write()
    data.close()
    return path


def test_each_test_has_its_lines_and_the_rest_ran_at_import(tmp_path: Path) -> None:
    path = written(tmp_path / "data", ("", {"a.py": [1, 2]}), ("t.py::one", {"a.py": [3], "b.py": [1]}))
    found = read_contexts(path)
    one = TestId("t.py::one")
    assert found.lines == {"a.py": {one: frozenset({3})}, "b.py": {one: frozenset({1})}}
    assert found.at_import == {"a.py": frozenset({1, 2})}
    assert found.arcs == {}
    assert found.tests == {one}
    assert found.files_of == {one: frozenset({"a.py", "b.py"})}


def test_the_phases_that_pytest_cov_keeps_apart_are_one_test(tmp_path: Path) -> None:
    phases = [
        (f"t.py::one[a|b]|{phase}", {"a.py": [line]}) for line, phase in enumerate(["setup", "run", "teardown"], 1)
    ]
    found = read_contexts(written(tmp_path / "data", *phases))
    assert found.lines == {"a.py": {TestId("t.py::one[a|b]"): frozenset({1, 2, 3})}}


def test_branches_give_lines_and_pairs(tmp_path: Path) -> None:
    data = CoverageData(basename=str(tmp_path / "data"))
    data.set_context("")
    data.add_arcs({"a.py": [(-1, 1), (1, -1)]})
    data.set_context("one")
    data.add_arcs({"a.py": [(-3, 4), (4, 5), (5, -3)]})
    data.write()
    data.close()
    found = read_contexts(tmp_path / "data")
    assert found.arcs == {"a.py": {TestId("one"): frozenset({(-3, 4), (4, 5), (5, -3)})}}
    assert found.lines == {"a.py": {TestId("one"): frozenset({4, 5})}}
    assert found.at_import == {"a.py": frozenset({1})}


@given(st.sets(st.integers(1, 3000)))
@settings(max_examples=100, deadline=None)
def test_lines_are_unpacked_as_coverage_packs_them(lines: set[int]) -> None:
    packed = nums_to_numbits(lines)
    assert _unpacked(packed) == lines == set(numbits_to_nums(packed))


def test_without_contexts_it_says_how_to_record_them(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no contexts") as caught:
        read_contexts(written(tmp_path / "data", ("", {"a.py": [1]})))
    assert "--cov-context=test" in caught.value.hint


def test_an_empty_file_is_no_data_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="it is empty"):
        read_contexts(written(tmp_path / "data", ("", {})))


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + b"x" * 200])
def test_what_is_no_database_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "some file"
    path.write_bytes(content)
    with pytest.raises(StorageError, match="some file: not a data file"):
        read_contexts(path)


def test_another_database_and_another_schema_are_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "other") as database:
        database.execute("CREATE TABLE thing (id)")
    database.close()
    with pytest.raises(StorageError, match="not a data file"):
        read_contexts(tmp_path / "other")
    path = written(tmp_path / "data", ("one", {"a.py": [1]}))
    with sqlite3.connect(path) as database:
        database.execute("UPDATE coverage_schema SET version = 99")
    database.close()
    with pytest.raises(StorageError, match="schema 99"):
        read_contexts(path)


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "data", *((f"test_{number}", {"a.py": [number]}) for number in range(1, 200)))
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(StorageError, match="data"):
        read_contexts(path)


@pytest.mark.parametrize("name", ["missing", "."])
def test_a_file_that_is_not_there_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(StorageError, match="no such file"):
        read_contexts(tmp_path / name)


def test_reading_leaves_the_file_alone_and_takes_odd_names(tmp_path: Path) -> None:
    path = written(tmp_path / "dätä #1?.x", ("one", {"a b.py": [1]}))
    before = path.read_bytes()
    assert set(read_contexts(path).lines) == {"a b.py"}
    assert path.read_bytes() == before
