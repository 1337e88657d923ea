"""When each test of the last run really ran, and on which worker: a file beside the journal, for pictures of a run."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unknot.model.errors import StorageError
from unknot.model.outcome import Outcome
from unknot.model.plan import Timeline, TimelineItem
from unknot.model.sanitise import shown
from unknot.model.suite import TestId
from unknot.store.atomic import write_atomically
from unknot.store.cursor import Cursor, Fault
from unknot.store.json_document import parsed

_FORMAT = 1
_DIGITS = 6
_AGAIN = "run `unknot run` again, or delete the file"


@dataclass(frozen=True)
class RunTimes:
    """`timeline[w]` is what worker w ran, from first to last, in seconds since the tests began; its slots count the
    orders that this worker took. A test that was run again, after a worker had died or to find out why it failed, has
    a slot for each time. `predicted_seconds` is what the plan had promised for the part that it planned, `maker` who
    made the plan."""

    timeline: Timeline
    predicted_seconds: float
    maker: str = ""


def write_run_times(path: Path, times: RunTimes) -> None:
    """Replace the file whole or not at all. Raises StorageError."""
    document = {
        "format": _FORMAT,
        "maker": times.maker,
        "predicted_seconds": round(times.predicted_seconds, _DIGITS),
        "workers": [[_slot(slot) for slot in worker] for worker in times.timeline],
    }
    write_atomically(path, json.dumps(document, separators=(",", ":"), allow_nan=False) + "\n")


def read_run_times(path: Path) -> RunTimes:
    """What `write_run_times` wrote, but for seconds beyond a microsecond. Raises StorageError, which names the file,
    the first fault and what to do."""
    try:
        return _times(Cursor(parsed(path.read_text(encoding="utf-8"))))
    except FileNotFoundError as error:
        raise StorageError(
            f"{path}: there is no such file", hint="`unknot run` writes it", slug="file-not-found"
        ) from error
    except OSError as error:
        raise StorageError(
            f"cannot read {path}: {error.strerror or error}", hint=_AGAIN, slug="file-unreadable"
        ) from error
    except (UnicodeDecodeError, Fault) as fault:
        raise StorageError(f"{path}: {fault}", hint=_AGAIN, slug="file-invalid") from fault


def _slot(slot: TimelineItem) -> dict[str, Any]:
    return {
        "test": slot.test,
        "order": slot.order,
        "start": round(slot.start, _DIGITS),
        "end": round(slot.end, _DIGITS),
        **({"outcome": slot.outcome.value} if slot.outcome is not None else {}),
    }


def _times(root: Cursor) -> RunTimes:
    number = root.member("format")
    if number.count() != _FORMAT:
        raise number.fault(f"{number.count()} is unknown; this unknot knows format {_FORMAT}")
    timeline = tuple(tuple(_read(slot) for slot in worker.items()) for worker in root.member("workers").items())
    return RunTimes(timeline, root.member("predicted_seconds").seconds(), root.member("maker").text())


def _read(item: Cursor) -> TimelineItem:
    start, end = item.member("start"), item.member("end")
    if end.seconds() < start.seconds():
        raise end.fault("before the start")
    outcome = _outcome(item.member("outcome")) if "outcome" in item.object() else None
    return TimelineItem(
        TestId(item.member("test").text()), item.member("order").count(), start.seconds(), end.seconds(), outcome
    )


def _outcome(item: Cursor) -> Outcome:
    try:
        return Outcome(item.text())
    except ValueError:
        raise item.fault(f"unknown outcome {shown(item.text())!r}") from None
