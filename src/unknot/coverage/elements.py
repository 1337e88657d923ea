"""Reads which test covers what: from a data file or JSON report of coverage.py, a JSON table or CSV."""

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from unknot.coverage.contexts import PHASE, LineCoverage, read_contexts
from unknot.model.bits import wide_bits
from unknot.model.coverage import Coverage
from unknot.model.errors import StorageError, UsageError
from unknot.model.suite import TestId
from unknot.store.typed_json import PLAIN, Fault, entry, parsed

_SQLITE = b"SQLite format 3\x00"
_HINT = (
    'Pass a data file or `coverage json --show-contexts` report of coverage.py, CSV with rows "test,element", '
    'or JSON {"test": ["element", …], …}.'
)


def read_elements(path: Path, *, branches: bool = False) -> Coverage:
    """What each test covers. The content of the file determines its format.

    For coverage.py, elements are lines, `path:line`, or with `branches` the branches, `path:from->to`. Test files do
    not count: there every test is the only one that covers its own lines. Raises StorageError for a file that cannot be
    read, UsageError for one without coverage by test.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise StorageError(f"{path}: no such file", hint=_HINT, slug="coverage-not-found") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise StorageError(
            f"cannot read {path}: {reason}", hint="Check that it is a readable file.", slug="file-unreadable"
        ) from error
    if data.startswith(_SQLITE):
        return _checked(elements_of(read_contexts(path), branches=branches), path, branches=branches)
    try:
        text = data.decode("utf-8-sig")
        if text.lstrip()[:1] in ("{", "["):
            found = elements_from_json(text, branches=branches)
        else:
            found = elements_from_csv(text)
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not UTF-8 (byte {error.start})", hint=_HINT, slug="file-not-utf8") from error
    except ElementFault as fault:
        raise UsageError(f"{path}: {fault}", hint=fault.hint or _HINT, slug="coverage-invalid") from fault
    return _checked(found, path, branches=False)


def _checked(found: Coverage, path: Path, *, branches: bool) -> Coverage:
    if found.covered:
        return found
    if branches:
        hint = "Record it with `pytest --cov --cov-branch --cov-context=test`, or omit --branches."
        raise UsageError(f"{path}: no branches were measured", hint=hint, slug="coverage-no-branches")
    raise UsageError(f"{path}: no test covers anything outside of the test files", hint=_HINT, slug="coverage-empty")


class ElementFault(Exception):
    """The text does not define which test covers what. `hint` says what to do, if that is known."""

    def __init__(self, what: str, *, hint: str = "") -> None:
        super().__init__(what)
        self.hint = hint


def elements_of(
    measured: LineCoverage, *, branches: bool = False, missing: Mapping[str, Iterable[int]] | None = None
) -> Coverage:
    """Lines as `path:line`, or branches as `path:from->to`; `missing` are lines that no test ran.

    Test files do not count: there every test is the only one that covers its own lines. Cost: linear in what each test
    ran.
    """
    by_file: Mapping[str, Mapping[TestId, frozenset[Any]]] = measured.arcs if branches else measured.lines
    own = _OwnFiles(measured.tests)
    names: list[str] = []
    members: dict[TestId, list[int]] = {test: [] for test in sorted(measured.tests)}
    for file, by_test in sorted(by_file.items()):
        if own.holds(file):
            continue
        place: dict[Any, int] = {}
        for element in sorted(frozenset[Any]().union(*by_test.values())):
            place[element] = len(names)
            names.append(_name(file, element))
        for test, ran in by_test.items():
            members[test] += [place[element] for element in ran]
    unmet = [_name(file, line) for file, lines in (missing or {}).items() if not own.holds(file) for line in lines]
    return Coverage((*names, *unmet), {test: wide_bits(found) for test, found in members.items()})


def _name(file: str, element: object) -> str:
    return f"{file}:{element[0]}->{element[1]}" if isinstance(element, tuple) else f"{file}:{element}"


class _OwnFiles:
    """The test files and `conftest.py`, but no modules with doctests. A node id has the path from the root of the
    project, coverage.py mostly an absolute one."""

    def __init__(self, tests: Iterable[TestId]) -> None:
        own = (test.partition("::")[0] for test in tests if "::" in test and not _is_doctest(test))
        self._files = {PurePosixPath(file).parts for file in own}
        self._lengths = {len(parts) for parts in self._files}

    def holds(self, file: str) -> bool:
        parts = PurePosixPath(file.replace("\\", "/")).parts
        return parts[-1:] == ("conftest.py",) or any(parts[-length:] in self._files for length in self._lengths)


def _is_doctest(test: TestId) -> bool:
    """The id of a doctest has the module and the object, `app/sums.py::app.sums.double`, or only the module for the
    module's own docstring."""
    file, _, name = test.partition("::")
    dotted = name.partition("[")[0]
    is_module = dotted == PurePosixPath(file).stem and not dotted.startswith("test")
    return file.endswith(".py") and (is_module or "." in dotted)


