"""Reads TAP, versions 12 to 14."""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

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

_DURATION = re.compile(r"\s*duration_ms:\s*([0-9.eE+-]{1,30})\s*")
_SUBTEST = re.compile(r"\s*# Subtest\b|\s{4,}(?:ok\b|not ok\b|1\.\.[0-9])")


class TapStories:
    """Subtests stand before the test that they belong to, or in braces behind it; diagnostics and comments behind it.
    A wrong guess costs a story, never an outcome. `seconds` is what the diagnostics say, or 0."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._before: StoryExcerpt | None = None
        self._own: StoryExcerpt | None = None
        self._subtests: StoryExcerpt | None = None
        self._block = ""
        self._has_test = self._may_begin_block = self._in_braces = False

    @property
    def is_open(self) -> bool:
        """Whether a block of diagnostics has begun and not ended."""
        return bool(self._block)

    def begin(self, in_braces: bool) -> None:
        """A test's own line was read: what is waiting belongs to it."""
        self._before, self._own, self._subtests = self._subtests, None, None
        self.seconds, self._block = 0.0, ""
        self._has_test, self._may_begin_block, self._in_braces = True, True, in_braces

    def end(self) -> None:
        """What follows does not belong to the test that was begun."""
        self._has_test = False

    def texts(self) -> Iterator[str]:
        """The story of the test that was begun: what stood behind it, then its subtests."""
        for part in (self._own, self._before):
            if part is not None:
                yield part.text()

    def takes(self, line: str) -> bool:
        """Whether the line is part of a story; the others are the document's own."""
        is_indented, is_comment = line[:1] in (" ", "\t"), line.startswith("#")
        if self._block and (is_indented or not line):
            self._in_block(line)
            return True
        self._block = ""  # its writer has died, and another goes on
        if not is_indented and not is_comment:
            self._may_begin_block = False
            self._in_braces &= line.strip() != "}"
            return False
        if is_indented and self._may_begin_block and line.strip() == "---":
            self._block = line[: len(line) - len(line.lstrip())] + "..."
        elif not self._in_braces and _SUBTEST.match(line) and self._subtests is None:
            self._subtests = StoryExcerpt()
        elif self._subtests is not None:
            self._subtests.add_line(line)
        elif self._has_test:
            self._add_own(line[1:].removeprefix(" ") if is_comment else line)
        self._may_begin_block = False
        return True

    def _in_block(self, line: str) -> None:
        if line.rstrip() == self._block:
            self._block = ""
        elif (found := _DURATION.fullmatch(line)) and line.startswith(self._block[:-3] + "d"):
            self.seconds = parse_seconds(found[1]) / 1000
        else:
            self._add_own(line.removeprefix(self._block[:-3]))

    def _add_own(self, line: str) -> None:
        if self._own is None:
            self._own = StoryExcerpt()
        self._own.add_line(line)


# Node's tap and Vitest write how long it took as if it were a directive, and open a brace for what follows.
_TIME = re.compile(r"\s#\s*time=([0-9.]+(?:ms|s)?)(\s*\{)?$")
_DIRECTIVE = re.compile(r"#\s*(skip(?:ped)?|todo)(?:[\s:]+(.*))?$", re.IGNORECASE | re.DOTALL)
_NUMBER = re.compile(r"[0-9]{1,9}(?=\s|$)")
_ESCAPED = re.compile(r"\\([\\#])")


@dataclass(frozen=True, slots=True)
class TapPoint:
    """`number` is 0 if the line has none; `opens` says that its subtests follow in braces."""

    __test__ = False

    number: int
    description: str
    outcome: Outcome
    reason: str
    seconds: float
    opens: bool


def parse_test_point(line: str) -> TapPoint | None:
    """None for a line that is something else. Cost: linear in the line."""
    is_ok = line.startswith("ok")
    rest = line[2:] if is_ok else line[6:]
    if not (is_ok or line.startswith("not ok")) or (rest and not rest[0].isspace()):
        return None
    rest = rest.strip()
    number = 0
    if found := _NUMBER.match(rest):
        number, rest = int(found[0]), rest[found.end() :].lstrip()
    if rest == "-" or rest.startswith("- "):
        rest = rest[2:].lstrip()
    seconds, opens = 0.0, False
    if timed := _TIME.search(rest, max(0, len(rest) - 80)):
        seconds, opens, rest = parse_seconds(timed[1]), bool(timed[2]), rest[: timed.start()]
    description, directive, reason = _parted(rest)
    return TapPoint(
        number, _ESCAPED.sub(r"\1", description.strip()), _outcome(is_ok, directive), reason.strip(), seconds, opens
    )


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


LONGEST_LINE = 64 * 1024
_VERSION = re.compile(r"TAP version [0-9]+\s*", re.IGNORECASE)
_PLAN = re.compile(r"1\.\.([0-9]{1,9})\s*(?:#\s*(.*))?", re.DOTALL)
_BAIL_OUT = re.compile(r"Bail out!\s*(.*)", re.IGNORECASE | re.DOTALL)


def read_tap(data: bytes) -> Reading:
    """The tests of the top level, in the document's sequence; a test's id is its description. Subtests and diagnostics
    are its story.

    Whole if there is one plan, before or after all tests, and as many tests as it says. Guarantee: a document that
    breaks off reports fewer tests, never other outcomes: a last line without its end does not count, because a
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
        self._reported = ReportedTests()
        self._stories = TapStories()
        self._point: TapPoint | None = None
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

    def _next(self, point: TapPoint) -> None:
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
            raise ReadingStops(f"the TAP plan has {tests} tests, but {self._count} were reported")
        self._remark = f"the plan says: {remark[:200]}" if tests == 0 and remark else ""

    def _finish(self) -> None:
        """The test before is reported when what follows it has been read."""
        if (point := self._point) is None:
            return
        self._point = None
        self._stories.end()
        story = "" if point.outcome is Outcome.PASSED else excerpt(point.reason, *self._stories.texts())
        seconds = point.seconds or self._stories.seconds
        self._reported.add(ReportedTest(point.description, point.outcome, seconds, story))

    def whole(self) -> Reading:
        self._finish()
        if self._stories.is_open:
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
