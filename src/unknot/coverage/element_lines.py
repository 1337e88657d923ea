"""Lines and branches that tests ran, as elements that they cover."""

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any

from unknot.coverage.line_coverage import LineCoverage
from unknot.model.bits import wide_bits
from unknot.model.coverage import Coverage
from unknot.model.suite import TestId


def elements_of(
    measured: LineCoverage, *, branches: bool = False, missing: Mapping[str, Iterable[int]] | None = None
) -> Coverage:
    """Lines as `path:line`, or branches as `path:from->to`; `missing` are lines that no test ran.

    The files of the tests themselves do not count: there every test is the only one that covers its own lines. Cost:
    linear in what each test ran.
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
    """The files of the tests, and `conftest.py`; not a module whose tests are the examples in its docstrings. A node id
    names its file from the root of the project, coverage.py mostly from the root of the disk."""

    def __init__(self, tests: Iterable[TestId]) -> None:
        own = (test.partition("::")[0] for test in tests if "::" in test and not _is_doctest(test))
        self._files = {PurePosixPath(file).parts for file in own}
        self._lengths = {len(parts) for parts in self._files}

    def holds(self, file: str) -> bool:
        parts = PurePosixPath(file.replace("\\", "/")).parts
        return parts[-1:] == ("conftest.py",) or any(parts[-length:] in self._files for length in self._lengths)


def _is_doctest(test: TestId) -> bool:
    """pytest names a doctest of a module by the module and the object, `app/sums.py::app.sums.double`, and that of the
    module itself by the module alone."""
    file, _, name = test.partition("::")
    dotted = name.partition("[")[0]
    is_module = dotted == PurePosixPath(file).stem and not dotted.startswith("test")
    return file.endswith(".py") and (is_module or "." in dotted)
