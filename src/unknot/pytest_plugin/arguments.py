"""What the command line asks pytest to collect, told from ids alone, before anything is collected."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from unknot.model.dependencies import Dependencies
from unknot.model.suite import TestId


class Arguments:
    """Paths and node ids as given to pytest in directory `here`; ids of tests are relative to `root`."""

    def __init__(self, given: Sequence[str], here: Path, root: Path) -> None:
        self._root = root
        self._parsed = [_parsed(argument, here) for argument in given]

    def ask_for(self, test: str) -> bool:
        """Whether one of them is this test, or a file, directory, class or function that it is in."""
        name, _, rest = test.partition("::")
        file = self.file_of(name)
        return any(
            (path == file or path in file.parents) and (not parts or _is_within(rest, parts))
            for path, parts in self._parsed
        )

    def file_of(self, test: str) -> Path:
        return Path(os.path.normpath(self._root / test.partition("::")[0]))

    def files_to_add(self, dependencies: Dependencies) -> list[Path]:
        """Existing files with tests that are not asked for and that a test asked for may need, in reference order."""
        wanted = _may_need(dependencies, (test for test in dependencies.suite.tests if self.ask_for(test)))
        files = dict.fromkeys(self.file_of(test) for test in wanted if not self.ask_for(test))
        return [file for file in files if file.is_file()]


def _parsed(argument: str, here: Path) -> tuple[Path, str]:
    base, bracket, parameters = argument.partition("[")
    path, _, names = base.partition("::")
    return Path(os.path.normpath(here / path)), names + bracket + parameters


def _is_within(rest: str, parts: str) -> bool:
    return rest == parts or rest.startswith((f"{parts}::", f"{parts}["))


def _may_need(dependencies: Dependencies, tests: Iterable[TestId]) -> list[TestId]:
    """All alternatives and cleaners of all of them, and theirs in turn: which are taken is known after collection."""
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
