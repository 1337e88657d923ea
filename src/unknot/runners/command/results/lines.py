"""Reads one line per test, by a regular expression."""

import io
import re
from collections.abc import Iterable, Mapping

from unknot.model.errors import UsageError
from unknot.model.outcome import Outcome
from unknot.runners.command.results.ids import shown
from unknot.runners.command.results.outcome_words import OutcomeWords, parse_seconds
from unknot.runners.command.results.reported import (
    Reading,
    ReadingStops,
    ReportedTest,
    ReportedTests,
    StoryExcerpt,
    excerpt,
)

LONGEST_LINE = 16 * 1024
"""In bytes. An id has at most 4,096 characters: a line longer than this is no result."""


def read_lines(data: bytes, pattern: str, words: Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> Reading:
    """What the lines report that match `pattern` from their beginning; other lines are the story of the bad tests that
    they stand beside. Groups: `test`, `outcome`, perhaps `seconds` or `milliseconds`, and `story`, or `escaped_story`
    for one of many lines that are written as one, with \\n, \\t and \\\\. `words` are the meanings of outcomes, beside
    those that are known anyway.

    Whole if the last line has its end: a line without one may be cut, and does not count. Bytes that are no UTF-8 are
    replaced. Raises UsageError for a pattern or meaning that is none, ResultsRefused for an outcome that has no
    meaning. Cost: one match for each line of at most 16 KB; longer lines are not looked at. A pattern that takes for
    ever on such a line, like `(a+)+b`, is its author's to avoid: nothing here can stop it.
    """
    compiled = _compiled(pattern)
    known = OutcomeWords(words)
    reported = ReportedTests()
    between = StoryExcerpt()
    cut = bool(data) and not data.endswith(b"\n")
    try:
        for raw in io.BytesIO(data):
            if not raw.endswith(b"\n"):
                break
            line = raw.rstrip(b"\r\n")[:LONGEST_LINE].decode(errors="replace")
            found = compiled.match(line) if len(raw) <= LONGEST_LINE else None
            if found is None or not found["test"]:
                between.add_line(line)
                continue
            _end_story(reported, between)
            reported.add(_told(found, known, between))
            between = StoryExcerpt()
    except ReadingStops as stop:
        return reported.broken(str(stop))
    _end_story(reported, between)
    return reported.broken("the output breaks off in the middle of its last line") if cut else reported.whole()


_ESCAPES = re.compile(r"\\([nt\\])")


def _unescaped(found: re.Match[str]) -> str:
    return {"n": "\n", "t": "\t"}.get(found[1], found[1])


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        compiled = re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        raise UsageError(
            f"the pattern of the results is no regular expression: {error}",
            hint=f"correct it: {shown(pattern)}",
            slug="results-config",
        ) from None
    missing = [group for group in ("test", "outcome") if group not in compiled.groupindex]
    if missing:
        raise UsageError(
            f"the pattern of the results has no group named `{missing[0]}`",
            hint=f"write (?P<{missing[0]}>…) around the part of the line that is meant",
            slug="results-config",
        )
    return compiled


def _told(found: re.Match[str], known: OutcomeWords, before: StoryExcerpt) -> ReportedTest:
    groups = found.groupdict()
    test, outcome = groups["test"], known.meaning(groups["outcome"] or "", groups["test"])
    seconds = parse_seconds(groups.get("seconds") or "") or parse_seconds(groups.get("milliseconds") or "") / 1000
    if outcome is Outcome.PASSED:
        return ReportedTest(test, outcome, seconds)
    printed = before.text() if outcome.is_bad else ""
    own = groups.get("story") or _ESCAPES.sub(_unescaped, groups.get("escaped_story") or "")
    story = excerpt(own, printed and f"--- printed before it ---\n{printed}")
    return ReportedTest(test, outcome, seconds, story)


def _end_story(reported: ReportedTests, after: StoryExcerpt) -> None:
    """It is not known to which test the output between two tests belongs: both have it."""
    last = reported.last
    if last is not None and last.outcome.is_bad and (printed := after.text()):
        story = excerpt(last.story, f"--- printed after it ---\n{printed}")
        reported.replace_last(ReportedTest(last.test, last.outcome, last.seconds, story))
