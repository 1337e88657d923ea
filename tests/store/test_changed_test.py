"""Which tests count as changed after an edit of their file."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.suite import Suite, TestId

# Imported as modules: pytest would collect functions of such names.
from unknot.store import fingerprint, lock
from unknot.store.test_source import divided

NAMES = ("test_one", "test_two[a]", "test_two[b]", "TestGroup::test_three")
TEXT = '''\
"""A file.

# not a comment
"""
import pytest

LIMIT = 3


def helper():
    return LIMIT


# --- the first
@pytest.mark.slow
def test_one():
    assert helper() == 3


@pytest.mark.parametrize("letter", ["a", "b"])
def test_two(letter):
    """Of two."""
    assert letter


class TestGroup:
    size = 2

    def test_three(self):
        assert self.size == 2
'''
ALL = set(NAMES)


def changed_by(folder: Path, *edits: tuple[str, str], text: str = TEXT) -> set[str]:
    """The tests whose fingerprint is another one after these replacements."""
    file = folder / "test_it.py"
    found = []
    after = text
    for old, new in edits:
        assert old in after
        after = after.replace(old, new)
    for content in (text, after):
        file.write_text(content, encoding="utf-8")
        found.append(fingerprint.test_fingerprints({TestId(f"test_it.py::{name}"): [file] for name in NAMES}))
    return {name for name in NAMES if len({one[TestId(f"test_it.py::{name}")] for one in found}) == 2}


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("assert helper() == 3", "assert helper() < 4", {"test_one"}),
        ("pytest.mark.slow", "pytest.mark.fast", {"test_one"}),
        ('["a", "b"]', '["a", "b", "c"]', {"test_two[a]", "test_two[b]"}),
        ("Of two.", "Of both.", {"test_two[a]", "test_two[b]"}),
        ("self.size == 2", "self.size > 1", {"TestGroup::test_three"}),
        ("# --- the first", "# --- the very first\n\n", set()),
        ("class TestGroup:", "def test_new():\n    pass\n\n\nclass TestGroup:", set()),
        ("return LIMIT", "return LIMIT + 1", ALL),
        ("LIMIT = 3", "LIMIT = 4", ALL),
        ("size = 2", "size = 3", ALL),
        ("# not a comment", "# not any comment", ALL),
        ("def helper", "test_one_again = test_one\n\n\ndef helper", ALL),
    ],
)
def test_an_edit_changes_the_tests_that_it_can_change(tmp_path: Path, old: str, new: str, changed: set[str]) -> None:
    assert changed_by(tmp_path, (old, new)) == changed


@pytest.mark.parametrize(
    "more",
    ["@registered\n", "@pytest.fixture(autouse=True)\n", "@pytest.mark.slow\n@registered\n"],
)
def test_a_function_with_a_decorator_that_may_do_something_counts_for_all_tests(tmp_path: Path, more: str) -> None:
    text = TEXT.replace("@pytest.mark.slow\n", more)
    assert changed_by(tmp_path, ("assert helper() == 3", "assert helper() < 4"), text=text) == ALL


def test_which_tests_are_selected_does_not_matter(tmp_path: Path) -> None:
    file = tmp_path / "test_it.py"
    file.write_text(TEXT, encoding="utf-8")
    tests = [TestId(f"test_it.py::{name}") for name in NAMES]
    one_by_one = [fingerprint.test_fingerprints({test: [file]})[test] for test in tests]
    together = fingerprint.test_fingerprints({test: [file] for test in tests})
    assert one_by_one == [together[test] for test in tests]


def test_a_default_value_counts_for_all_tests(tmp_path: Path) -> None:
    assert changed_by(tmp_path, ("def test_one():", "def test_one(when=LIMIT.append(1)):")) == ALL


@pytest.mark.parametrize(
    "mention",
    ["CHOSEN = test_one", 'CHOSEN = "test_one"', "def again():\n    test_one()", "from other import test_one"],
)
def test_a_test_that_the_file_names_elsewhere_counts_for_all(tmp_path: Path, mention: str) -> None:
    text = f"{TEXT}\n\n{mention}\n"
    assert changed_by(tmp_path, ("assert helper() == 3", "assert helper() < 4"), text=text) == ALL


def test_an_inherited_test_changes_with_everything_in_the_file(tmp_path: Path) -> None:
    text = TEXT.replace("class TestGroup:", "class Base:").replace("assert self.size", "assert self.size") + (
        "\n\nclass TestGroup(Base):\n    pass\n"
    )
    for edit in ("self.size == 2", "self.size > 1"), ("# --- the first", "# ---"), ("helper() == 3", "helper() < 4"):
        assert "TestGroup::test_three" in changed_by(tmp_path, edit, text=text)


def test_of_two_functions_of_one_name_neither_has_a_part_of_its_own(tmp_path: Path) -> None:
    text = f"{TEXT}\n\ndef test_one():\n    pass\n"
    assert changed_by(tmp_path, ("assert helper() == 3", "assert helper() < 4"), text=text) == ALL


def test_a_file_that_is_no_python_counts_as_a_whole(tmp_path: Path) -> None:
    assert changed_by(tmp_path, ("# --- the first", "# ---"), text=f"{TEXT}\nthis is no Python\n") == ALL


@given(st.text(st.characters(codec="utf-8"), max_size=80))
def test_any_text_has_a_fingerprint(text: str) -> None:
    found = divided(text.encode())
    assert all(name.rpartition("::")[2].startswith("test") for name in found.own)


def test_the_lock_file_names_a_file_and_what_its_tests_share_once(tmp_path: Path) -> None:
    file = tmp_path / "test_it.py"
    file.write_text(TEXT, encoding="utf-8")
    tests = tuple(TestId(f"test_it.py::{name}") for name in NAMES)
    fingerprints = fingerprint.Fingerprints("here", fingerprint.test_fingerprints({test: [file] for test in tests}))
    outcomes = dict.fromkeys(tests, Outcome.PASSED)
    document = lock.to_json(Dependencies(Suite(tests), outcomes, {}, (), (), ()), fingerprints)
    (group,) = document["suite"]
    assert group["tests"] == list(NAMES)
    assert set(group["own"]) == {"test_one", "test_two", "TestGroup::test_three"}
    assert lock.fingerprints_from_json(document) == fingerprints
