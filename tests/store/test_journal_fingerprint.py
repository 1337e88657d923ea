"""When a test or the environment counts as changed."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unknot.model.errors import StorageError
from unknot.model.suite import TestId

# Imported as a module: pytest would collect a function of this name.
from unknot.store import fingerprint

A, B = TestId("test_a.py::test_a"), TestId("test_b.py::test_b")


def test_an_edited_file_changes_the_tests_that_name_it_and_no_others(tmp_path: Path) -> None:
    own, other, shared = tmp_path / "test_a.py", tmp_path / "test_b.py", tmp_path / "conftest.py"
    for file in (own, other, shared):
        file.write_text(file.name)
    files = {A: [own, shared], B: [other, shared]}
    before = fingerprint.test_fingerprints(files)
    own.write_text("edited")
    after_own = fingerprint.test_fingerprints(files)
    assert after_own[A] != before[A]
    assert after_own[B] == before[B]
    shared.write_text("edited")
    after_shared = fingerprint.test_fingerprints(files)
    assert after_shared[A] != after_own[A]
    assert after_shared[B] != after_own[B]


def test_the_same_contents_elsewhere_give_the_same_fingerprint(tmp_path: Path) -> None:
    for place in ("here", "there"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "test_a.py").write_text("def test_a(): ...")
    here = fingerprint.test_fingerprints({A: [tmp_path / "here" / "test_a.py"]})
    assert here == fingerprint.test_fingerprints({A: [tmp_path / "there" / "test_a.py"]})


def test_the_sequence_of_the_files_counts(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("1")
    two.write_text("2")
    prints = fingerprint.test_fingerprints({A: [one, two], B: [two, one]})
    assert prints[A] != prints[B]


def test_text_moved_from_one_file_to_the_next_is_a_change(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("ab")
    two.write_text("c")
    before = fingerprint.test_fingerprints({A: [one, two]})
    one.write_text("a")
    two.write_text("bc")
    assert fingerprint.test_fingerprints({A: [one, two]}) != before


def test_a_missing_file_counts_as_missing_and_not_as_empty(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.touch()
    assert fingerprint.file_digest(tmp_path / "nowhere") == fingerprint.MISSING
    assert fingerprint.file_digest(empty / "below a file") == fingerprint.MISSING
    assert fingerprint.file_digest(empty) != fingerprint.MISSING


def test_a_file_that_cannot_be_read_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=tmp_path.name) as caught:
        fingerprint.file_digest(tmp_path)
    assert "readable" in caught.value.hint


def test_a_test_without_files_has_a_fingerprint_too() -> None:
    assert fingerprint.test_fingerprints({A: []})[A]


@given(st.lists(st.text(st.characters())), st.lists(st.text(st.characters())))
def test_environments_are_the_same_exactly_when_their_parts_are(one: list[str], other: list[str]) -> None:
    same = fingerprint.environment_fingerprint(one) == fingerprint.environment_fingerprint(other)
    assert same == (one == other)


def test_parts_that_join_to_the_same_text_are_told_apart() -> None:
    assert fingerprint.environment_fingerprint(["ab", "c"]) != fingerprint.environment_fingerprint(["a", "bc"])
