"""What is written is read back, and what is damaged is refused with the place and the cure."""

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unknot import __version__
from unknot.model.dependencies import Confidence, Dependencies
from unknot.model.errors import StorageError
from unknot.model.outcome import Outcome
from unknot.model.suite import Suite, TestId
from unknot.store.cursor import Fault
from unknot.store.lock import dumps, from_json, read_lock, to_json, write_lock

Document = dict[str, Any]

ADD = "t.py::test_add"
TOTAL = "t.py::test_total"
FLAKY = "t.py::test_flaky"


def test_the_document_has_the_shape_of_format_1(small: Dependencies) -> None:
    document = to_json(small)
    assert list(document) == [
        "format", "tool", "suite", "needs", "conflicts", "flaky", "untried", "complete", "cost",
    ]  # fmt: skip
    assert document["format"] == 1
    assert document["tool"] == f"unknot {__version__}"
    assert list(document["suite"]) == ["tests", "outcomes", "seconds"]
    assert document["needs"][0] == {
        "dependent": "t.py::test_total",
        "any_of": ["t.py::test_add"],
        "proof": {
            "passes": ["t.py::test_add", "t.py::test_total"],
            "fails": ["t.py::test_total"],
        },
        "why": ["reads shop.cart, written by test_add"],
    }
    assert document["needs"][1]["complete"] is False
    assert list(document["conflicts"][0]) == ["victim", "polluters", "cleaners", "proof", "why"]
    assert document["cost"] == {"algorithm": "sieve", "orders": 17, "tests": 1234, "seconds": 2.5}


def test_the_file_is_made_to_be_committed(small: Dependencies, tmp_path: Path) -> None:
    path = tmp_path / "unknot.lock.json"
    write_lock(path, small)
    text = path.read_text(encoding="utf-8")
    assert text.endswith("}\n")
    assert text.startswith('{\n "format": 1,\n "tool"')
    assert text == dumps(small)


def test_ids_are_readable_in_the_file(hostile: Dependencies) -> None:
    assert "test_ж[日本語]" in dumps(hostile)


def test_seconds_are_rounded_to_a_microsecond() -> None:
    test = TestId("a")
    document = to_json(Dependencies(Suite((test,)), {test: Outcome.PASSED}, {test: 0.12345678}))
    assert document["suite"]["seconds"] == {"a": 0.123457}


def test_a_test_never_run_is_written_so_that_it_can_be_read() -> None:
    read = from_json(to_json(Dependencies(Suite((TestId("a"),)), {}, {})))
    assert read.outcomes == {"a": Outcome.NOT_RUN}
    assert read.seconds == {"a": 0.0}


@given(data=st.data())
def test_what_is_written_is_read_back_equal(
    data: st.DataObject, any_dependencies: st.SearchStrategy[Dependencies], tmp_path_factory: pytest.TempPathFactory
) -> None:
    dependencies = data.draw(any_dependencies)
    path = tmp_path_factory.getbasetemp() / "round-trip.json"
    write_lock(path, dependencies)
    assert read_lock(path) == dependencies
    assert dumps(read_lock(path)) == path.read_text(encoding="utf-8")


def test_members_that_format_1_does_not_know_are_passed_over(small: Dependencies) -> None:
    document = to_json(small)
    document["later"] = document["suite"]["later"] = document["needs"][0]["later"] = 1
    assert from_json(document) == small


def test_a_byte_order_mark_does_no_harm(small: Dependencies, tmp_path: Path) -> None:
    path = tmp_path / "unknot.lock.json"
    path.write_text(dumps(small), encoding="utf-8-sig")
    assert read_lock(path) == small


def test_how_sure_it_is_that_a_test_is_flaky_stands_after_the_flaky_tests(small: Dependencies) -> None:
    known = replace(small, confidence={small.flaky[0]: Confidence(0.99912345, 3, 27)})
    document = to_json(known)
    assert document["confidence"] == {"t.py::test_flaky": {"sure": 0.999123, "differed": 3, "runs": 27}}
    assert list(document).index("confidence") == list(document).index("flaky") + 1
    assert from_json(document).confidence == {"t.py::test_flaky": Confidence(0.999123, 3, 27)}


