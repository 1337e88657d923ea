"""Reads TAP, versions 12 to 14."""

import io
import re

from unknot.model.outcome import Outcome
from unknot.runners.command.results.excerpt import excerpt
from unknot.runners.command.results.reported import Reading, ReadingStops, ReportedTest, ReportedTests
from unknot.runners.command.results.tap_line import TestPoint, parse_test_point
from unknot.runners.command.results.tap_stories import TapStories

LONGEST_LINE = 64 * 1024
_VERSION = re.compile(r"TAP version [0-9]+\s*", re.IGNORECASE)
_PLAN = re.compile(r"1\.\.([0-9]{1,9})\s*(?:#\s*(.*))?", re.DOTALL)
_BAIL_OUT = re.compile(r"Bail out!\s*(.*)", re.IGNORECASE | re.DOTALL)


def read_tap(data: bytes) -> Reading:
    """The tests of the top level, in the document's sequence; a test's id is its description. Subtests and diagnostics
    are its story.

    Whole if there is one plan, before or after all tests, and as many tests as it says. Guarantee: a document that
    breaks off tells fewer tests, never other outcomes: a last line without its end is not believed, because a
    directive may have followed. What stands between tests and is no TAP is ignored. Raises ResultsRefused for more than
    a million tests. Cost: linear; of lines longer than 64 KB the rest is not looked at.
    """
    document = _Document()
    try:
        for raw in io.BytesIO(data):
            if not raw.endswith(b"\n"):
                raise ReadingStops("the TAP results break off in the middle of a line")
            document.read(raw[:LONGEST_LINE].decode(errors="replace").rstrip("\r\n"))
        return document.whole()
    except ReadingStops as stop:
        return document.broken(str(stop))


class _Document:
    def __init__(self) -> None:
        self._tellings = ReportedTests()
        self._stories = TapStories()
        self._point: TestPoint | None = None
        self._count = 0
        self._plan = -1
        self._plan_is_last = False
        self._has_version = False
        self._remark = ""

    def read(self, line: str) -> None:
        if self._stories.takes(line):
            return
        if point := parse_test_point(line):
            self._next(point)
        elif plan := _PLAN.fullmatch(line):
            self._planned(int(plan[1]), plan[2] or "")
        elif bail := _BAIL_OUT.fullmatch(line):
            raise ReadingStops(f"the runner gave up: Bail out! {bail[1][:200]}".rstrip())
        elif _VERSION.fullmatch(line):
            if self._has_version:
                raise ReadingStops("the TAP results begin a second time")
            self._has_version = True

    def _next(self, point: TestPoint) -> None:
        self._finish()
        self._count += 1
        if self._plan >= 0 and (self._plan_is_last or self._count > self._plan):
            raise ReadingStops(f"the TAP plan has {self._plan} tests, and another one follows")
        if point.number and point.number != self._count:
            raise ReadingStops(f"a test has the number {point.number} where {self._count} comes next")
        if not point.description:
            raise ReadingStops(f"test number {self._count} has no description to know it by")
        self._point = point
        self._stories.begin(point.opens)

    def _planned(self, tests: int, remark: str) -> None:
        if self._plan >= 0:
            raise ReadingStops("the TAP results have a second plan")
        self._plan, self._plan_is_last = tests, self._count > 0
        if self._plan_is_last:
            self._finish()  # what follows is about the whole
        if tests < self._count:
            raise ReadingStops(f"the TAP plan has {tests} tests, but {self._count} were told")
        self._remark = f"the plan says: {remark[:200]}" if tests == 0 and remark else ""

    def _finish(self) -> None:
        """The test before is told when what follows it has been seen."""
        if (point := self._point) is None:
            return
        self._point = None
        self._stories.end()
        story = "" if point.outcome is Outcome.PASSED else excerpt(point.reason, *self._stories.texts())
        seconds = point.seconds or self._stories.seconds
        self._tellings.add(ReportedTest(point.description, point.outcome, seconds, story))

    def whole(self) -> Reading:
        self._finish()
        if self._stories.is_open:
            return self._tellings.broken("the TAP results break off in the diagnostics of the last test")
        if self._plan < 0:
            return self._tellings.broken("the TAP results have no plan")
        if self._count < self._plan:
            return self._tellings.broken(f"the TAP plan has {self._plan} tests, but only {self._count} were told")
        return self._tellings.whole(self._remark)

    def broken(self, problem: str) -> Reading:
        try:
            self._finish()
        except ReadingStops as stop:
            problem = str(stop)
        return self._tellings.broken(problem)
