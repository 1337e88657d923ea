"""What `detect --coverage` stores next to the data file: the measured sources, and what else tests read."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unknot import __version__
from unknot.model.errors import StorageError
from unknot.model.outcome import Outcome
from unknot.model.suite import TestId

FORMAT = 1

_AGAIN = "Record it again with `unknot detect --coverage`."


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
    """Raises StorageError, which names the file. Only unknot writes it, so faults are not analysed further."""
    try:
        document = json.loads(path.read_bytes())
        if document["format"] != FORMAT:
            raise StorageError(
                f"{path}: unsupported format {document['format']} of the recording", hint=_AGAIN, slug="coverage-format"
            )
        return _from_json(document)
    except OSError as error:
        raise StorageError(
            f"cannot read {path}: {error.strerror or error}", hint=_AGAIN, slug="file-unreadable"
        ) from error
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        raise StorageError(f"{path}: not a recording, or damaged", hint=_AGAIN, slug="coverage-damaged") from error


def _from_json(document: Any) -> CoverageRecording:
    tests = [TestId(str(test)) for test in document["tests"]]
    return CoverageRecording(
        sources={str(path): str(text) for path, text in document["sources"].items()},
        data={
            str(path): ReadFile(
                digest=str(known["digest"]),
                tests=frozenset(tests[number] for number in known["tests"]),
                modules=frozenset(map(str, known["modules"])),
                everyone=bool(known["everyone"]),
            )
            for path, known in document["data"].items()
        },
        modules={str(name): str(path) for name, path in document["modules"].items()},
        outcomes={test: Outcome(value) for test, value in zip(tests, document["outcomes"], strict=True)},
        blind={TestId(test): str(why) for test, why in document["blind"].items()},
        environment=tuple(map(str, document["environment"])),
    )
