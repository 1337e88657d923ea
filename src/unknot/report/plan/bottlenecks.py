"""Why a plan is not faster, in words."""

import math

from unknot.report.plan.plan_report import PlanReport
from unknot.report.wording import counted, duration

_NEAR = 1.03
"""A plan within this factor of a bound is limited by it."""
_WORTH_SAYING = 0.03
"""A smaller share of the workers' time is not worth mentioning."""


def bottlenecks(report: PlanReport) -> tuple[str, ...]:
    """Sentences, the most important first; empty only for a suite that takes no time. Ids in them are not escaped.

    A plan that reaches a bound is limited by that bound alone. Otherwise the time of all workers is divided into
    first runs, repeated runs, worker start-up and idle time.
    """
    if report.is_open:
        untried = report.dependencies.untried
        known = f" ({counted(untried, 'untried pair')} of tests)" if untried else ""
        return (
            f"the detection is not finished{known}: only the suite order is known to be safe;"
            " run `unknot detect` to resume",
        )
    if not report.work:
        return ()
    if report.workers == 1:
        return (f"one {report.worker_noun}: nothing runs in parallel",)
    return _limiting_bound(report) or _time_shares(report)


def critical_words(report: PlanReport) -> str:
    """The longest closure in words."""
    best = report.at_best
    if len(best.critical_order) < 2:
        return f"{best.critical_order[-1]} alone takes {duration(best.critical)}"
    taken = sum(report.dependencies.seconds.get(test, 0.0) for test in best.critical_order)
    at_least = "at least " if taken > best.critical * (1 + 1e-9) else ""
    return f"{best.critical_order[-1]} and its prerequisites take {at_least}{duration(best.critical)}"


def _limiting_bound(report: PlanReport) -> tuple[str, ...]:
    best = report.at_best
    # The bounds do not include start-up; every lane starts at least once.
    busy = report.makespan - report.clean_state
    if busy <= best.critical * _NEAR:
        return (f"{critical_words(report)}: no number of {report.worker_noun}s makes this faster",)
    if busy <= best.share * _NEAR:
        most = math.ceil(report.work / best.critical) if best.critical else math.inf
        helps = f"more {report.worker_noun}s help" + (
            f", up to about {most:,}" if report.workers < most < math.inf else ""
        )
        return (f"all {report.workers:,} {report.noun}s are full: {helps}",)
    if busy <= best.proven * _NEAR:
        return (
            f"dependent groups do not split better over {counted(report.workers, report.noun)}: no plan for that many"
            f" takes less than {duration(best.proven)}",
        )
    return ()


def _time_shares(report: PlanReport) -> tuple[str, ...]:
    everything = report.workers * report.makespan
    clean = report.clean_states * report.clean_state
    waiting = everything - sum(slot.end - slot.start for lane in report.predicted for slot in lane) - clean
    parts = sorted(
        [
            (report.repeated_seconds, _repeated_words(report)),
            (clean, f"{counted(report.clean_states, 'clean state')} take {duration(clean)} to set up"),
            (waiting, _idle_words(report, waiting / everything)),
        ],
        reverse=True,
    )
    sentences = tuple(words for seconds, words in parts if seconds >= _WORTH_SAYING * everything)
    return sentences or (parts[0][1],)


def _repeated_words(report: PlanReport) -> str:
    if not report.runs_of:
        return "no test runs more than once"
    most_expensive, runs = next(iter(report.runs_of.items()))
    return (
        f"tests that several {report.noun}s need are run again, which takes {duration(report.repeated_seconds)};"
        f" most expensive: {most_expensive} ({runs} runs)"
    )


def _idle_words(report: PlanReport, share: float) -> str:
    idle = report.workers - sum(bool(lane) for lane in report.predicted)
    if idle > 0:
        return (
            f"{idle:,} of {counted(report.workers, report.worker_noun)} {'is' if idle == 1 else 'are'} idle:"
            " splitting the rest would mean more repeated runs"
        )
    longest = report.ends.index(report.makespan) + 1
    return (
        f"{report.noun} {longest} ends last; {report.noun}s are idle {share * 100:.0f} % of the time,"
        " because dependent groups do not split evenly"
    )