@pytest.mark.parametrize(
    ("where", "entry"),
    [
        ('confidence["t.py::test_add"]', {ADD: {"sure": 1, "differed": 1, "runs": 2}}),
        ('confidence["t.py::test_flaky"].sure', {FLAKY: {"sure": 1.5, "differed": 1, "runs": 2}}),
        ('confidence["t.py::test_flaky"].sure', {FLAKY: {"differed": 1, "runs": 2}}),
        ('confidence["t.py::test_flaky"].differed', {FLAKY: {"sure": 1, "differed": 3, "runs": 2}}),
        ('confidence["t.py::test_flaky"].runs', {FLAKY: {"sure": 1, "differed": 0, "runs": -1}}),
        ("confidence", []),
    ],
)
def test_damaged_confidence_is_refused_with_its_place(where: str, entry: object, small: Dependencies) -> None:
    with pytest.raises(Fault) as caught:
        from_json(to_json(small) | {"confidence": entry})
    assert caught.value.where == where


BROKEN: list[tuple[str, Callable[[Document], object]]] = [
    ("format", lambda d: d.pop("format")),
    ("format", lambda d: d.update(format="1")),
    ("format", lambda d: d.update(format=True)),
    ("format", lambda d: d.update(format=0)),
    ("tool", lambda d: d.pop("tool")),
    ("tool", lambda d: d.update(tool=7)),
    ("suite", lambda d: d.update(suite=[])),
    ("suite.tests", lambda d: d["suite"].pop("tests")),
    ("suite.tests", lambda d: d["suite"].update(tests="a")),
    ("suite.tests[1]", lambda d: d["suite"]["tests"].insert(1, None)),
    ("suite.tests[1]", lambda d: d["suite"]["tests"].insert(1, ADD)),
    ("suite.outcomes", lambda d: d["suite"].update(outcomes=[])),
    (f'suite.outcomes["{ADD}"]', lambda d: d["suite"]["outcomes"].pop(ADD)),
    (f'suite.outcomes["{ADD}"]', lambda d: d["suite"]["outcomes"].update({ADD: "green"})),
    ('suite.outcomes["gone"]', lambda d: d["suite"]["outcomes"].update(gone="passed")),
    (f'suite.seconds["{ADD}"]', lambda d: d["suite"]["seconds"].pop(ADD)),
    (f'suite.seconds["{ADD}"]', lambda d: d["suite"]["seconds"].update({ADD: -1})),
    (f'suite.seconds["{ADD}"]', lambda d: d["suite"]["seconds"].update({ADD: "1"})),
    (f'suite.seconds["{ADD}"]', lambda d: d["suite"]["seconds"].update({ADD: False})),
    (f'suite.seconds["{ADD}"]', lambda d: d["suite"]["seconds"].update({ADD: 10**400})),
    ('suite.seconds["gone"]', lambda d: d["suite"]["seconds"].update(gone=1)),
    ("needs", lambda d: d.pop("needs")),
    ("needs", lambda d: d.update(needs={})),
    ("needs[1]", lambda d: d["needs"].insert(1, [])),
    ("needs[0].dependent", lambda d: d["needs"][0].pop("dependent")),
    ("needs[0].dependent", lambda d: d["needs"][0].update(dependent="gone")),
    ("needs[1].any_of", lambda d: d["needs"][1].pop("any_of")),
    ("needs[1].any_of", lambda d: d["needs"][1].update(any_of=[])),
    ("needs[1].any_of", lambda d: d["needs"][1].update(any_of=ADD)),
    ("needs[1].any_of[1]", lambda d: d["needs"][1].update(any_of=[ADD, "gone"])),
    ("needs[1].any_of[1]", lambda d: d["needs"][1].update(any_of=[ADD, ADD])),
    ("needs[0].any_of", lambda d: d["needs"][0].update(any_of=[TOTAL])),
    ("needs[0].proof", lambda d: d["needs"][0].pop("proof")),
    ("needs[0].proof.passes", lambda d: d["needs"][0]["proof"].pop("passes")),
    ("needs[0].proof.passes", lambda d: d["needs"][0]["proof"].update(passes=[ADD])),
    ("needs[0].proof.fails", lambda d: d["needs"][0]["proof"].update(fails=[])),
    ("needs[0].proof.fails[0]", lambda d: d["needs"][0]["proof"].update(fails=["gone", TOTAL])),
    ("needs[0].why", lambda d: d["needs"][0].pop("why")),
    ("needs[0].why[0]", lambda d: d["needs"][0].update(why=[1])),
    ("needs[1].complete", lambda d: d["needs"][1].update(complete="no")),
    ("conflicts", lambda d: d.update(conflicts=None)),
    ("conflicts[0].victim", lambda d: d["conflicts"][0].update(victim="gone")),
    ("conflicts[0].polluters", lambda d: d["conflicts"][0].update(polluters=[])),
    ("conflicts[0].cleaners[0]", lambda d: d["conflicts"][0].update(cleaners=["gone"])),
    ("conflicts[0].cleaners", lambda d: d["conflicts"][0].pop("cleaners")),
    ("conflicts[2].proof.fails", lambda d: d["conflicts"][2]["proof"].update(fails=[ADD])),
    ("flaky[0]", lambda d: d.update(flaky=["gone"])),
    ("flaky", lambda d: d.pop("flaky")),
    ("untried", lambda d: d.update(untried=-1)),
    ("untried", lambda d: d.update(untried=1.5)),
    ("untried", lambda d: d.update(untried=True)),
    ("complete", lambda d: d.update(complete=1)),
    ("cost", lambda d: d.pop("cost")),
    ("cost.algorithm", lambda d: d["cost"].update(algorithm=None)),
    ("cost.orders", lambda d: d["cost"].pop("orders")),
    ("cost.tests", lambda d: d["cost"].update(tests="many")),
    ("cost.seconds", lambda d: d["cost"].update(seconds=[])),
]


