"""Why a plan is no faster, in words."""

import math

from unknot.report.plan.plan_report import PlanReport
from unknot.report.wording import counted, duration

_NEAR = 1.03
"""A plan that is so close to a bound is held back by it."""
_WORTH_SAYING = 0.03
"""A part of all the workers' time that is smaller than this holds nothing back."""


def bottlenecks(report: PlanReport) -> tuple[str, ...]:
    """Sentences, the most important first; empty only for a suite that takes no time. Ids stand in them as they are.

    A plan that reaches a bound is held back by that bound alone. Otherwise the time of all workers is shared out:
    the suite once, what runs again, clean states, and waiting.
    """
    if report.is_open:
        untried = report.dependencies.untried
        known = f" (untried: {counted(untried, 'pair')} of tests)" if untried else ""
        return (
            f"the detection is not finished{known}: only the suite's own order is known to be safe;"
            " `unknot detect` goes on from here",
        )
    if not report.work:
        return ()
    if report.workers == 1:
        return (f"one {report.who}: nothing runs at the same time",)
    return _bounded(report) or _shared_out(report)


def critical_words(report: PlanReport) -> str:
    """What the longest closure is."""
    best = report.at_best
    if len(best.critical_order) < 2:
        return f"{best.critical_order[-1]} alone takes {duration(best.critical)}"
    taken = sum(report.dependencies.seconds.get(test, 0.0) for test in best.critical_order)
    at_least = "at least " if taken > best.critical * (1 + 1e-9) else ""
    return f"{best.critical_order[-1]} and what it needs take {at_least}{duration(best.critical)}"


def _bounded(report: PlanReport) -> tuple[str, ...]:
    best = report.at_best
    # The bounds know nothing of clean states; one is the least that a lane takes.
    busy = report.makespan - report.clean_state
    if busy <= best.critical * _NEAR:
        return (f"{critical_words(report)}: no plan takes less, with any number of {report.who}s",)
    if busy <= best.share * _NEAR:
        most = math.ceil(report.work / best.critical) if best.critical else math.inf
        helps = f"more {report.who}s help" + (f", up to about {most:,}" if report.workers < most < math.inf else "")
        return (f"all {report.workers:,} {report.noun}s are full: {helps}",)
    if busy <= best.proven * _NEAR:
        return (
            f"what belongs together fits into {counted(report.workers, report.noun)} no better: no plan for so many"
            f" takes less than {duration(best.proven)}",
        )
    return ()


def _shared_out(report: PlanReport) -> tuple[str, ...]:
    everything = report.workers * report.makespan
    clean = report.clean_states * report.clean_state
    waiting = everything - sum(slot.end - slot.start for lane in report.predicted for slot in lane) - clean
    parts = sorted(
        [
            (report.repeated_seconds, _repeated_words(report)),
            (clean, f"{counted(report.clean_states, 'clean state')} take {duration(clean)}"),
            (waiting, _waiting_words(report, waiting / everything)),
        ],
        reverse=True,
    )
    said = tuple(words for seconds, words in parts if seconds >= _WORTH_SAYING * everything)
    return said or (parts[0][1],)


def _repeated_words(report: PlanReport) -> str:
    if not report.runs_of:
        return "nothing runs more than once"
    dearest, runs = next(iter(report.runs_of.items()))
    return (
        f"{duration(report.repeated_seconds)} of tests run more than once, because tests in several"
        f" {report.noun}s need them: most of all {dearest}, {runs} times"
    )


def _waiting_words(report: PlanReport, share: float) -> str:
    idle = report.workers - sum(bool(lane) for lane in report.predicted)
    if idle > 0:
        return (
            f"{idle:,} of {counted(report.workers, report.who)} {'has' if idle == 1 else 'have'} nothing to do:"
            " what is left cannot be taken apart without running more of it twice"
        )
    longest = report.ends.index(report.makespan) + 1
    return (
        f"{report.noun} {longest} is the last to end; the {report.noun}s wait {share * 100:.0f} % of the time,"
        " because what belongs together does not fit in evenly"
    )
