"""A plan for a terminal."""

from itertools import islice

from rich.text import Text

from unknot.model.sanitise import shown
from unknot.model.start_up import WallTime
from unknot.report.plan.bottlenecks import bottlenecks, critical_words
from unknot.report.plan.plan_report import PlanReport, lane_ends, repetitions
from unknot.report.text.lines import Lines
from unknot.report.wording import counted, duration

_FEW_TESTS = 30
_MOST_LANES = 64
_MOST_CHAIN = 8
_MOST_REPEATED = 3
_LEAST_BAR, _MOST_BAR = 10, 60
_MARKS = ("█", "▒", "·")
_PLAIN_MARKS = ("#", "+", ".")


def plan_text(report: PlanReport, *, width: int = 80, verbose: bool = False, encoding: str = "utf-8") -> Text:
    """The predicted time, its bounds and bottlenecks, then the lanes. With `verbose`, or for a small suite, also the
    tests of each lane. Bars fit into `width`; each id is on one line. It reads the same without colour; if `encoding`
    has no block characters, bars are made of `#`."""
    lines = Lines()
    _add_summary(lines, report)
    if report.predicted:
        lines.line()
        _Lanes(report, lines, width, encoding).add(with_tests=verbose or _is_small(report), all_lanes=verbose)
    return lines.text


def _is_small(report: PlanReport) -> bool:
    return sum(map(len, report.predicted)) <= _FEW_TESTS


def _add_summary(lines: Lines, report: PlanReport) -> None:
    lines.line(report.headline, "bold")
    if report.wall is not None and report.start_up is not None:
        lines.field("plain pytest", _plain_words(report.wall))
        start, rest = duration(report.start_up.collecting), duration(report.start_up.rest)
        lines.field("start-up", [f"collection {start}, workers and the rest {rest} (measured)"])
        lines.field("lanes", [duration(report.makespan)])
    lines.field("serial", [duration(report.work)])
    best = report.at_best
    lines.field(
        "lower bound",
        [
            f"{duration(best.proven)} (this plan: {report.compared_to_bound})",
            f"longest closure {duration(best.critical)}, "
            f"work / {report.worker_noun}s {duration(best.share)}{_more(report)}",
        ],
    )
    lines.field("run repeatedly", [_repeated(report)])
    if report.plan.maker:
        lines.field("planner", [report.plan.maker])
    if report.real:
        lines.field("last run", [f"the lanes took {duration(max(lane_ends(report.real)))}"])
    reasons = bottlenecks(report)
    lines.field("bottleneck", reasons)
    if best.critical_order and any(reason.startswith(critical_words(report)) for reason in reasons):
        _add_chain(lines, report)


def _plain_words(wall: WallTime) -> list[str]:
    words = [duration(wall.plain)]
    if wall.is_plain_faster:
        words.append("faster than workers: `unknot run` without -n runs one process in suite order")
    return words


def _more(report: PlanReport) -> str:
    best = report.at_best
    return f", proven {duration(best.proven)}" if best.proven > best.seconds * (1 + 1e-6) else ""


def _repeated(report: PlanReport) -> str:
    if not report.runs_of:
        return "no test"
    named = ", ".join(f"{test} ({runs} times)" for test, runs in islice(report.runs_of.items(), _MOST_REPEATED))
    more = " …" if len(report.runs_of) > _MOST_REPEATED else ""
    return f"{counted(len(report.runs_of), 'test')}, {duration(report.repeated_seconds)}: {named}{more}"


def _add_chain(lines: Lines, report: PlanReport) -> None:
    """The longest closure in order; if it is long, only its slowest tests."""
    order = report.at_best.critical_order
    if len(order) < 2:
        return
    seconds = report.dependencies.seconds
    kept = set(sorted(order, key=lambda test: -seconds.get(test, 0.0))[:_MOST_CHAIN]) | {order[-1]}
    chosen = order if len(order) <= _MOST_CHAIN + 1 else tuple(test for test in order if test in kept)
    lines.field("", [f"  {duration(seconds.get(test, 0.0)):>9}  {test}" for test in chosen])
    if len(chosen) < len(order):
        rest = sum(seconds.get(test, 0.0) for test in order if test not in kept)
        lines.field("", [f"  {duration(rest):>9}  in {counted(len(order) - len(chosen), 'other test')}"])


class _Lanes:
    def __init__(self, report: PlanReport, lines: Lines, width: int, encoding: str) -> None:
        self._report = report
        self._lines = lines
        self._again = repetitions(report.predicted)
        self._marks = _MARKS if _can_encode("".join(_MARKS), encoding) else _PLAIN_MARKS
        number = max(2, len(str(len(report.predicted))))
        count = max(len(self._count(place)) for place in range(len(report.predicted)))
        self._head = f"{report.noun} {{:>{number}}}  {{:>11}}  {{:>{count}}}  "
        self._bar = max(_LEAST_BAR, min(_MOST_BAR, width - len(self._head.format("", "", "")) - 1))

    def add(self, *, with_tests: bool, all_lanes: bool) -> None:
        lanes = self._report.predicted
        most = len(lanes) if all_lanes or len(lanes) <= _MOST_LANES + 1 else _MOST_LANES
        for number in range(most):
            self._add_lane(number)
            if with_tests:
                self._add_tests(number)
        if most < len(lanes):
            self._lines.line(f"and {len(lanes) - most:,} more {self._report.noun}s: use -v to see all")
        if self._again:
            first, again, _ = self._marks
            self._lines.line(f"{first} first run   {again} repeated run", "dim")

    def _add_lane(self, number: int) -> None:
        report = self._report
        end = report.ends[number]
        head = self._head.format(number + 1, duration(end), self._count(number))
        longest = len(report.ends) > 1 and end == report.makespan
        self._lines.text.append(head, "bold" if longest else None)
        self._add_bar(number, end)
        self._lines.text.append("\n")

    def _add_bar(self, number: int, end: float) -> None:
        report = self._report
        cells = round(self._bar * end / report.makespan) if report.makespan else 0
        repeated = sum(
            slot.end - slot.start
            for place, slot in enumerate(report.predicted[number])
            if (number, place) in self._again
        )
        again = min(cells, round(self._bar * repeated / report.makespan)) if report.makespan else 0
        first_mark, again_mark, wait_mark = self._marks
        text = self._lines.text
        text.append(first_mark * (cells - again), "green")
        text.append(again_mark * again, "yellow")
        text.append(wait_mark * (self._bar - cells), "dim")

    def _add_tests(self, number: int) -> None:
        order = 0
        for place, slot in enumerate(self._report.predicted[number]):
            if slot.order != order:
                order = slot.order
                self._lines.text.append(f"      {'':>9}  from a clean state\n", "dim")
            again = "  (again)" if (number, place) in self._again else ""
            self._lines.text.append(f"      {duration(slot.end - slot.start):>9}  {shown(slot.test)}{again}\n")

    def _count(self, number: int) -> str:
        orders = len(self._report.plan.lanes[number].orders)
        tests = counted(len(self._report.predicted[number]), "test")
        return tests if orders < 2 else f"{tests} in {orders:,} orders"


def _can_encode(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
