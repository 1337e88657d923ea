"""What the command line selects, judged by ids alone before collection; and the names of collected tests."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from unknot.model.dependencies import Dependencies
from unknot.model.suite import TestId


class CollectionArguments:
    """Paths and node ids as passed to pytest in directory `here`; ids of tests are relative to `root`."""

    def __init__(self, given: Sequence[str], here: Path, root: Path) -> None:
        self._root = root
        self._parsed = [_parsed(argument, here) for argument in given]

    def includes(self, test: str) -> bool:
        """Whether one of them is this test, or its file, directory, class or function."""
        name, _, rest = test.partition("::")
        file = self.file_of(name)
        return any(
            (path == file or path in file.parents) and (not parts or _is_within(rest, parts))
            for path, parts in self._parsed
        )

    def file_of(self, test: str) -> Path:
        return Path(os.path.normpath(self._root / test.partition("::")[0]))

    def files_to_add(self, dependencies: Dependencies) -> list[Path]:
        """Existing files with tests that are not selected but may be needed by a selected test, in reference order."""
        wanted = _may_need(dependencies, (test for test in dependencies.suite.tests if self.includes(test)))
        files = dict.fromkeys(self.file_of(test) for test in wanted if not self.includes(test))
        return [file for file in files if file.is_file()]


def _parsed(argument: str, here: Path) -> tuple[Path, str]:
    base, bracket, parameters = argument.partition("[")
    path, _, names = base.partition("::")
    return Path(os.path.normpath(here / path)), names + bracket + parameters


def _is_within(rest: str, parts: str) -> bool:
    return rest == parts or rest.startswith((f"{parts}::", f"{parts}["))


def _may_need(dependencies: Dependencies, tests: Iterable[TestId]) -> list[TestId]:
    """The tests with all their alternatives and cleaners, and those of these: the choice is made after collection."""
    found = dict.fromkeys(tests)
    waiting = list(found)
    while waiting:
        test = waiting.pop()
        others = [option for need in dependencies.needs_of.get(test, ()) for option in need.any_of]
        others += [cleaner for conflict in dependencies.conflicts_of.get(test, ()) for cleaner in conflict.cleaners]
        fresh = [other for other in others if other not in found]
        found.update(dict.fromkeys(fresh))
        waiting += fresh
    return [test for test in dependencies.suite.tests if test in found]


def names_of(node_ids: Iterable[str]) -> list[TestId]:
    """The names of tests in the lock file: their node ids, with a number for repeated ones.

    >>> names_of(["a", "b", "a"])
    ['a', 'b', 'a#2']
    """
    seen: dict[str, int] = {}
    names = []
    for node_id in node_ids:
        count = seen[node_id] = seen.get(node_id, 0) + 1
        names.append(TestId(node_id if count == 1 else f"{node_id}#{count}"))
    return names
