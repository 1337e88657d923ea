"""Which test ran which line of which file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from unknot.model.suite import TestId

Lines = frozenset[int]
Arcs = frozenset[tuple[int, int]]
"""Pairs of lines that ran one after the other; a negative number is the way into or out of a function."""


@dataclass(frozen=True)
class LineCoverage:
    """What was measured, by file and test; a file is named as the data file names it.

    `arcs` is empty unless branches were measured. `at_import` holds the lines that ran outside of any test: while
    modules were imported and the suite was collected. A test that ran no line of any file is not known here.
    """

    lines: Mapping[str, Mapping[TestId, Lines]]
    arcs: Mapping[str, Mapping[TestId, Arcs]] = field(default_factory=dict)
    at_import: Mapping[str, Lines] = field(default_factory=dict)

    @cached_property
    def tests(self) -> frozenset[TestId]:
        """All tests that ran something."""
        return frozenset(test for by_test in self.lines.values() for test in by_test)

    @cached_property
    def files(self) -> frozenset[str]:
        """All files of which something ran, in a test or at import."""
        return frozenset(self.lines) | frozenset(self.at_import)

    @cached_property
    def files_of(self) -> Mapping[TestId, frozenset[str]]:
        """The files of which a test ran something."""
        found: dict[TestId, set[str]] = {}
        for file, by_test in self.lines.items():
            for test in by_test:
                found.setdefault(test, set()).add(file)
        return {test: frozenset(files) for test, files in found.items()}