_HEADERS = (["test", "element"], ["element", "test"])


def elements_from_csv(text: str) -> Coverage:
    """From rows `test,element` in any sequence, with an optional header of these two words in either order. A row
    without a test names an element that may be uncovered, one without an element a test that may cover nothing.

    Raises ElementFault, which names the line.
    """
    covered: dict[str, dict[str, None]] = {}
    elements: dict[str, None] = {}
    test_first = True
    reader = csv.reader(io.StringIO(text), strict=True)
    try:
        for number, row in enumerate(reader):
            cells = [cell.strip() for cell in row]
            if number == 0 and [cell.lower() for cell in cells] in _HEADERS:
                test_first = cells[0].lower() == "test"
                continue
            if not any(cells):
                continue
            test, element = _pair(cells if test_first else cells[::-1], reader.line_num)
            found = covered.setdefault(test, {}) if test else {}
            if element:
                found[element] = elements[element] = None
    except csv.Error as error:
        raise ElementFault(f"line {reader.line_num}: not CSV ({error})") from error
    return Coverage.of(covered, elements)


def _pair(cells: list[str], line: int) -> tuple[str, str]:
    if len(cells) != 2:
        raise ElementFault(
            f"line {line}: must have two cells, test and element, not {len(cells)}",
            hint='Quote names that contain a comma: "test_a.py::test[1,2]",element' if len(cells) > 2 else "",
        )
    return cells[0], cells[1]


_CONTEXTS = "Record it with `pytest --cov --cov-context=test`, then run `coverage json --show-contexts`."


def elements_from_json(text: str, *, branches: bool = False) -> Coverage:
    """From `{test: [element, …]}`; from `{"tests": {test: [element, …]}, "elements": [all]}`; or from coverage.py's
    report, whose missing lines are uncovered elements. Raises ElementFault, which names the place."""
    hint = ""
    try:
        document = parsed(text)
        if not isinstance(document, dict):
            raise ElementFault("must be an object: tests with what they cover")
        if isinstance(document.get("meta"), dict) and isinstance(document.get("files"), dict):
            hint = _CONTEXTS
            return _from_report(PLAIN.read(dict[str, _MeasuredFile], document, "files"), branches=branches)
        if isinstance(document.get("tests"), dict):
            elements = PLAIN.read(tuple[str, ...], document, "elements") if "elements" in document else ()
            return Coverage.of(PLAIN.read(dict[str, tuple[str, ...]], document, "tests"), elements)
        return Coverage.of(PLAIN.read(dict[str, tuple[str, ...]], document))
    except Fault as fault:
        raise ElementFault(str(fault), hint=hint) from fault


@dataclass(frozen=True)
class _MeasuredFile:
    """A file in a report of coverage.py. `contexts` has lines with the tests that ran them."""

    contexts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    missing_lines: tuple[int, ...] = ()


def _from_report(files: Mapping[str, _MeasuredFile], *, branches: bool) -> Coverage:
    if branches:
        raise ElementFault(
            "a JSON report does not record which test took which branch", hint="Pass coverage.py's data file instead."
        )
    lines: dict[str, dict[TestId, frozenset[int]]] = {}
    for file, measured in files.items():
        ran: dict[TestId, set[int]] = {}
        for line, contexts in measured.contexts.items():
            if not line.isdecimal():
                raise Fault("a line must be a number", f".files{entry(file)}.contexts{entry(line)}")
            for context in filter(None, contexts):
                ran.setdefault(TestId(PHASE.sub("", context)), set()).add(int(line))
        lines[file] = {test: frozenset(found) for test, found in ran.items()}
    if not any(lines.values()):
        raise ElementFault("it has no contexts, so it does not record which test ran what", hint=_CONTEXTS)
    missing = {file: measured.missing_lines for file, measured in files.items()}
    return elements_of(LineCoverage(lines), missing=missing)
