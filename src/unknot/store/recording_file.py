"""The recording on disk, in the state directory: `recording.json`."""

import json
from pathlib import Path

from unknot.model.recording import Access, Account, Flow, Frame, Left, Location, Recording, Stack
from unknot.store.typed_json import JsonReader, explained, load, pick, state_errors, to_rows

FORMAT = 1

_ROWS = (Access, Account, Flow, Frame, Left, Location)
_ERRORS = state_errors("recording", "`unknot detect --trace` records the suite")


def dumps(recording: Recording) -> str:
    """Values that occur often are written once, and then by number."""
    stacks: dict[Stack, int] = {}
    locations: dict[Location, int] = {}
    numbered = {
        Stack: lambda stack: stacks.setdefault(stack, len(stacks)),
        Location: lambda location: locations.setdefault(location, len(locations)),
    }
    document = {
        "format": FORMAT,
        "outcomes": {test: recording.outcomes[test].value for test in recording.tests if test in recording.outcomes},
        "tests": recording.tests,
        "accounts": to_rows(recording.accounts, numbered),
        "flows": to_rows(recording.flows, numbered),
        "left": to_rows(recording.left, numbered),
        "outside": dict(recording.outside),
        "notes": recording.notes,
        "seconds": dict(recording.seconds),
        "test_runs": recording.test_runs,
        "has_memory": recording.has_memory,
        "stacks": [to_rows(stack, {}) for stack in stacks],
        "locations": to_rows(locations, {}),
    }
    return json.dumps(document) + "\n"


def read_recording(path: Path) -> Recording:
    """Raises StorageError for a file that is missing, damaged or of another format."""
    with explained(path, _ERRORS):
        document = load(path, known_format=FORMAT)
        shared = JsonReader(rows=_ROWS)
        numbered = {
            Stack: pick(shared.read(tuple[Stack, ...], document, "stacks")),
            Location: pick(shared.read(tuple[Location, ...], document, "locations")),
        }
        return JsonReader(special=numbered, rows=_ROWS).read(Recording, document)
