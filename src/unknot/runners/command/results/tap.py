"""Reads TAP, versions 12 to 14."""

import io
import re
from dataclasses import dataclass, field

from unknot.model.outcome import Outcome
from unknot.runners.command.results.reported import (
    Reading,
    ReadingStops,
    ReportedTest,
    ReportedTests,
    StoryExcerpt,
    excerpt,
    parse_seconds,
)

LONGEST_LINE = 64 * 1024

_VERSION = re.compile(r"TAP version [0-9]+\s*", re.IGNORECASE)
_PLAN = re.compile(r"1\.\.([0-9]{1,9})\s*(?:#\s*(.*))?", re.DOTALL)
_BAIL_OUT = re.compile(r"Bail out!\s*(.*)", re.IGNORECASE | re.DOTALL)
_POINT = re.compile(r"(not ok|ok)(?:\s+([0-9]{1,9})(?=\s|$))?(?:\s+-(?=\s|$))?(?:\s+(.*))?", re.DOTALL)
# Node's tap and Vitest write how long it took as if it were a directive, and open a brace for what follows.
_TIME = re.compile(r"\s#\s*time=([0-9.]+(?:ms|s)?)(\s*\{)?$")
_DIRECTIVE = re.compile(r"#\s*(skip(?:ped)?|todo)(?:[\s:]+(.*))?$", re.IGNORECASE | re.DOTALL)
_ESCAPED = re.compile(r"\\([\\#])")
_DURATION = re.compile(r"\s*duration_ms:\s*([0-9.eE+-]{1,30})\s*")
_SUBTEST = re.compile(r"\s*# Subtest\b|\s{4,}(?:ok\b|not ok\b|1\.\.[0-9])")


@dataclass
class _Point:
    """A test whose line was read, and what follows that line. `number` is 0 if it has none; `in_braces` says that its
    subtests follow in braces."""

    number: int
    description: str
    outcome: Outcome
    reason: str
    seconds: float
    in_braces: bool
    story: StoryExcerpt = field(default_factory=StoryExcerpt)
    subtests: StoryExcerpt | None = None


def _point(line: str) -> _Point | None:
    """None for a line that is something else. Cost: linear in the line."""
    found = _POINT.fullmatch(line.rstrip())
    if found is None:
        return None
    rest = found[3] or ""
    seconds, in_braces = 0.0, False
    if timed := _TIME.search(rest, max(0, len(rest) - 80)):
        seconds, in_braces, rest = parse_seconds(timed[1]), bool(timed[2]), rest[: timed.start()]
    description, directive, reason = _parted(rest)
    outcome = _outcome(found[1] == "ok", directive)
    description = _ESCAPED.sub(r"\1", description.strip())
    return _Point(int(found[2] or 0), description, outcome, reason.strip(), seconds, in_braces)


def _parted(rest: str) -> tuple[str, str, str]:
    """Description, directive, reason. A `#` that begins no directive is part of the description: bats escapes none."""
    place = rest.find("#")
    while place >= 0:
        # Blank before it: then no backslash escapes it either.
        if (place == 0 or rest[place - 1].isspace()) and (found := _DIRECTIVE.match(rest, place)):
            return rest[:place], found[1].lower()[:4], found[2] or ""
        place = rest.find("#", place + 1)
    return rest, "", ""


def _outcome(is_ok: bool, directive: str) -> Outcome:
    if directive == "skip":
        return Outcome.SKIPPED
    if directive == "todo":
        return Outcome.XPASSED if is_ok else Outcome.XFAILED
    return Outcome.PASSED if is_ok else Outcome.FAILED