@pytest.mark.parametrize(("where", "damage"), BROKEN, ids=[f"{n}-{where}" for n, (where, _) in enumerate(BROKEN)])
def test_damage_is_refused_with_its_place_and_the_cure(
    where: str, damage: Callable[[Document], object], small: Dependencies, tmp_path: Path
) -> None:
    document = copy.deepcopy(to_json(small))
    damage(document)
    path = tmp_path / "unknot.lock.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(StorageError) as caught:
        read_lock(path)
    assert caught.value.message.startswith(f"{path}: {where}: ")
    assert caught.value.hint == "run unknot detect again"
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "not JSON"),
        (b"<<<<<<< HEAD\n{}", "not JSON: Expecting value, line 1 column 1"),
        (b'{"format": 1,', "not JSON"),
        (b'{"format": NaN}', "NaN is no number"),
        (b'{"format": 1, "format": 1}', 'the key "format" stands twice'),
        (b'{"format": ' + b"9" * 5000 + b"}", "a number too large"),
        (b"[" * 200_000, "not JSON"),
        (b"[]", "must be an object, is a list"),
        (b"null", "must be an object, is null"),
        (b"\xff\xfe{}", "not UTF-8"),
    ],
    ids=lambda value: value.decode("latin-1")[:20] if isinstance(value, bytes) else None,
)
def test_what_is_not_a_document_is_refused(content: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "unknot.lock.json"
    path.write_bytes(content)
    with pytest.raises(StorageError) as caught:
        read_lock(path)
    assert caught.value.message.startswith(f"{path}: ")
    assert said in caught.value.message
    assert caught.value.hint == "run unknot detect again"


def test_a_newer_format_asks_for_an_upgrade(small: Dependencies, tmp_path: Path) -> None:
    path = tmp_path / "unknot.lock.json"
    # Only the number is looked at: nothing else of a newer format can be relied on.
    path.write_text('{"format": 2}')
    with pytest.raises(StorageError, match="format: 2 was written by a newer unknot") as caught:
        read_lock(path)
    assert caught.value.hint == "upgrade unknot"


def test_a_missing_file_asks_for_a_detection(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="no such file") as caught:
        read_lock(tmp_path / "unknot.lock.json")
    assert caught.value.hint == "run unknot detect first"


def test_a_directory_is_no_lock_file(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot read") as caught:
        read_lock(tmp_path)
    assert caught.value.hint


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=3),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["format", "suite", "tests", "needs", "x"]), inner, max_size=4)
        ),
        max_leaves=8,
    )
)
def test_no_document_makes_reading_fail_in_another_way(document: object) -> None:
    with pytest.raises(Fault):
        from_json(document)
