"""Writes the coverage measured in a run to a data file of coverage.py."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from unknot.coverage.contexts import LineCoverage, read_contexts
from unknot.model.errors import StorageError
from unknot.model.suite import TestId

IMPORT = "unknot:import:"
"""The prefix of contexts for imports that happened while a test ran."""

_Element = TypeVar("_Element", int, tuple[int, int])
_Measured = dict[str, dict[str, frozenset[_Element]]]


def write_data(
    raw: Path,
    target: Path,
    tests: Iterable[TestId],
    parts: Mapping[str, Sequence[str]],
    relative: Callable[[str], str | None],
) -> LineCoverage:
    """Writes what each test ran, including its parts: fixtures that it shares with others, and imports that it was the
    first to run. These imports also count as run outside of any test. `relative` returns the path to write for a
    measured one, or None to leave it out. Replaces the file atomically. Raises StorageError.

    Two thousand tests with a few dozen files each take seconds.
    """
    measured = read_contexts(raw)
    whole = {test: _with_parts(test, parts) for test in tests}
    lines = _joined(measured.lines, measured.at_import, whole, relative)
    arcs = _joined(measured.arcs, measured.arcs_at_import, whole, relative)
    # A hidden name: coverage.py would otherwise try to combine the file.
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        _write(temporary, lines, arcs)
        temporary.replace(target)
    except OSError as error:
        raise StorageError(f"cannot write {target}: {error.strerror or error}", slug="file-unwritable") from error
    finally:
        temporary.unlink(missing_ok=True)
    return read_contexts(target)


def _with_parts(test: str, parts: Mapping[str, Sequence[str]]) -> list[str]:
    found = [test]
    for context in found:
        found.extend(part for part in parts.get(context, ()) if part not in found)
    return found


def _joined(
    measured: Mapping[str, Mapping[TestId, frozenset[_Element]]],
    at_import: Mapping[str, frozenset[_Element]],
    whole: Mapping[TestId, Sequence[str]],
    relative: Callable[[str], str | None],
) -> _Measured[_Element]:
    """By context and file; lines that ran outside of any test have the empty context."""
    found: _Measured[_Element] = {}
    for file in sorted({*measured, *at_import}):
        path = relative(file)
        if path is None:
            continue
        for context, ran in _contexts(measured.get(file, {}), at_import.get(file, frozenset()), whole):
            files = found.setdefault(context, {})
            files[path] = files.get(path, frozenset()) | ran
    return found


def _contexts(
    by_context: Mapping[TestId, frozenset[_Element]],
    outside: frozenset[_Element],
    whole: Mapping[TestId, Sequence[str]],
) -> Iterator[tuple[str, frozenset[_Element]]]:
    imported = [ran for context, ran in by_context.items() if context.startswith(IMPORT)]
    if outside or imported:
        yield "", outside.union(*imported)
    for test, contexts in whole.items():
        if ran := frozenset[_Element]().union(*(by_context.get(TestId(context), ()) for context in contexts)):
            yield test, ran


def _write(path: Path, lines: _Measured[int], arcs: _Measured[tuple[int, int]]) -> None:
    from coverage import CoverageData
    from coverage.exceptions import CoverageException

    data = CoverageData(basename=str(path))
    try:
        for context in {**lines, **arcs}:
            data.set_context(context)
            if arcs:
                data.add_arcs(arcs.get(context, {}))
            else:
                data.add_lines(lines.get(context, {}))
        data.write()
    except CoverageException as error:
        raise StorageError(f"cannot write the coverage: {error}", slug="file-unwritable") from error
    finally:
        data.close()
