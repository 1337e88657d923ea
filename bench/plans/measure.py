"""One suite, one number of workers: what each maker makes of it, beside what splits without knowing."""

import heapq
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bench.plans.subjects import Subject
from unknot.model.dependencies import Dependencies
from unknot.model.plan import Plan
from unknot.plan.bound import Bounds, bounds
from unknot.plan.check import check_plan
from unknot.plan.makers.closures import make_closures, make_prefix_tree
from unknot.plan.makers.greedy import file_of, make_plan
from unknot.plan.makers.optimal import make_optimal
from unknot.plan.makers.registry import best_plan

SOLVED = 100
"""Tests up to which the optimum is sought."""

_CLOSURES = 2_000
"""Tests up to which plans of closures are made: what they run again grows with the square of dense suites."""

_SOLVER_SECONDS = 20.0


@dataclass(frozen=True)
class Made:
    """`seconds` is when the last lane ends, `planning` the CPU time that the plan took, `runs` counts tests run."""

    seconds: float
    planning: float
    runs: int


@dataclass(frozen=True)
class Row:
    """`proven` is the best lower bound known for lanes that share nothing: the solver's where it was asked. `unsafe`
    takes every test by itself, `by_file` every file, both longest first, whatever they depend on."""

    family: str
    size: int
    workers: int
    bounds: Bounds
    proven: float
    made: dict[str, Made]
    unsafe: float
    by_file: float


def measure(subject: Subject, workers: int) -> Row:
    """Raises AssertionError if a plan is not safe."""
    dependencies = subject.dependencies
    found = bounds(dependencies, workers)
    makers: dict[str, Callable[[], Plan]] = {
        "greedy": lambda: make_plan(dependencies, workers, clean_state=0.0),
        "auto": lambda: best_plan(dependencies, workers, clean_state=0.0, can_share=False),
    }
    if len(dependencies.suite) <= _CLOSURES:
        makers["closures"] = lambda: make_closures(dependencies, workers, clean_state=0.0)
        makers["prefix-tree"] = lambda: make_prefix_tree(dependencies, workers, clean_state=0.0)
    if len(dependencies.suite) <= SOLVED:
        makers["optimal"] = lambda: make_optimal(dependencies, workers, clean_state=0.0, time_limit=_SOLVER_SECONDS)
    made = {}
    proven = found.seconds
    for name, maker in makers.items():
        began = time.process_time()
        plan = maker()
        took = time.process_time() - began
        if violations := check_plan(plan, dependencies):
            raise AssertionError(f"{name} on {subject.family}, {workers} workers: {violations[0].message}")
        made[name] = Made(plan.predicted_seconds, took, sum(len(lane.tests) for lane in plan.lanes))
        proven = max(proven, plan.bound)
    return Row(
        subject.family,
        len(dependencies.suite),
        workers,
        found,
        proven,
        made,
        unsafe=_dealt(dependencies.seconds.values(), workers),
        by_file=_dealt(_files(dependencies).values(), workers),
    )


def _files(dependencies: Dependencies) -> dict[str, float]:
    found: dict[str, float] = {}
    for test in dependencies.suite.tests:
        found[file_of(test)] = found.get(file_of(test), 0.0) + dependencies.seconds[test]
    return found


def _dealt(seconds: Iterable[float], workers: int) -> float:
    ends = [0.0] * workers
    for one in sorted(seconds, reverse=True):
        heapq.heappushpop(ends, ends[0] + one)
    return max(ends)
