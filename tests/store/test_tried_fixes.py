"""The changes that were tried are kept for the report."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unknot.model.suite import TestId
from unknot.store.tried_fixes import TriedFix, read_tried_fixes, remember_fixes

A, B = TestId("t.py::a"), TestId("t.py::b\udcff")
words = st.text(max_size=9)


def fix(test: TestId, summary: str) -> TriedFix:
    return TriedFix(test, (B,), summary, "t.py", "12", "+one\n+two\n")


def test_what_is_written_is_read_and_newer_changes_replace_older_ones(tmp_path: Path) -> None:
    path = tmp_path / "fixes.json"
    assert read_tried_fixes(path) == ()
    remember_fixes(path, [fix(A, "first"), fix(B, "other")])
    remember_fixes(path, [fix(A, "second")])
    assert read_tried_fixes(path) == (fix(A, "second"), fix(B, "other"))


@given(st.builds(TriedFix, words.map(TestId), st.tuples(words.map(TestId)), words, words, words, words))
def test_any_text_survives(tmp_path_factory: pytest.TempPathFactory, known: TriedFix) -> None:
    path = tmp_path_factory.mktemp("state") / "fixes.json"
    remember_fixes(path, [known])
    assert read_tried_fixes(path) == (known,)


def test_a_damaged_file_counts_as_none_and_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "fixes.json"
    path.write_text("{", encoding="utf-8")
    assert read_tried_fixes(path) == ()
    remember_fixes(path, [fix(A, "first")])
    assert read_tried_fixes(path) == (fix(A, "first"),)
