"""The recording on disk, in the state directory: `recording.json`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, TypeVar

from unknot.model.outcome import Outcome
from unknot.model.recording import Access, Account, Flow, FlowKind, Frame, Left, Location, Recording, Stack
from unknot.model.suite import TestId
from unknot.store.stored import Stored

FORMAT = 1

_T = TypeVar("_T")

_HINT = "`unknot detect --trace` records the suite"


def dumps(recording: Recording) -> str:
    stacks = _Numbered[Stack](lambda stack: [[frame.file, frame.line, frame.function] for frame in stack])
    locations = _Numbered[Location](lambda location: [location.kind, location.name])

    def access(one: Access) -> list[object]:
        return [one.test, stacks.number(one.stack), one.shown, one.restored]

    document = {
        "format": FORMAT,
        "outcomes": {test: recording.outcomes[test].value for test in recording.tests if test in recording.outcomes},
        "tests": list(recording.tests),
        "accounts": [
            [locations.number(a.location), list(map(access, a.writes)), list(map(access, a.reads)), a.unseen]
            for a in recording.accounts
        ],
        "flows": [
            [
                flow.kind.value,
                flow.writer,
                flow.reader,
                locations.number(flow.location),
                stacks.number(flow.written),
                stacks.number(flow.read),
                flow.shown,
                flow.harmless,
            ]
            for flow in recording.flows
        ],
        "left": [[x.test, locations.number(x.location), stacks.number(x.written), x.shown] for x in recording.left],
        "outside": {test: list(what) for test, what in recording.outside.items()},
        "notes": list(recording.notes),
        "stacks": stacks.values,
        "locations": locations.values,
    }
    return json.dumps(document, indent=0) + "\n"


def read_recording(path: Path) -> Recording:
    """Raises StorageError for a file that is missing, damaged or of another format."""
    return Stored("recording", FORMAT, _HINT, _recording).read(path)


def _recording(document: dict[str, Any]) -> Recording:
    stacks = [tuple(Frame(*frame) for frame in stack) for stack in document["stacks"]]
    locations = [Location(*location) for location in document["locations"]]

    def accesses(many: list[list[Any]]) -> tuple[Access, ...]:
        return tuple(Access(TestId(t), stacks[stack], shown, restored) for t, stack, shown, restored in many)

    return Recording(
        tests=tuple(map(TestId, document["tests"])),
        outcomes={TestId(test): Outcome(outcome) for test, outcome in document["outcomes"].items()},
        accounts=tuple(
            Account(locations[number], accesses(writes), accesses(reads), unseen)
            for number, writes, reads, unseen in document["accounts"]
        ),
        flows=tuple(
            Flow(FlowKind(kind), TestId(w), TestId(r), locations[place], stacks[written], stacks[read], shown, harmless)
            for kind, w, r, place, written, read, shown, harmless in document["flows"]
        ),
        left=tuple(
            Left(TestId(test), locations[place], stacks[written], shown)
            for test, place, written, shown in document["left"]
        ),
        outside={TestId(test): tuple(what) for test, what in document["outside"].items()},
        notes=tuple(document["notes"]),
    )


class _Numbered(Generic[_T]):
    """Values that occur often are written once, and then by number."""

    def __init__(self, written: Callable[[_T], object]) -> None:
        self.values: list[object] = []
        self._written = written
        self._numbers: dict[_T, int] = {}

    def number(self, value: _T) -> int:
        if value not in self._numbers:
            self._numbers[value] = len(self.values)
            self.values.append(self._written(value))
        return self._numbers[value]
