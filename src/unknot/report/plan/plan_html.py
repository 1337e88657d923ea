"""A plan as an HTML page, and as a section of the report."""

from collections.abc import Iterator
from html import escape
from itertools import groupby

from unknot import __version__
from unknot.model.plan import Timeline, TimelineItem
from unknot.report.html.style import PLAN, code, facts
from unknot.report.plan.bottlenecks import bottlenecks
from unknot.report.plan.gantt import PATTERNS, to_gantt
from unknot.report.plan.plan_report import PlanReport, lane_ends, repetitions
from unknot.report.wording import counted, duration


def plan_to_html(report: PlanReport) -> str:
    """The page. Guarantee: all text of the suite is escaped, the page loads nothing and has no script. Cost: linear in
    the tests run."""
    return "".join(f"{line}\n" for line in _page(report))


def plan_section(report: PlanReport) -> Iterator[str]:
    """The same without the page around it."""
    yield f'<h2 id="plan-h">Plan for {counted(report.workers, report.worker_noun)}</h2>'
    yield from _body(report)


def _page(report: PlanReport) -> Iterator[str]:
    yield "<!DOCTYPE html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{PLAN.content_security_policy()}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>unknot: {report.title}</title>"
    yield f"<style>{PLAN.style()}</style></head><body><main>"
    yield f"<h1>{report.title}: {duration(report.makespan)}</h1>"
    yield from _body(report)
    yield f'</main><footer class="dim">Written by unknot {escape(__version__)}.</footer></body></html>'


def _body(report: PlanReport) -> Iterator[str]:
    yield from _facts(report)
    yield from _drawings(report)
    yield from _lists(report)


def _facts(report: PlanReport) -> Iterator[str]:
    best = report.at_best
    bounds = f"longest closure {duration(best.critical)}, work / {report.worker_noun}s {duration(best.share)}"
    repeated = f"{counted(len(report.runs_of), 'test')}, {duration(report.repeated_seconds)}"
    yield from facts(
        ("Predicted", f"{duration(report.makespan)}, {report.compared_to_serial}"),
        ("Serial", duration(report.work)),
        ("Lower bound", f"{duration(best.proven)} ({bounds}); this plan: {report.compared_to_bound}"),
        ("Run repeatedly", repeated if report.runs_of else "no test"),
        *([("Planner", report.plan.maker)] if report.plan.maker else []),
        *([("Last run", f"the lanes took {duration(max(lane_ends(report.real)))}")] if report.real else []),
        *(("Bottleneck", reason) for reason in bottlenecks(report)),
    )


def _drawings(report: PlanReport) -> Iterator[str]:
    if not report.predicted:
        return
    best = report.at_best
    until = max(report.makespan, best.proven, *(lane_ends(report.real) if report.real else ()))
    failed = '<span class="key bad"></span>failed'
    yield (
        '<p class="dim">One row per lane; time runs from left to right.'
        '<span class="key"></span>test<span class="key again"></span>repeated run'
        f"{failed if report.real else ''}"
        '<span class="key end"></span>lower bound, ▸ the lane that ends last.'
        " Hover over a box for details; the lists below have the same content.</p>"
    )
    yield PATTERNS
    yield from _drawing("Predicted", report.predicted, until, best.proven)
    if report.real:
        yield from _drawing("Last run", report.real, until, best.proven)


def _drawing(name: str, timeline: Timeline, until: float, bound: float) -> Iterator[str]:
    longest = duration(max(lane_ends(timeline)))
    yield f"<h3>{name}: {longest}</h3>"
    drawn = to_gantt(timeline, f"{name}: {counted(len(timeline), 'lane')}, {longest}", until=until, bound=bound)
    yield f'<div class="scroll" tabindex="0" role="group" aria-label="{name}">{drawn}</div>'


def _lists(report: PlanReport) -> Iterator[str]:
    """The content of the drawing as lists, for readers who cannot see it or use a pointer."""
    if not report.predicted:
        return
    again = repetitions(report.predicted)
    yield f"<h3>Tests of each {report.noun}</h3>"
    for number, lane in enumerate(report.predicted):
        count = counted(len(lane), "test")
        yield f"<details><summary>{report.noun} {number + 1}: {count}, {duration(report.ends[number])}</summary>"
        for order, places in groupby(range(len(lane)), key=lambda place: lane[place].order):
            yield f"{'<p>from a clean state:</p>' if order else ''}<ol>"
            yield from (_item(lane[place], again=(number, place) in again) for place in places)
            yield "</ol>"
        yield "</details>"


def _item(slot: TimelineItem, *, again: bool) -> str:
    note = " (repeated run)" if again else ""
    return f'<li>{code(slot.test)} <span class="dim">{duration(slot.end - slot.start)}{note}</span></li>'
