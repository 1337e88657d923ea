"""The suite as it is now, beside what the lock file knows of it."""

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from unknot.app.session.session import pytest_workplace, settings_from
from unknot.model.dependencies import Dependencies
from unknot.model.errors import CollectionError
from unknot.model.suite import Order, TestId


@dataclass(frozen=True)
class PresentSuite:
    """`known` is what is known of the tests that are still there; `new` are those that the lock file does not have;
    `homes` are the files of all of them, counted from the project's root."""

    known: Dependencies
    new: Order
    homes: Mapping[TestId, str]
    notes: tuple[str, ...] = ()


def present_suite(
    options: argparse.Namespace, dependencies: Dependencies, root: Path, console: Console
) -> PresentSuite:
    """Asks pytest for the suite. Where pytest cannot collect it, a file with a syntax error say, the tests of the lock
    file are taken whose files are still there, and which tests are new is not known."""
    settings = replace(settings_from(options, console), workers=1)
    try:
        with pytest_workplace(settings, "fresh", console) as (_, collected, _):
            tests = collected.suite.tests
            homes = {test: _from(root, path) for test, path in zip(tests, collected.files, strict=True)}
            notes: tuple[str, ...] = ()
    except CollectionError as problem:
        tests = tuple(test for test in dependencies.suite.tests if (root / _home(test)).exists())
        homes = {test: _home(test) for test in tests}
        first = problem.message.splitlines()[0].rstrip(":")
        notes = (f"{first}: the tests of the lock file are taken instead, and new tests are not known",)
    gone = len(dependencies.suite) - sum(test in dependencies.suite.index for test in tests)
    if gone:
        notes = (*notes, f"{gone} tests of the lock file are not collected now")
    new = tuple(test for test in tests if test not in dependencies.suite.index)
    return PresentSuite(_still_there(dependencies, frozenset(tests)), new, homes, notes)


def _home(test: TestId) -> str:
    return test.partition("::")[0]


def _from(root: Path, path: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def _still_there(dependencies: Dependencies, tests: frozenset[TestId]) -> Dependencies:
    """In the order of the lock file: that is the order in which they are known to do as expected. A need that nothing
    can meet any more, or a cleaner that is gone, leaves only what stands before as safe."""
    if tests.issuperset(dependencies.suite.tests):
        return dependencies
    return dependencies.among(tuple(test for test in dependencies.suite.tests if test in tests))
