"""The fingerprints beside the result: read back as written, absent without harm, refused when damaged."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.model.dependencies import Cost, Dependencies
from unknot.model.errors import StorageError
from unknot.report.export.result_json import result_document
from unknot.store.fingerprint import Fingerprints
from unknot.store.lock import (
    dumps,
    fingerprints_from_json,
    from_json,
    read_fingerprints,
    read_lock,
    to_json,
    write_lock,
)
from unknot.store.typed_json import Fault


def fingerprints(dependencies: Dependencies) -> Fingerprints:
    return Fingerprints("here", {test: f"print of {test}" for test in dependencies.suite.tests})


@laws(50)
@given(data=st.data())
def test_what_is_written_is_read_back_equal(
    data: st.DataObject, any_dependencies: st.SearchStrategy[Dependencies], tmp_path_factory: pytest.TempPathFactory
) -> None:
    dependencies = data.draw(any_dependencies)
    prints = st.sampled_from("abc")
    known = Fingerprints(data.draw(st.text()), {test: data.draw(prints) for test in dependencies.suite.tests})
    path = tmp_path_factory.getbasetemp() / "fingerprints.json"
    write_lock(path, dependencies, known)
    assert (read_lock(path), read_fingerprints(path)) == (replace(dependencies, seconds={}, cost=Cost()), known)
    assert dumps(read_lock(path), read_fingerprints(path)) == path.read_text(encoding="utf-8")


def test_a_document_without_them_says_so(small: Dependencies, tmp_path: Path) -> None:
    write_lock(tmp_path / "lock.json", small)
    assert read_fingerprints(tmp_path / "lock.json") is None


def test_consecutive_tests_of_one_file_share_one_entry(small: Dependencies) -> None:
    first, second, *rest = small.suite.tests
    known = Fingerprints("here", {**dict.fromkeys(rest, "two"), first: "one", second: "two"})
    document = to_json(small, known)
    assert document["environment"] == "here"
    one, two = document["suite"]
    assert one == {"file": "t.py", "fingerprint": "one", "tests": ["test_add"]}
    assert (two["fingerprint"], len(two["tests"])) == ("two", len(rest) + 1)


def test_in_the_printed_document_they_stand_last(small: Dependencies) -> None:
    document = result_document(small, fingerprints(small))
    assert list(document)[-1] == "fingerprints"
    assert list(document["fingerprints"]) == ["environment", "tests"]
    assert fingerprints_from_json(document) == fingerprints(small)


def test_single_tests_may_be_missing(small: Dependencies) -> None:
    gone = small.suite.tests[0]
    document = to_json(small, fingerprints(small))
    del document["suite"][0]["fingerprint"]
    printed = result_document(small, fingerprints(small))
    del printed["fingerprints"]["tests"][gone]
    for known in (fingerprints_from_json(document), fingerprints_from_json(printed)):
        assert known is not None
        assert set(known.tests) == set(small.suite.tests) - {gone}


@pytest.mark.parametrize(
    ("where", "value"),
    [
        ("fingerprints", 3),
        ("fingerprints.environment", {"tests": {}}),
        ("fingerprints.tests", {"environment": ""}),
        ("fingerprints.environment", {"environment": 1, "tests": {}}),
        ('fingerprints.tests["gone"]', {"environment": "", "tests": {"gone": ""}}),
        ('fingerprints.tests["t.py::test_add"]', {"environment": "", "tests": {"t.py::test_add": None}}),
    ],
)
def test_damage_is_refused_with_its_place(small: Dependencies, tmp_path: Path, where: str, value: Any) -> None:
    document = {**result_document(small), "fingerprints": value}
    with pytest.raises(Fault) as fault:
        from_json(document)
    assert fault.value.where == where
    path = tmp_path / "lock.json"
    path.write_text(dumps(small, fingerprints(small)).replace('"environment": "here"', '"environment": 1'))
    with pytest.raises(StorageError):
        read_lock(path)


@pytest.mark.parametrize("where", ["environment", "suite[0].fingerprint"])
def test_damage_to_format_2_is_refused_with_its_place(small: Dependencies, where: str) -> None:
    document = to_json(small, fingerprints(small))
    (document if where == "environment" else document["suite"][0])[where.rpartition(".")[2]] = 1
    with pytest.raises(Fault) as fault:
        from_json(document)
    assert fault.value.where == where