def read_tap(data: bytes) -> Reading:
    """The tests of the top level, in the document's sequence; a test's id is its description. Subtests and diagnostics
    are its story.

    Whole if there is one plan, before or after all tests, and as many tests as it says. Guarantee: a document that
    breaks off reports fewer tests, never other outcomes: a last line without its end does not count, because a
    directive may have followed. What stands between tests and is no TAP is ignored. Raises ResultsRefused for more than
    a million tests. Cost: linear; of lines longer than 64 KB the rest is ignored.
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
    """Subtests stand before the test that they belong to, or in braces behind it; diagnostics and comments behind it.
    A wrong guess costs a story, never an outcome. `_block` is how the block of diagnostics ends that has begun."""

    def __init__(self) -> None:
        self._reported = ReportedTests()
        self._last: _Point | None = None
        self._subtests: StoryExcerpt | None = None
        self._block = ""
        self._may_begin_block = False
        self._count = 0
        self._plan = -1
        self._plan_is_last = False
        self._has_version = False
        self._remark = ""

    def read(self, line: str) -> None:
        if self._is_of_a_story(line):
            return
        if point := _point(line):
            self._next(point)
        elif plan := _PLAN.fullmatch(line):
            self._planned(int(plan[1]), plan[2] or "")
        elif bail := _BAIL_OUT.fullmatch(line):
            raise ReadingStops(f"the runner gave up: Bail out! {bail[1][:200]}".rstrip())
        elif _VERSION.fullmatch(line):
            if self._has_version:
                raise ReadingStops("the TAP results begin a second time")
            self._has_version = True

    def _is_of_a_story(self, line: str) -> bool:
        is_indented, is_comment = line[:1] in (" ", "\t"), line.startswith("#")
        if self._block and (is_indented or not line):
            self._read_in_block(line)
            return True
        self._block = ""  # its writer has died, and another goes on
        may_begin_block, self._may_begin_block = self._may_begin_block, False
        last = self._last
        if not is_indented and not is_comment:
            if last is not None and line.strip() == "}":
                last.in_braces = False
            return False
        if is_indented and may_begin_block and line.strip() == "---":
            self._block = line[: len(line) - len(line.lstrip())] + "..."
        elif self._subtests is None and _SUBTEST.match(line) and not (last is not None and last.in_braces):
            self._subtests = StoryExcerpt()
        elif self._subtests is not None:
            self._subtests.add_line(line)
        elif last is not None:
            last.story.add_line(line[1:].removeprefix(" ") if is_comment else line)
        return True

    def _read_in_block(self, line: str) -> None:
        assert self._last is not None
        indentation = self._block[:-3]
        if line.rstrip() == self._block:
            self._block = ""
        elif (found := _DURATION.fullmatch(line)) and line.startswith(indentation + "d"):
            self._last.seconds = self._last.seconds or parse_seconds(found[1]) / 1000
        else:
            self._last.story.add_line(line.removeprefix(indentation))

    def _next(self, point: _Point) -> None:
        self._finish()
        self._count += 1
        if self._plan >= 0 and (self._plan_is_last or self._count > self._plan):
            raise ReadingStops(f"the TAP plan has {self._plan} tests, and another one follows")
        if point.number and point.number != self._count:
            raise ReadingStops(f"a test has the number {point.number} where {self._count} comes next")
        if not point.description:
            raise ReadingStops(f"test number {self._count} has no description to know it by")
        point.subtests, self._subtests = self._subtests, None
        self._last = point
        self._may_begin_block = True

    def _planned(self, tests: int, remark: str) -> None:
        if self._plan >= 0:
            raise ReadingStops("the TAP results have a second plan")
        self._plan, self._plan_is_last = tests, self._count > 0
        if self._plan_is_last:
            self._finish()  # what follows is about the whole
        if tests < self._count:
            raise ReadingStops(f"the TAP plan has {tests} tests, but {self._count} were reported")
        self._remark = f"the plan says: {remark[:200]}" if tests == 0 and remark else ""

    def _finish(self) -> None:
        """The test before is reported when what follows it has been read."""
        last, self._last = self._last, None
        if last is None:
            return
        story = ""
        if last.outcome is not Outcome.PASSED:
            story = excerpt(last.reason, last.story.text(), last.subtests.text() if last.subtests else "")
        self._reported.add(ReportedTest(last.description, last.outcome, last.seconds, story))

    def whole(self) -> Reading:
        self._finish()
        if self._block:
            return self._reported.broken("the TAP results break off in the diagnostics of the last test")
        if self._plan < 0:
            return self._reported.broken("the TAP results have no plan")
        if self._count < self._plan:
            return self._reported.broken(f"the TAP plan has {self._plan} tests, but only {self._count} were reported")
        return self._reported.whole(self._remark)

    def broken(self, problem: str) -> Reading:
        try:
            self._finish()
        except ReadingStops as stop:
            problem = str(stop)
        return self._reported.broken(problem)
