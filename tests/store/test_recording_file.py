"""A recording survives the way to disk and back; what is no recording is named."""

import json
from pathlib import Path

import pytest

from unknot.model.errors import StorageError
from unknot.model.outcome import Outcome
from unknot.model.recording import Access, Account, Flow, FlowKind, Frame, Left, Location, Recording
from unknot.model.suite import TestId
from unknot.store.recording_file import dumps, read_recording

A, B = TestId("test_a.py::a"), TestId("test_a.py::b")
PLACE = Location("memory", "shop.CART['</script>\n']")
STACK = (Frame("shop.py", 3, "add"), Frame("test_a.py", 12, "a"))


def a_recording() -> Recording:
    return Recording(
        tests=(A, B),
        outcomes={A: Outcome.PASSED, B: Outcome.SKIPPED},
        accounts=(Account(PLACE, (Access(A, STACK, "{}", restored=True),), (Access(B, STACK),), "cannot be seen"),),
        flows=(Flow(FlowKind.READ_AFTER_WRITE, A, B, PLACE, STACK, (), "{…}", harmless=True),),
        left=(Left(A, PLACE, STACK, "{…}"),),
        outside={A: ("file",)},
        notes=("BIG: not looked into",),
    )


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "recording.json"
    path.write_text(dumps(a_recording()), encoding="utf-8")
    assert read_recording(path) == a_recording()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "damaged"),
        ("{", "damaged"),
        ("\x00", "damaged"),
        ("[" * 100_000, "damaged"),
        ("[]", "another version"),
        ('{"format": 99}', "another version"),
        ('{"format": 1}', "damaged"),
        (dumps(a_recording()).replace('"raw"', '"rum"'), "damaged"),
        (json.dumps(json.loads(dumps(a_recording())) | {"outcomes": []}), "damaged"),
    ],
)
def test_what_is_no_recording_is_named(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "recording.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(StorageError, match=message) as caught:
        read_recording(path)
    assert "--trace" in caught.value.hint


def test_a_missing_recording_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="no recording"):
        read_recording(tmp_path / "recording.json")
