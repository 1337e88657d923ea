"""Reads a data file of coverage.py in which every test has a context of its own."""

import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from functools import cache
from itertools import chain
from pathlib import Path

from unknot.coverage.line_coverage import Arcs, LineCoverage, Lines
from unknot.model.errors import StorageError, UsageError
from unknot.model.suite import TestId

SCHEMA = 7
"""Of the data file; coverage.py has written this one since version 5."""

_PHASE = re.compile(r"\|(?:setup|run|teardown)$")
"""What pytest-cov puts behind a test's id."""

_HOW_TO_RECORD = "record it with `unknot detect --coverage`, or with `pytest --cov --cov-context=test`"
_NO_TEST = ""


def read_contexts(path: Path) -> LineCoverage:
    """What each test ran. Set-up, call and tear-down of a test, where they are kept apart, are taken together.

    Read by SQL and not through the coverage package: that asks the database once per file and line, which takes
    minutes for a large suite, and it need not be installed to read. The schema is documented and checked.
    Cost: linear in the rows; two thousand tests with two hundred files each take a second or two.

    Raises StorageError for what is not a data file, UsageError for one that does not say which test ran what.
    """
    if not path.is_file():
        raise StorageError(f"{path}: there is no such file", hint=_HOW_TO_RECORD)
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
            _check_schema(database, path)
            return _read(database, path)
    except (sqlite3.Error, UnicodeDecodeError, TypeError, KeyError, ValueError) as error:
        raise StorageError(f"{path}: not a data file of coverage.py ({error})", hint=_HOW_TO_RECORD) from error


def _check_schema(database: sqlite3.Connection, path: Path) -> None:
    (version,) = database.execute("SELECT version FROM coverage_schema").fetchone() or (None,)
    if version != SCHEMA:
        raise StorageError(
            f"{path}: a data file of schema {version}, of which unknot knows only {SCHEMA}", hint=_HOW_TO_RECORD
        )


def _read(database: sqlite3.Connection, path: Path) -> LineCoverage:
    files: dict[int, str] = dict(database.execute("SELECT id, path FROM file"))
    tests = {
        number: TestId(_PHASE.sub("", name)) for number, name in database.execute("SELECT id, context FROM context")
    }
    lines = _lines(database, files, tests)
    arcs = _arcs(database, files, tests)
    for file, by_test in arcs.items():
        for test, pairs in by_test.items():
            ran = frozenset(line for pair in pairs for line in pair if line > 0)
            known = lines.setdefault(file, {})
            known[test] = known.get(test, frozenset()) | ran
    at_import = {file: outside for file, by_test in lines.items() if (outside := by_test.pop(TestId(_NO_TEST), None))}
    for by_arcs in arcs.values():
        by_arcs.pop(TestId(_NO_TEST), None)
    found = LineCoverage(
        {file: by_test for file, by_test in lines.items() if by_test},
        {file: by_test for file, by_test in arcs.items() if by_test},
        at_import,
    )
    if not found.tests:
        what = "it does not say which test ran what: it has no contexts" if files else "it is empty"
        raise UsageError(f"{path}: {what}", hint=_HOW_TO_RECORD)
    return found


def _lines(
    database: sqlite3.Connection, files: Mapping[int, str], tests: Mapping[int, TestId]
) -> dict[str, dict[TestId, Lines]]:
    found: dict[str, dict[TestId, Lines]] = {}
    unpack = cache(_unpacked)
    for file, context, packed in database.execute("SELECT file_id, context_id, numbits FROM line_bits"):
        by_test = found.setdefault(files[file], {})
        ran, test = unpack(packed), tests[context]
        by_test[test] = by_test[test] | ran if test in by_test else ran
    return found


def _arcs(
    database: sqlite3.Connection, files: Mapping[int, str], tests: Mapping[int, TestId]
) -> dict[str, dict[TestId, Arcs]]:
    """Joined by the database: millions of rows cost more in Python than the text that holds them."""
    joined = (
        "SELECT file_id, context_id, group_concat(fromno || ',' || tono, ';') FROM arc GROUP BY file_id, context_id"
    )
    found: dict[str, dict[TestId, Arcs]] = {}
    split = cache(_pairs)
    for file, context, text in database.execute(joined):
        by_test = found.setdefault(files[file], {})
        ran, test = split(text), tests[context]
        by_test[test] = by_test[test] | ran if test in by_test else ran
    return found


def _unpacked(packed: bytes) -> Lines:
    """Bit b of byte i stands for line 8 i + b."""
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
