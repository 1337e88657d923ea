"""What `detect --coverage` stores next to the data file: the measured sources, and what else tests read."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from unknot import __version__
from unknot.model.outcome import Outcome
from unknot.model.suite import Order, TestId
from unknot.store.typed_json import (
    PLAIN,
    ErrorTemplate,
    Fault,
    JsonReader,
    Problem,
    explained,
    load,
    pick,
)

FORMAT = 1

_AGAIN = "Record it again with `unknot detect --coverage`."
_UNREADABLE = ErrorTemplate(slug="file-unreadable", hint=_AGAIN, message="cannot read {path}: {fault}")
_ERRORS: Mapping[Problem, ErrorTemplate] = {
    "missing": _UNREADABLE,
    "unreadable": _UNREADABLE,
    "other format": ErrorTemplate(
        slug="coverage-format", hint=_AGAIN, message="{path}: unsupported format of the recording ({fault})"
    ),
    "damaged": ErrorTemplate(
        slug="coverage-damaged", hint=_AGAIN, message="{path}: not a recording, or damaged ({fault})"
    ),
}


@dataclass(frozen=True)
class ReadFile:
    """A file that was read, or a directory that was listed, and by what: tests, modules while they were imported (by
    their files), or possibly every test (`everyone`). The digest is empty if it did not exist."""

    digest: str
    tests: frozenset[TestId] = frozenset()
    modules: frozenset[str] = frozenset()
    everyone: bool = False


@dataclass(frozen=True)
class CoverageRecording:
    """All paths are relative to the project's root, with slashes.

    `sources` are the texts of measured files and of configuration files. `modules` maps module names to the files that
    were imported. `blind` has the tests whose recording may be incomplete, each with the reason.
    """

    sources: Mapping[str, str]
    data: Mapping[str, ReadFile]
    modules: Mapping[str, str]
    outcomes: Mapping[TestId, Outcome]
    blind: Mapping[TestId, str] = field(default_factory=dict)
    environment: tuple[str, ...] = ()


def dumps(recording: CoverageRecording) -> str:
    """Tests are numbered: thousands may have read the same hundred files."""
    tests = list(recording.outcomes)
    number = {test: place for place, test in enumerate(tests)}
    document = {
        "format": FORMAT,
        "tool": f"unknot {__version__}",
        "environment": list(recording.environment),
        "tests": tests,
        "outcomes": [recording.outcomes[test].value for test in tests],
        "blind": {test: recording.blind[test] for test in tests if test in recording.blind},
        "modules": dict(sorted(recording.modules.items())),
        "data": {
            path: {
                "digest": known.digest,
                "tests": sorted(number[test] for test in known.tests),
                "modules": sorted(known.modules),
                "everyone": known.everyone,
            }
            for path, known in sorted(recording.data.items())
        },
        "sources": dict(sorted(recording.sources.items())),
    }
    return json.dumps(document, indent=0) + "\n"


def recording_path(data_file: Path) -> Path:
    """The path of the recording that belongs to a data file."""
    return data_file.with_name(f"{data_file.name}-sources.json")


def read_recording(path: Path) -> CoverageRecording:
    """Raises StorageError, which names the file."""
    with explained(path, _ERRORS):
        document = load(path, known_format=FORMAT)
        tests = PLAIN.read(Order, document, "tests")
        by_number = JsonReader(special={TestId: pick(tests)})
        numbered = {frozenset[TestId]: lambda numbers: frozenset(by_number.read(Order, numbers))}
        outcomes = PLAIN.read(tuple[Outcome, ...], document, "outcomes")
        if len(tests) != len(outcomes):
            raise Fault(f"must have one entry for each of the {len(tests)} tests, has {len(outcomes)}", ".outcomes")
        document["outcomes"] = dict(zip(tests, outcomes, strict=True))
        reader = JsonReader(special=numbered, required={CoverageRecording: ("blind", "environment")})
        return reader.read(CoverageRecording, document)
