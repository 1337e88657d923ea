"""Untrusted JSON becomes typed values, or one fault with its place."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unknot.model.errors import StorageError, UsageError
from unknot.model.outcome import Outcome
from unknot.model.suite import Order, TestId
from unknot.store.typed_json import PLAIN, ErrorTemplate, Fault, JsonReader, explained, load, parsed, pick, to_rows


@dataclass(frozen=True)
class Inner:
    test: TestId
    seconds: float = 0.0


@dataclass(frozen=True)
class Outer:
    name: str
    inner: tuple[Inner, ...] = ()
    outcomes: Mapping[TestId, Outcome] = field(default_factory=dict)
    words: frozenset[str] = frozenset()
    count: int | None = None


def test_a_document_is_read_as_its_type() -> None:
    text = (
        '{"name": "n", "inner": [{"test": "a", "seconds": 2}], "outcomes": {"a": "failed"}, "words": ["x"], "new": 1}'
    )
    assert PLAIN.read(Outer, parsed(text)) == Outer(
        "n", (Inner(TestId("a"), 2.0),), {TestId("a"): Outcome.FAILED}, frozenset({"x"})
    )


@pytest.mark.parametrize(
    ("document", "fault"),
    [
        ([], "must be an object, is a list"),
        ({}, "name: missing"),
        ({"name": None}, "name: must be a string, is null"),
        ({"name": "n", "inner": {}}, "inner: must be a list, is an object"),
        ({"name": "n", "inner": [{"test": "a"}, {}]}, "inner[1].test: missing"),
        (
            {"name": "n", "inner": [{"test": "a", "seconds": True}]},
            "inner[0].seconds: must be a number of seconds, 0 or",
        ),
        ({"name": "n", "inner": [{"test": "a", "seconds": float("nan")}]}, "inner[0].seconds: must be a number"),
        ({"name": "n", "inner": [{"test": "a", "seconds": 10**400}]}, "is a number too large"),
        (
            {"name": "n", "outcomes": {"a\x1b": "green"}},
            "outcomes[\"a\\x1b\"]: unknown outcome 'green'; known are passed,",
        ),
        ({"name": "n", "words": ["x", 1]}, "words[1]: must be a string, is the number 1"),
        ({"name": "n", "count": -1}, "count: must be a whole number, 0 or more, is the number -1"),
        ({"name": "n", "count": 1.0}, "count: must be a whole number, 0 or more"),
        ({"name": "n", "count": False}, "is false"),
    ],
)
def test_the_first_fault_is_named_with_its_place(document: object, fault: str) -> None:
    with pytest.raises(Fault) as caught:
        PLAIN.read(Outer, document)
    assert fault in str(caught.value)


def test_a_member_can_be_read_alone() -> None:
    document = {"a": {"b": ["x"]}}
    assert PLAIN.read(tuple[str, ...], document, "a", "b") == ("x",)
    for members, where in ((("a", "c"), "a.c"), (("a", "b", "c"), "a.b")):
        with pytest.raises(Fault) as caught:
            PLAIN.read(str, document, *members)
        assert caught.value.where == where


def test_types_can_be_read_specially_checked_and_required() -> None:
    def check(inner: Inner) -> None:
        if inner.seconds > 9:
            raise Fault("too long", ".seconds")

    reader = JsonReader(special={TestId: pick("ab")}, checks={Inner: check}, required={Inner: ("seconds",)})
    assert reader.read(Inner, {"test": 1, "seconds": 3}) == Inner(TestId("b"), 3.0)
    for document, where in (({"test": 2, "seconds": 3}, "test"), ({"test": 0, "seconds": 10}, "seconds")):
        with pytest.raises(Fault) as caught:
            reader.read(Inner, document)
        assert caught.value.where == where
    with pytest.raises(Fault, match="missing"):
        reader.read(Inner, {"test": 0})


@given(st.lists(st.builds(Inner, st.text().map(TestId), st.integers(0, 10**9).map(float))))
def test_rows_are_read_back(values: list[Inner]) -> None:
    tests: Order = tuple(dict.fromkeys(value.test for value in values))
    rows = to_rows(values, {TestId: tests.index})
    reader = JsonReader(special={TestId: pick(tests)}, rows=(Inner,))
    assert reader.read(tuple[Inner, ...], rows) == tuple(values)


@pytest.mark.parametrize(("row", "fault"), [([0], "must have 2 members, has 1"), ({}, "must be a list, is an object")])
def test_a_row_has_all_fields(row: object, fault: str) -> None:
    with pytest.raises(Fault, match=fault):
        JsonReader(rows=(Inner,)).read(Inner, row)


@dataclass(frozen=True)
class Nested:
    name: str = ""
    pair: tuple[str, int] | None = None
    inner: "Nested | None" = None


@dataclass(frozen=True)
class Around:
    nested: Nested
    more: bool = False


def test_a_type_may_hold_itself_and_pairs_have_two_members() -> None:
    document = {"name": "a", "inner": {"pair": ["b", 2]}}
    assert JsonReader().read(Nested, document) == Nested("a", inner=Nested(pair=("b", 2)))
    with pytest.raises(Fault, match=r"^inner.pair: must have 2 members, has 1$"):
        JsonReader().read(Nested, {"inner": {"pair": ["b"]}})
    deep: dict[str, Any] = {}
    for _ in range(2000):
        deep = {"inner": deep}
    with pytest.raises(Fault, match="nested too deeply"):
        JsonReader().read(Nested, deep)


def test_members_of_a_member_may_stand_beside_the_others() -> None:
    reader = JsonReader(inlined={Around: ("nested",)}, strict=True)
    assert reader.read(Around, {"name": "a", "more": True}) == Around(Nested("a"), True)
    with pytest.raises(Fault, match=r"^name: must be a string, is the number 1$"):
        reader.read(Around, {"name": 1})
    with pytest.raises(Fault, match=r"^nested: unknown; known here are inner, more, name, pair$"):
        reader.read(Around, {"nested": {}})


def test_a_strict_reader_knows_all_members() -> None:
    assert JsonReader().read(Nested, {"nmae": ""}) == Nested()
    with pytest.raises(Fault, match=r"^inner.nmae: unknown; known here are inner, name, pair$"):
        JsonReader(strict=True).read(Nested, {"inner": {"nmae": ""}})


def test_lone_surrogates_are_values_like_any_other() -> None:
    assert parsed('{"\\udcff": "\\ud800"}') == {"\udcff": "\ud800"}


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (None, UsageError, "there is no such file"),
        (b"\xff", StorageError, "not UTF-8 (byte 0)"),
        (b'{"format": 2}', StorageError, "format: 2 is unknown; this unknot knows format 1"),
        (b'{"format": true}', StorageError, "format: must be a whole number, 0 or more, is true"),
        (b'\xef\xbb\xbf{"format": 1, "a": {"b": 1, "b": 1}}', StorageError, 'the key "b" stands twice in one object'),
        (b" " * 2_000_001, StorageError, "more than 2 MB"),
    ],
)
def test_a_file_is_explained(content: bytes | None, error: type[Exception], message: str, tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    if content is not None:
        path.write_bytes(content)
    explanations: dict[Any, ErrorTemplate] = {
        "missing": ErrorTemplate(slug="file-not-found", hint="make one", error=UsageError),
        "damaged": ErrorTemplate(slug="file-invalid", hint="mend it"),
    }
    with pytest.raises(error) as caught, explained(path, explanations):
        load(path, known_format=1, most_bytes=2_000_000)
    assert str(caught.value) == f"{path}: {message}"
