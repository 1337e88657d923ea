"""Makes and checks plans for a parallel run, and gathers what is reported about them."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from unknot.app.known_result import planning_result
from unknot.app.options import ProjectFiles, worker_count
from unknot.app.progress import ProgressListener
from unknot.model.dependencies import Dependencies
from unknot.model.errors import StorageError, UnknotError, UsageError
from unknot.model.plan import Lane, Plan, Timeline
from unknot.model.start_up import StartUp
from unknot.plan.bound import bounds
from unknot.plan.check import check_plan
from unknot.plan.makers.optimal import TIME_LIMIT, make_optimal
from unknot.plan.makers.registry import MAKERS, PLANNERS, best_plan
from unknot.plan.partial import make_shards
from unknot.plan.problem import CLEAN_STATE, predict_timeline
from unknot.report.plan.plan_report import LowerBound, PlanReport
from unknot.store.run_times import read_run_times
from unknot.store.state_directory import StateDirectory


@dataclass(frozen=True, kw_only=True)
class PlanOptions:
    """`clean_state` are the seconds that it takes to reach a clean state, for each order. `time_limit` is for the
    planner `optimal`."""

    workers: int | None = None
    planner: str = "auto"
    clean_state: float = CLEAN_STATE
    time_limit: float = TIME_LIMIT


def make_plan(dependencies: Dependencies, options: PlanOptions, *, can_share: bool = False) -> Plan:
    """A plan that was checked. `can_share` says that the runner can run common beginnings of orders once."""
    workers, clean_state = worker_count(options.workers), options.clean_state
    if options.planner == "auto":
        plan = best_plan(dependencies, workers, clean_state=clean_state, can_share=can_share)
    elif options.planner == "optimal":
        plan = make_optimal(dependencies, workers, clean_state=clean_state, time_limit=options.time_limit)
    elif options.planner in MAKERS:
        plan = MAKERS[options.planner](dependencies, workers, clean_state=clean_state)
    else:
        raise UsageError(
            f"there is no planner `{options.planner}`",
            hint=f"Choose one of {', '.join(PLANNERS)}.",
            slug="planner-unknown",
        )
    require_safe(plan, dependencies)
    return plan


def require_safe(plan: Plan, dependencies: Dependencies) -> None:
    """A plan that is not safe is a bug of its planner, and must not be used. Raises UnknotError."""
    if violations := check_plan(plan, dependencies):
        raise UnknotError(
            f"the plan is not safe: {violations[0].message}", hint="Please report this bug.", slug="unsafe-result"
        )


def require_lock(
    files: ProjectFiles, listener: ProgressListener, hint: str = "Run `unknot detect` first."
) -> Dependencies:
    """The dependencies of a lock file, which must exist, with a duration for each test."""
    if not files.lock.exists():
        raise UsageError(f"there is no {files.lock} to plan by", hint=hint, slug="lock-missing")
    return planning_result(files, listener)


def plan_report(
    dependencies: Dependencies,
    plan: Plan,
    workers: int,
    clean_state: float,
    *,
    real: Timeline | None = None,
    noun: str = "lane",
    start_up: StartUp | None = None,
) -> PlanReport:
    """A checked plan with its predicted times and lower bounds. Runs nothing."""
    require_safe(plan, dependencies)
    known = bounds(dependencies, workers)
    at_best = LowerBound(
        critical=known.critical,
        critical_order=() if known.critical_test is None else dependencies.closure(known.critical_test),
        share=known.share,
        proven=max(known.seconds, plan.bound),
    )
    timeline = predict_timeline(plan, dependencies.seconds, clean_state)
    return PlanReport(dependencies, plan, workers, clean_state, timeline, at_best, real, noun, start_up)


def shard_report(dependencies: Dependencies, shards: int, clean_state: float) -> PlanReport:
    """Each shard as the lane of a machine that runs one test after another; how many workers that machine has is known
    only when it runs."""
    lanes = tuple(Lane((order,) if order else ()) for order in make_shards(dependencies, shards))
    longest = max(clean_state + sum(dependencies.seconds[test] for test in lane.tests) for lane in lanes)
    return plan_report(dependencies, Plan(lanes, longest), shards, clean_state, noun="shard")


def plan_for_report(
    dependencies: Dependencies, workers: int, state: Path, listener: ProgressListener, *, with_last_run: bool = True
) -> PlanReport | None:
    """The plan that a report on the whole suite shows; None for a suite without tests. With the times of the last run,
    if there are any, it is for as many workers as that had."""
    if not dependencies.suite.tests:
        return None
    real = last_run(state, dependencies, listener.note) if with_last_run else None
    workers = len(real) if real else workers
    plan = make_plan(dependencies, PlanOptions(workers=workers))
    return plan_report(dependencies, plan, workers, CLEAN_STATE, real=real)


def last_run(state: Path, dependencies: Dependencies, note: Callable[[str], None]) -> Timeline | None:
    """The times of the last `unknot run`. None if there was none, or if it was of other tests: a part of the suite, or
    a suite that has changed since. They are only shown, so a file that cannot be read is noted and ignored."""
    path = StateDirectory(state).last_run
    if not path.exists():
        return None
    try:
        timeline = read_run_times(path).timeline
    except StorageError as problem:
        note(f"the last run is not shown: {problem.message}")
        return None
    ran = {slot.test for worker in timeline for slot in worker}
    return timeline if ran and ran.issuperset(dependencies.suite.tests) else None
