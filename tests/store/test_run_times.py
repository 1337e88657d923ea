"""The file with the times of a run."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.model.errors import StorageError
from unknot.model.outcome import Outcome
from unknot.model.plan import TimelineItem
from unknot.model.suite import TestId
from unknot.store.run_times import RunTimes, read_run_times, write_run_times

_SECONDS = st.integers(0, 10**9).map(lambda number: number / 10**6)


@st.composite
def _slots(draw: st.DrawFn) -> TimelineItem:
    start = draw(_SECONDS)
    name = draw(st.text())
    return TimelineItem(
        TestId(name),
        draw(st.integers(0, 99)),
        start,
        max(start, draw(_SECONDS)),
        draw(st.none() | st.sampled_from(Outcome)),
    )


@given(st.lists(st.lists(_slots(), max_size=4).map(tuple), max_size=3).map(tuple), _SECONDS, st.text())
@laws(60)
def test_what_was_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory,
    timeline: tuple[tuple[TimelineItem, ...], ...],
    predicted: float,
    maker: str,
) -> None:
    path = tmp_path_factory.mktemp("times") / "last-run.json"
    times = RunTimes(timeline, predicted, maker)
    write_run_times(path, times)
    assert read_run_times(path) == times


def test_an_id_that_is_not_utf_8_survives(tmp_path: Path) -> None:
    times = RunTimes(((TimelineItem(TestId("test_\udcff.py::test"), 0, 0.0, 1.0),),), 1.0)
    write_run_times(tmp_path / "times", times)
    assert read_run_times(tmp_path / "times") == times


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 2}, "format: 2 is unknown"),
        ({"workers": 3}, "workers: must be a list"),
        ({"workers": [[{"test": "a", "order": 0}]]}, "workers[0][0].start: missing"),
        ({"workers": [[{"test": "a", "order": 0, "start": 2, "end": 1}]]}, "workers[0][0].end: before the start"),
        (
            {"workers": [[{"test": "a", "order": 0, "start": 0, "end": 1, "outcome": "fine"}]]},
            "workers[0][0].outcome: unknown outcome 'fine'",
        ),
        ({"predicted_seconds": -1}, "predicted_seconds: must be a number of seconds"),
    ],
)
def test_a_file_that_is_not_ours_is_named_with_its_fault(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    path = tmp_path / "last-run.json"
    path.write_text(json.dumps({"format": 1, "maker": "", "predicted_seconds": 0, "workers": [], **change}))
    with pytest.raises(StorageError) as error:
        read_run_times(path)
    assert error.value.message.startswith(f"{path}: {message}")
    assert error.value.hint


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[]"])
def test_what_cannot_be_read_is_reported(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "last-run.json"
    with pytest.raises(StorageError, match="no such file"):
        read_run_times(path)
    path.write_bytes(content)
    with pytest.raises(StorageError):
        read_run_times(path)
