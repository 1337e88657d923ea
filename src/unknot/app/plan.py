"""Checks a plan and puts together what is said of it."""

from pathlib import Path

from rich.console import Console

from unknot.model.dependencies import Dependencies
from unknot.model.errors import StorageError, UnknotError
from unknot.model.plan import Plan, Timeline
from unknot.plan.bound import bounds
from unknot.plan.check import check_plan
from unknot.plan.makers.registry import best_plan
from unknot.plan.problem import CLEAN_STATE, predict_timeline
from unknot.report.plan.plan_report import LowerBound, PlanReport
from unknot.store.run_times import NAME, read_run_times


# The times of the last `unknot run`, for pictures beside a prediction.
def last_run(state: Path, dependencies: Dependencies, console: Console) -> Timeline | None:
    """None where there was no run yet, or one of other tests: a part of the suite, or a suite that has changed since.
    A picture is not worth an error, so a file that cannot be read is told and passed over."""
    path = state / NAME
    if not path.exists():
        return None
    try:
        timeline = read_run_times(path).timeline
    except StorageError as problem:
        console.print(f"note: the last run is not shown: {problem.message}", markup=False)
        return None
    ran = {slot.test for worker in timeline for slot in worker}
    return timeline if ran and ran.issuperset(dependencies.suite.tests) else None


def planned(
    dependencies: Dependencies,
    plan: Plan,
    workers: int,
    clean_state: float,
    *,
    real: Timeline | None = None,
    noun: str = "lane",
) -> PlanReport:
    """A plan that is not safe is its maker's mistake, and stops here. Runs nothing."""
    if violations := check_plan(plan, dependencies):
        raise UnknotError(f"the plan is not safe: {violations[0].message}", hint="please report this as a bug")
    known = bounds(dependencies, workers)
    at_best = LowerBound(
        critical=known.critical,
        critical_order=() if known.critical_test is None else dependencies.closure(known.critical_test),
        share=known.share,
        proven=max(known.seconds, plan.bound),
    )
    timeline = predict_timeline(plan, dependencies.seconds, clean_state)
    return PlanReport(dependencies, plan, workers, clean_state, timeline, at_best, real, noun)


def for_the_report(dependencies: Dependencies, workers: int, state: Path, console: Console) -> PlanReport | None:
    """The plan that a report on the whole suite shows, with the times of the last run; None for a suite without
    tests."""
    if not dependencies.suite.tests:
        return None
    made = best_plan(dependencies, workers, clean_state=CLEAN_STATE, can_share=False)
    return planned(dependencies, made, workers, CLEAN_STATE, real=last_run(state, dependencies, console))
