"""A lock file that was changed after it was written: what it says about the tests concerned is not used."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from unknot.model.dependencies import Dependencies
from unknot.store.fingerprint import Fingerprints
from unknot.store.lock import content_from_json, dumps, read_lock_content, to_json

Edit = Callable[[dict[str, Any]], object]


@pytest.fixture
def known(small: Dependencies) -> Fingerprints:
    return Fingerprints("e", dict.fromkeys(small.suite.tests, "1"))


def test_a_file_as_it_was_written_fits(small: Dependencies, known: Fingerprints, tmp_path: Path) -> None:
    path = tmp_path / "lock.json"
    path.write_text(dumps(small, known), encoding="utf-8")
    content = read_lock_content(path)
    assert (content.fingerprints, content.altered) == (known, frozenset())
    assert dumps(content.dependencies, content.fingerprints) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "edit",
    [
        lambda lock: lock["needs"].pop(0),
        lambda lock: lock["needs"].append({**lock["needs"][0], "any_of": ["t.py::test_alone"]}),
        lambda lock: lock["conflicts"].pop(0),
        lambda lock: lock["conflicts"][0]["cleaners"].clear(),
        lambda lock: lock["outcomes"].clear(),
        lambda lock: lock["suite"][0]["tests"].reverse(),
        lambda lock: lock.update(digest="0"),
    ],
    ids=["need deleted", "need invented", "conflict deleted", "cleaners", "outcomes", "order", "digest"],
)
def test_tests_about_which_another_thing_is_said_count_as_changed(
    edit: Edit, small: Dependencies, known: Fingerprints
) -> None:
    document = to_json(small, known)
    edit(document)
    content = content_from_json(document)
    assert content.altered == frozenset(small.suite.tests)
    assert content.fingerprints == Fingerprints("e", {})


def test_other_files_keep_what_is_said_about_them(small: Dependencies, known: Fingerprints) -> None:
    half = {test: str(place < 6) for place, test in enumerate(small.suite.tests)}
    document = to_json(small, Fingerprints("e", half))
    first = {need["dependent"] for need in document["needs"]} & {*small.suite.tests[:6]}
    document["needs"] = [need for need in document["needs"] if need["dependent"] not in first]
    assert first
    assert content_from_json(document).altered == frozenset(small.suite.tests[:6])


def test_files_of_earlier_versions_have_no_digest(small: Dependencies, known: Fingerprints) -> None:
    document = to_json(small, known)
    del document["digest"]
    assert not content_from_json(document).altered
