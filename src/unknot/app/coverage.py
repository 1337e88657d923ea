"""What goes by coverage: the cheapest suite of equal coverage, and an order that reaches coverage early."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from unknot.app.find_tests import first_and_count
from unknot.app.known_result import planning_result
from unknot.app.options import ProjectFiles, RunnerOptions
from unknot.app.plan import require_safe
from unknot.app.progress import ProgressListener
from unknot.app.recording.kept import coverage_of_suite
from unknot.coverage.elements import read_elements
from unknot.model.coverage import Coverage
from unknot.model.dependencies import Dependencies
from unknot.model.errors import UsageError
from unknot.model.plan import Lane, Plan
from unknot.model.sanitise import shown
from unknot.model.suite import Order
from unknot.plan.cover.minimise import MinimalSuite
from unknot.plan.cover.minimise import minimise as minimal_suite
from unknot.plan.priority.prioritise import PrioritisedOrder, by_coverage, by_seconds, by_structure
from unknot.report.wording import counted

SOLVER_SECONDS = 60.0


@dataclass(frozen=True, kw_only=True)
class CoverageOptions:
    """`branches`: branches count, not lines; only for coverage.py's data files."""

    coverage: Path
    branches: bool = False
    files: ProjectFiles = field(default_factory=ProjectFiles)


@dataclass(frozen=True, kw_only=True)
class MinimiseOptions:
    """`coverage`: what each test covers, by default as it was recorded, or is recorded now with the `runner`.
    `branches`: as in CoverageOptions. `keep`: tests that must stay, as node ids, files, classes, or patterns with * and
    ?. `max_seconds`: as much coverage as possible within so many seconds. `time_limit` is for the solver."""

    coverage: Path | None = None
    branches: bool = False
    files: ProjectFiles = field(default_factory=ProjectFiles)
    runner: RunnerOptions
    keep: tuple[str, ...] = ()
    max_seconds: float | None = None
    solver: Literal["auto", "greedy", "optimal"] = "auto"
    time_limit: float = SOLVER_SECONDS


def minimise(options: MinimiseOptions, listener: ProgressListener) -> MinimalSuite:
    """Raises UsageError for coverage that does not fit, and for a pattern that matches no test."""
    dependencies = planning_result(options.files, listener)
    data_file = options.coverage or coverage_of_suite(options.runner, options.files, dependencies, listener)
    source = CoverageOptions(coverage=data_file, branches=options.branches, files=options.files)
    coverage = read_coverage(source, dependencies, listener, without="dropped unless kept or needed")
    if not dependencies.complete or dependencies.untried:
        listener.note(
            "the detection is incomplete: only a beginning of the suite is known to be safe; run `unknot detect` again"
        )
    return minimal_suite(
        dependencies,
        coverage,
        keep=_kept(options.keep, dependencies),
        max_seconds=options.max_seconds,
        solver=options.solver,
        time_limit=options.time_limit,
    )


def prioritise(
    by: str, files: ProjectFiles, source: CoverageOptions | None, listener: ProgressListener
) -> PrioritisedOrder:
    """The whole suite in a safe order. `by` is `coverage`, which needs a source, `structure` or `seconds`."""
    dependencies = planning_result(files, listener)
    if by == "coverage":
        if source is None:
            raise UsageError(
                "an order by coverage needs coverage data",
                hint="Name a file, or order by `structure` or `seconds`.",
                slug="option-requires-other",
            )
        coverage = read_coverage(source, dependencies, listener, without="run when nothing else is left")
        found = by_coverage(dependencies, coverage)
    else:
        found = by_structure(dependencies) if by == "structure" else by_seconds(dependencies)
    require_safe(Plan((Lane((found.order,)),), 0.0), dependencies)
    if found.reason:
        listener.note(f"the order stays as it is: {found.reason}")
    return found


def _kept(patterns: Sequence[str], dependencies: Dependencies) -> Order:
    kept = set()
    for pattern in patterns:
        # Square brackets are no pattern here: half of all node ids have them.
        wanted = re.escape(pattern.rstrip("/")).replace(r"\*", ".*").replace(r"\?", ".")
        matching = re.compile(rf"{wanted}(?:(?:::|/|\[).*)?", re.DOTALL)
        found = [test for test in dependencies.suite.tests if matching.fullmatch(test)]
        if not found:
            raise UsageError(
                f"{shown(pattern)}, which is to be kept, matches no test of the lock file",
                hint="Give a node id as in `pytest --collect-only -q`, or a pattern with * and ?.",
                slug="no-such-test",
            )
        kept.update(found)
    return tuple(test for test in dependencies.suite.tests if test in kept)


def read_coverage(
    options: CoverageOptions, dependencies: Dependencies, listener: ProgressListener, *, without: str
) -> Coverage:
    """The coverage of the tests of the lock file. What does not fit is noted; `without` is what happens to a test
    without coverage. Raises UsageError if nothing fits."""
    found = read_elements(options.coverage, branches=options.branches)
    known = Coverage(
        found.elements, {test: found.rows[test] for test in dependencies.suite.tests if test in found.rows}
    )
    if not known.covered:
        example = next(iter(found.rows), "")
        raise UsageError(
            f"no test of {shown(str(options.coverage))} that covers anything is in {shown(str(options.files.lock))};"
            f" it has, for example, {shown(example)}",
            hint="Record both from the same directory, with the same test ids.",
            slug="coverage-other-suite",
        )

    def note(tests: Sequence[str], text: str) -> None:
        if tests:
            listener.note(f"{text}: {first_and_count(list(map(shown, tests)))}")

    foreign = [test for test in found.rows if test not in dependencies.suite.index]
    note(foreign, f"{counted(len(foreign), 'test')} of the coverage not in the lock file, ignored")
    uncovered = [test for test in dependencies.suite.tests if not known.rows.get(test)]
    note(uncovered, f"{counted(len(uncovered), 'test')} of the lock file without coverage, {without}")
    missed = known.uncovered
    note(missed, f"{counted(len(missed), 'element')} of {len(found.elements):,} covered by no test, ignored")
    return known
