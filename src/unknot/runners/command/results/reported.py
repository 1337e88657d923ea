"""What a results document reports, before it is matched with the order."""

import math
import re
from dataclasses import dataclass

from unknot.model.errors import RunnerError
from unknot.model.outcome import Outcome
from unknot.runners.command.results.ids import check_id

STORY_LIMIT = 20_000
_HALF = STORY_LIMIT // 2
_WAITING_LIMIT = 4 * STORY_LIMIT


class StoryExcerpt:
    """Keeps the beginning and the end: the cause stands in either. Cost: a bounded number of characters, and time in
    proportion to what is added, however it is cut into pieces."""

    __slots__ = ("_head", "_left_out", "_tail", "_waiting", "_waiting_length")

    def __init__(self) -> None:
        self._head = self._tail = ""
        self._left_out = 0
        self._waiting: list[str] = []
        self._waiting_length = 0

    def add(self, text: str) -> None:
        self._waiting.append(text)
        # One for itself: a million empty pieces take room too.
        self._waiting_length += len(text) + 1
        if self._waiting_length > _WAITING_LIMIT:
            self._settle()

    def add_line(self, line: str) -> None:
        self.add(line + "\n")

    def text(self) -> str:
        self._settle()
        middle = f"\n[… {self._left_out:,} characters left out …]\n" if self._left_out else ""
        return self._head + middle + self._tail

    def _settle(self) -> None:
        text = "".join(self._waiting)
        self._waiting, self._waiting_length = [], 0
        room = _HALF - len(self._head)
        self._head += text[:room]
        tail = self._tail + text[room:]
        self._tail = tail[-_HALF:]
        self._left_out += len(tail) - len(self._tail)


def excerpt(*parts: str) -> str:
    """These texts that are not empty, one below the other, at a bounded length."""
    if not any(parts):
        return ""
    kept = StoryExcerpt()
    for part in filter(None, parts):
        kept.add_line(part.strip("\n"))
    return kept.text().rstrip("\n")


MOST_TESTS = 1_000_000
"""No suite has more; a document that does is broken or meant to do harm."""


@dataclass(frozen=True, slots=True)
class ReportedTest:
    """One test, as the document has it. `seconds` is 0 where it does not say; `story` is empty for a test that passed,
    and never longer than an excerpt."""

    test: str
    outcome: Outcome
    seconds: float = 0.0
    story: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What could be read, in the document's sequence. Each test was reported to its end: a document that breaks off
    in the middle of a test does not report that test. `complete` says whether the document is whole; if it is not,
    `problem` says why. A whole document may have a `problem` too, if it explains why it reports nothing."""

    tests: tuple[ReportedTest, ...]
    complete: bool
    problem: str = ""


class ResultsRefused(RunnerError):
    """Nothing of the document counts, and to run the order again would not help."""


class ReadingStops(Exception):
    """A signal between a reader and its parser: from here on nothing counts."""


class ReportedTests:
    """Collects what is reported, and holds it to the rules that every document must keep."""

    def __init__(self) -> None:
        self._tests: list[ReportedTest] = []

    def add(self, test: ReportedTest) -> None:
        """Raises ReadingStops if no test can be called so; ResultsRefused if there are too many."""
        if problem := check_id(test.test):
            raise ReadingStops(f"test number {len(self._tests) + 1} has an id that cannot be used: {problem}")
        if len(self._tests) == MOST_TESTS:
            raise ResultsRefused(
                f"the results report more than {MOST_TESTS:,} tests",
                hint="only the tests of one order may be reported; check what the command writes",
                slug="results-too-large",
            )
        self._tests.append(test)

    @property
    def last(self) -> ReportedTest | None:
        return self._tests[-1] if self._tests else None

    def replace_last(self, test: ReportedTest) -> None:
        self._tests[-1] = test

    def whole(self, problem: str = "") -> Reading:
        return Reading(tuple(self._tests), True, problem)

    def broken(self, problem: str) -> Reading:
        return Reading(tuple(self._tests), False, problem)


_NUMBER = re.compile(r"\s*([0-9][0-9.,']{0,30}|\.[0-9]{1,30})(?:[eE]([+-]?[0-9]{1,2}))?\s*(ms|s|)\s*", re.ASCII)
_PLAIN = re.compile(r"[0-9]{1,6}(?:\.[0-9]{0,20})?", re.ASCII)
_LONGEST = 366 * 86400.0


def parse_seconds(text: str) -> float:
    """0 for what is no time: it is a help for predictions, and no reason to doubt an outcome.

    `1,234.5` and `1.234,5` have separators of thousands; `0,25` has a decimal comma. A unit may follow: `12ms`, `3s`.
    """
    if _PLAIN.fullmatch(text):
        return float(text)
    found = _NUMBER.fullmatch(text) if len(text) <= 64 else None
    if found is None:
        return 0.0
    digits, exponent, unit = found[1].replace("'", ""), found[2] or "0", found[3]
    decimal = max(digits.rfind("."), digits.rfind(","))
    if decimal >= 0 and digits.count(digits[decimal]) > 1:
        decimal = -1  # a separator that comes twice parts thousands
    whole = digits if decimal < 0 else digits[:decimal]
    fraction = "" if decimal < 0 else digits[decimal + 1 :]
    number = float(f"{re.sub('[.,]', '', whole) or '0'}.{fraction or '0'}e{exponent}")
    seconds = number / 1000 if unit == "ms" else number
    return seconds if math.isfinite(seconds) and seconds <= _LONGEST else 0.0
