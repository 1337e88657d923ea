"""How long each test takes: a file of its own, so that the lock file does not change with every run."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from statistics import median

from unknot.model.dependencies import Dependencies
from unknot.model.errors import StorageError
from unknot.model.suite import TestId
from unknot.store.atomic import write_atomically
from unknot.store.lock import DIGITS, escape_surrogates
from unknot.store.typed_json import PLAIN, ErrorTemplate, Problem, explained, load

_FORMAT = 1
_EQUAL_SECONDS = 1.0
_HINT = "`unknot detect` and `unknot run` write durations"


_ERRORS: Mapping[Problem, ErrorTemplate] = {
    "missing": ErrorTemplate(slug="file-not-found", hint=f"{_HINT} to .unknot/durations.json"),
    "damaged": ErrorTemplate(slug="file-invalid", hint=f"Delete the file; {_HINT}"),
}


def read_durations(path: Path) -> dict[TestId, float]:
    """Raises StorageError, which names the file, the place of the first fault and what to do."""
    with explained(path, _ERRORS):
        return PLAIN.read(dict[TestId, float], load(path, known_format=_FORMAT), "seconds")


def write_durations(path: Path, seconds: Mapping[TestId, float]) -> None:
    """Replaces the file whole or not at all. Raises StorageError."""
    document = {"format": _FORMAT, "seconds": {test: round(taken, DIGITS) for test, taken in seconds.items()}}
    text = json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False)
    write_atomically(path, escape_surrogates(text) + "\n")


def update_durations(path: Path, measured: Mapping[TestId, float]) -> None:
    """Adds the times of one run. A test that has a duration gets the mean of that and the new one, so that one slow run
    does not outweigh all earlier ones. A damaged file is replaced. Raises StorageError."""
    try:
        known = read_durations(path)
    except StorageError:
        known = {}
    averaged = {test: (known.get(test, seconds) + seconds) / 2 for test, seconds in measured.items()}
    write_durations(path, {**known, **averaged})


def with_durations(dependencies: Dependencies, durations: Mapping[TestId, float]) -> Dependencies:
    """The same with these times for its tests. Times that a lock file of format 1 has stay where nothing is newer."""
    tests = dependencies.suite.tests
    found = {**dependencies.seconds, **durations}
    return replace(dependencies, seconds={test: found[test] for test in tests if test in found})


def with_assumed_durations(dependencies: Dependencies) -> Dependencies:
    """The same with a time for each test, as planning needs it: a test without one is taken to be as long as the median
    of the others. Without any, all tests count the same."""
    known = dependencies.seconds
    usual = median(known.values()) if known else _EQUAL_SECONDS
    return replace(dependencies, seconds={test: known.get(test, usual) for test in dependencies.suite.tests})
