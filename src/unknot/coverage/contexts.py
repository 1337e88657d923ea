"""Reads a data file of coverage.py with one context per test: which test ran which line of which file."""

import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from typing import TypeVar

from unknot.model.errors import StorageError, UsageError
from unknot.model.suite import TestId

Lines = frozenset[int]


Arcs = frozenset[tuple[int, int]]
"""Pairs of lines that ran one after the other; a negative number is the entry or exit of a function."""


@dataclass(frozen=True)
class LineCoverage:
    """What was measured, by file and test, with the file names of the data file.

    `arcs` is empty unless branches were measured. `at_import` and `arcs_at_import` have what ran outside of any test:
    while modules were imported and the suite was collected. Tests that ran no line of any file are missing.
    """

    lines: Mapping[str, Mapping[TestId, Lines]]
    arcs: Mapping[str, Mapping[TestId, Arcs]] = field(default_factory=dict)
    at_import: Mapping[str, Lines] = field(default_factory=dict)
    arcs_at_import: Mapping[str, Arcs] = field(default_factory=dict)

    @cached_property
    def tests(self) -> frozenset[TestId]:
        """All tests that ran something."""
        return frozenset(test for by_test in self.lines.values() for test in by_test)

    @cached_property
    def files(self) -> frozenset[str]:
        """All files with a line that ran, in a test or at import."""
        return frozenset(self.lines) | frozenset(self.at_import)

    @cached_property
    def files_of(self) -> Mapping[TestId, frozenset[str]]:
        """The files in which a test ran a line."""
        found: dict[TestId, set[str]] = {}
        for file, by_test in self.lines.items():
            for test in by_test:
                found.setdefault(test, set()).add(file)
        return {test: frozenset(files) for test, files in found.items()}


SCHEMA = 7
"""The schema of the data file that coverage.py has written since version 5."""

PHASE = re.compile(r"\|(?:setup|run|teardown)$")
"""What pytest-cov appends to a test's id."""

_HOW_TO_RECORD = "Record it with `unknot detect --coverage`, or with `pytest --cov --cov-context=test`."
_NO_TEST = TestId("")

_Packed = TypeVar("_Packed", bytes, str)
_Element = TypeVar("_Element")


def read_contexts(path: Path) -> LineCoverage:
    """What each test ran. Setup, call and teardown of a test are combined if they have separate contexts.

    Reads with SQL and not through the coverage package, which queries the database once per file and line: that takes
    minutes for a large suite. It also need not be installed. The schema is documented and checked.
    Cost: linear in the rows; two thousand tests with two hundred files each take a second or two.

    Raises StorageError for a file that is not a data file, UsageError for one without contexts.
    """
    if not path.is_file():
        raise StorageError(f"{path}: no such file", hint=_HOW_TO_RECORD, slug="coverage-not-found")
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
            _check_schema(database, path)
            return _read(database, path)
    except (sqlite3.Error, UnicodeDecodeError, TypeError, KeyError, ValueError) as error:
        raise StorageError(
            f"{path}: not a data file of coverage.py ({error})", hint=_HOW_TO_RECORD, slug="coverage-damaged"
        ) from error


def _check_schema(database: sqlite3.Connection, path: Path) -> None:
    (version,) = database.execute("SELECT version FROM coverage_schema").fetchone() or (None,)
    if version != SCHEMA:
        raise StorageError(
            f"{path}: unsupported schema {version} of the data file (supported: {SCHEMA})",
            hint=_HOW_TO_RECORD,
            slug="coverage-format",
        )


def _read(database: sqlite3.Connection, path: Path) -> LineCoverage:
    files: dict[int, str] = dict(database.execute("SELECT id, path FROM file"))
    tests = {
        number: TestId(PHASE.sub("", name)) for number, name in database.execute("SELECT id, context FROM context")
    }
    lines = _by_file(database.execute("SELECT file_id, context_id, numbits FROM line_bits"), files, tests, _unpacked)
    # The database joins arcs: millions of rows in Python cost more than one long text.
    joined = (
        "SELECT file_id, context_id, group_concat(fromno || ',' || tono, ';') FROM arc GROUP BY file_id, context_id"
    )
    arcs = _by_file(database.execute(joined), files, tests, _pairs)
    for file, by_test in arcs.items():
        for test, pairs in by_test.items():
            ran = frozenset(line for pair in pairs for line in pair if line > 0)
            known = lines.setdefault(file, {})
            known[test] = known.get(test, frozenset()) | ran
    at_import = {file: outside for file, by_test in lines.items() if (outside := by_test.pop(_NO_TEST, None))}
    arcs_at_import = {file: pairs for file, by_arcs in arcs.items() if (pairs := by_arcs.pop(_NO_TEST, frozenset()))}
    found = LineCoverage(
        {file: by_test for file, by_test in lines.items() if by_test},
        {file: by_test for file, by_test in arcs.items() if by_test},
        at_import,
        arcs_at_import,
    )
    if not found.tests:
        what = "it has no contexts, so it does not record which test ran what" if files else "it is empty"
        raise UsageError(f"{path}: {what}", hint=_HOW_TO_RECORD, slug="coverage-no-contexts")
    return found


def _by_file(
    rows: Iterable[tuple[int, int, _Packed]],
    files: Mapping[int, str],
    tests: Mapping[int, TestId],
    unpack: Callable[[_Packed], frozenset[_Element]],
) -> dict[str, dict[TestId, frozenset[_Element]]]:
    found: dict[str, dict[TestId, frozenset[_Element]]] = {}
    known: dict[_Packed, frozenset[_Element]] = {}
    for file, context, packed in rows:
        by_test = found.setdefault(files[file], {})
        if packed not in known:
            known[packed] = unpack(packed)
        ran, test = known[packed], tests[context]
        by_test[test] = by_test[test] | ran if test in by_test else ran
    return found


def _unpacked(packed: bytes) -> Lines:
    """Bit b of byte i is line 8 i + b."""
    return frozenset(chain.from_iterable([_lines_at(place)[byte] for place, byte in enumerate(packed) if byte]))


@cache
def _lines_at(place: int) -> tuple[tuple[int, ...], ...]:
    """For each value of the byte at this place, its lines."""
    return tuple(tuple(place * 8 + bit for bit in range(8) if byte >> bit & 1) for byte in range(256))


def _pairs(text: str) -> Arcs:
    return frozenset(_pair(pair) for pair in text.split(";"))


@cache
def _pair(text: str) -> tuple[int, int]:
    origin, _, target = text.partition(",")
    return int(origin), int(target)
