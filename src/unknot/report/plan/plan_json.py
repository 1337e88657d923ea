"""A plan as JSON. Documented for users in docs/reference."""

import json
from typing import Any

from unknot.model.plan import Timeline
from unknot.model.suite import TestId
from unknot.report.plan.bottlenecks import bottlenecks
from unknot.report.plan.plan_report import PlanReport

_DIGITS = 9
"""Of seconds: enough that a bound and a makespan compare as they should, few enough to hide binary fractions."""


def plan_to_json(report: PlanReport) -> dict[str, Any]:
    """`lanes` has all that each worker runs, in order; `orders` the same, split at each clean state. If orders share
    prefixes, `lanes` has each shared run once and `orders` has each order in full. `lower_bound` is
    max(critical path, work / workers); `proven_bound` is the best bound known, a solver's if one ran."""
    best = report.at_best
    return {
        "makespan": _rounded(report.makespan),
        "lower_bound": _rounded(best.seconds),
        "lanes": [[slot.test for slot in lane] for lane in report.predicted],
        "proven_bound": _rounded(best.proven),
        "critical_path": {"seconds": _rounded(best.critical), "tests": list(best.critical_order)},
        "work": _rounded(report.work),
        "workers": report.workers,
        "clean_state": _rounded(report.clean_state),
        "speed_up": _rounded(report.speed_up),
        "orders": [[list(order) for order in lane.orders] for lane in report.plan.lanes],
        "shares": report.plan.shares,
        "repeated": {"tests": dict(report.runs_of), "seconds": _rounded(report.repeated_seconds)},
        "maker": report.plan.maker,
        "complete": not report.is_open,
        "held_back_by": list(bottlenecks(report)),
        **({"shards": _shards(report)} if report.noun == "shard" else {}),
        **_wall(report),
        **({} if report.real is None else {"last_run": _timeline(report.real)}),
    }


def dumps_plan(report: PlanReport) -> str:
    """Pure ASCII, so that any id survives any pipe; ends with a newline."""
    return json.dumps(plan_to_json(report), indent=1, allow_nan=False) + "\n"


def _shards(report: PlanReport) -> list[dict[str, Any]]:
    """`own`: the tests whose result this shard reports. A test that several shards run belongs to the first of them."""
    taken: set[TestId] = set()
    found = []
    for number, (lane, end) in enumerate(zip(report.predicted, report.ends, strict=True), start=1):
        tests = [slot.test for slot in lane]
        own = [test for test in tests if test not in taken]
        taken.update(own)
        found.append({"shard": number, "of": report.workers, "seconds": _rounded(end), "tests": tests, "own": own})
    return found


def _wall(report: PlanReport) -> dict[str, Any]:
    wall, start_up = report.wall, report.start_up
    if wall is None or start_up is None:
        return {}
    return {
        "wall": {
            "seconds": _rounded(wall.parallel),
            "plain_pytest": _rounded(wall.plain),
            "plain_is_faster": wall.is_plain_faster,
            "collection": _rounded(start_up.collecting),
            "rest": _rounded(start_up.rest),
        }
    }


def _timeline(timeline: Timeline) -> list[list[dict[str, Any]]]:
    return [
        [
            {
                "test": slot.test,
                "start": _rounded(slot.start),
                "end": _rounded(slot.end),
                "outcome": None if slot.outcome is None else slot.outcome.value,
            }
            for slot in lane
        ]
        for lane in timeline
    ]


def _rounded(seconds: float) -> float:
    return round(seconds, _DIGITS)
