"""Reads one line per test, by a regular expression."""

import io
import re
from collections.abc import Iterable, Mapping

from unknot.model.errors import UsageError
from unknot.model.outcome import Outcome
from unknot.runners.command.results.ids import shown
from unknot.runners.command.results.reported import (
    Reading,
    ReadingStops,
    ReportedTest,
    ReportedTests,
    ResultsRefused,
    StoryExcerpt,
    excerpt,
    parse_seconds,
)

LONGEST_LINE = 16 * 1024
"""In bytes. An id has at most 4,096 characters: a line longer than this is no result."""


_KNOWN = {
    Outcome.PASSED: "ok pass passed success succeeded successful ✓ ✔ .",
    Outcome.FAILED: "fail failed failure error errored ko broken ✗ ✘ ✖ f e",
    Outcome.SKIPPED: "skip skipped ignore ignored disabled pending s",
    Outcome.XFAILED: "xfail xfailed x",
    Outcome.XPASSED: "xpass xpassed",
}
_DEFAULTS = {
    **{word: outcome for outcome, words in _KNOWN.items() for word in words.split()},
    "not ok": Outcome.FAILED,
    "expected failure": Outcome.XFAILED,
    "unexpected success": Outcome.XPASSED,
}
_MEANINGS = tuple(outcome for outcome in Outcome if outcome is not Outcome.NOT_RUN)


class OutcomeWords:
    """The user's words come before the known ones. Case and blanks around them do not matter, unless two of the user's
    words differ by case only."""

    def __init__(self, words: Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> None:
        """Raises UsageError for a meaning that is no outcome."""
        self._exact = {word.strip(): _outcome(word, value) for word, value in dict(words).items()}
        self._folded = _DEFAULTS | {word.casefold(): outcome for word, outcome in self._exact.items()}

    def meaning(self, word: str, test: str) -> Outcome:
        """Raises ResultsRefused for a word without a meaning: to guess could make an edge of a misprint."""
        word = word.strip()
        found = self._exact.get(word) or self._folded.get(word.casefold())
        if found is None:
            raise ResultsRefused(
                f"the results say {shown(word)} of the test {shown(test)}, and nothing says what that means",
                hint=f'add it to the words of the results, as in words = {{ "{word[:40]}" = "failed" }}',
                slug="results-unknown-outcome",
            )
        return found


def _outcome(word: str, value: str) -> Outcome:
    if value in _MEANINGS:
        return Outcome(value)
    raise UsageError(
        f"the outcome word {shown(word)} is said to mean {shown(value)}, which is no outcome",
        hint="use one of " + ", ".join(_MEANINGS),
        slug="results-config",
    )


def read_lines(data: bytes, pattern: str, words: Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> Reading:
    """What the lines report that match `pattern` from their beginning; other lines are the story of the bad tests that
    they stand beside. Groups: `test`, `outcome`, perhaps `seconds` or `milliseconds`, and `story`, or `escaped_story`
    for one of many lines that are written as one, with \\n, \\t and \\\\. `words` are the meanings of outcomes, beside
    those that are known anyway.

    Whole if the last line has its end: a line without one may be cut, and does not count. Bytes that are no UTF-8 are
    replaced. Raises UsageError for a pattern or meaning that is none, ResultsRefused for an outcome that has no
    meaning. Cost: one match for each line of at most 16 KB; longer lines are ignored. A pattern that takes for
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
            reported.add(_reported(found, known, between))
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


def _reported(found: re.Match[str], known: OutcomeWords, before: StoryExcerpt) -> ReportedTest:
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
