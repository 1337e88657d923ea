"""What a results document tells, before anybody compares it with what was asked."""

from dataclasses import dataclass

from unknot.model.errors import RunnerError
from unknot.model.outcome import Outcome
from unknot.runners.command.results.ids import check_id

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
    """What could be read, in the document's sequence. Each test told was told to its end: a document that breaks off
    in the middle of a test does not tell that test. `complete` says whether the document is whole; if it is not,
    `problem` says why. A whole document may have a `problem` too, if it explains why it tells nothing."""

    told: tuple[ReportedTest, ...]
    complete: bool
    problem: str = ""


class ResultsRefused(RunnerError):
    """Nothing of the document is believed, and to run the order again would not help."""


class ReadingStops(Exception):
    """A signal between a reader and its parser: from here on nothing can be believed."""


class ReportedTests:
    """Gathers what is told, and holds it to the rules that every document must keep."""

    def __init__(self) -> None:
        self._told: list[ReportedTest] = []

    def add(self, told: ReportedTest) -> None:
        """Raises ReadingStops if no test can be called so; ResultsRefused if there are too many."""
        if problem := check_id(told.test):
            raise ReadingStops(f"test number {len(self._told) + 1} has an id that cannot be used: {problem}")
        if len(self._told) == MOST_TESTS:
            raise ResultsRefused(
                f"the results tell of more than {MOST_TESTS:,} tests",
                hint="only the tests of one order may be told; look at what the command writes",
            )
        self._told.append(told)

    @property
    def last(self) -> ReportedTest | None:
        return self._told[-1] if self._told else None

    def replace_last(self, told: ReportedTest) -> None:
        self._told[-1] = told

    def whole(self, problem: str = "") -> Reading:
        return Reading(tuple(self._told), True, problem)

    def broken(self, problem: str) -> Reading:
        return Reading(tuple(self._told), False, problem)
