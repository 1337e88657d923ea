"""When each test of the last run really ran, and on which worker: a file beside the journal, for pictures of a run."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unknot.model.plan import Timeline, TimelineItem
from unknot.store.atomic import write_atomically
from unknot.store.lock import DIGITS
from unknot.store.typed_json import PLAIN, ErrorTemplate, Fault, JsonReader, Problem, explained, load

_FORMAT = 1
_ERRORS: Mapping[Problem, ErrorTemplate] = {
    "missing": ErrorTemplate(slug="file-not-found", hint="`unknot run` writes it"),
    "damaged": ErrorTemplate(slug="file-invalid", hint="run `unknot run` again, or delete the file"),
}


@dataclass(frozen=True)
class RunTimes:
    """`timeline[w]` is what worker w ran, from first to last, in seconds since the tests began; its slots count the
    orders that this worker took. A test that was run again, after a worker had died or to find out why it failed, has
    a slot for each time. `predicted_seconds` is what the plan had promised for the part that it planned, `maker` who
    made the plan."""

    timeline: Timeline
    predicted_seconds: float
    maker: str = ""

    @property
    def seconds(self) -> float:
        """Until the last worker was done."""
        return max((slot.end for worker in self.timeline for slot in worker), default=0.0)


def write_run_times(path: Path, times: RunTimes) -> None:
    """Replace the file whole or not at all. Raises StorageError."""
    document = {
        "format": _FORMAT,
        "maker": times.maker,
        "predicted_seconds": round(times.predicted_seconds, DIGITS),
        "workers": [[_slot(slot) for slot in worker] for worker in times.timeline],
    }
    write_atomically(path, json.dumps(document, separators=(",", ":"), allow_nan=False) + "\n")


def read_run_times(path: Path) -> RunTimes:
    """What `write_run_times` wrote, but for seconds beyond a microsecond. Raises StorageError, which names the file,
    the first fault and what to do."""
    with explained(path, _ERRORS):
        document = load(path, known_format=_FORMAT)
        timeline = JsonReader(checks={TimelineItem: _check_slot}).read(Timeline, document, "workers")
        predicted_seconds = PLAIN.read(float, document, "predicted_seconds")
        return RunTimes(timeline, predicted_seconds, PLAIN.read(str, document, "maker"))


def _slot(slot: TimelineItem) -> dict[str, Any]:
    return {
        "test": slot.test,
        "order": slot.order,
        "start": round(slot.start, DIGITS),
        "end": round(slot.end, DIGITS),
        **({"outcome": slot.outcome.value} if slot.outcome is not None else {}),
    }


def _check_slot(slot: TimelineItem) -> None:
    if slot.end < slot.start:
        raise Fault("before the start", ".end")
