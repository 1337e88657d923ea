"""Tells how a run of the suite went, in the way of pytest."""

from collections import Counter
from collections.abc import Mapping

from rich.console import Console
from rich.text import Text

from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.sanitise import shown, shown_lines
from unknot.model.suite import TestId
from unknot.report.wording import counted

_LETTERS = {
    Outcome.PASSED: ".",
    Outcome.FAILED: "F",
    Outcome.SETUP_ERROR: "E",
    Outcome.TEARDOWN_ERROR: "E",
    Outcome.SKIPPED: "s",
    Outcome.XFAILED: "x",
    Outcome.XPASSED: "X",
    Outcome.TIMED_OUT: "T",
    Outcome.CRASHED: "C",
    Outcome.NOT_RUN: "?",
}
_WORDS = {
    Outcome.SETUP_ERROR: "errors",
    Outcome.TEARDOWN_ERROR: "errors",
    Outcome.TIMED_OUT: "timed out",
    Outcome.NOT_RUN: "not run",
}
_LETTERS_A_LINE = 72


class OutcomeReport:
    """Letters while the run goes on, then failures with their stories, a line for each, and the counts."""

    def __init__(self, console: Console, *, quiet: bool) -> None:
        self._console = console
        self._quiet = quiet
        self._column = 0
        self._seen: set[TestId] = set()

    def saw(self, test: TestId, result: Result) -> None:
        if self._quiet or test in self._seen:
            return
        self._seen.add(test)
        self._console.print(_LETTERS[result.outcome], end="", markup=False)
        self._column += 1
        if self._column == _LETTERS_A_LINE:
            self.end_line()

    def line(self, text: str) -> None:
        self.end_line()
        self._console.print(shown(text), markup=False)

    def finish(self, results: Mapping[TestId, Result], wall: float, *, lanes: int, durations: int) -> None:
        self.end_line()
        bad = {test: result for test, result in results.items() if result.outcome.is_bad}
        for test, result in bad.items():
            self._console.rule(Text(shown(test)), characters="_")
            self._console.print(shown_lines(result.story) or str(result.outcome), markup=False)
        if durations:
            self._slowest(results, durations)
        for test, result in bad.items():
            self._console.print(f"{str(result.outcome).upper()} {shown(test)}", markup=False)
        counts = Counter(_WORDS.get(result.outcome, str(result.outcome)) for result in results.values())
        told = ", ".join(f"{count} {word}" for word, count in sorted(counts.items()))
        self._console.print(f"{told or 'nothing run'} in {wall:.2f}s on {counted(lanes, 'lane')}", markup=False)

    def _slowest(self, results: Mapping[TestId, Result], count: int) -> None:
        ranked = sorted(results.items(), key=lambda entry: -entry[1].seconds)
        for test, result in ranked[:count]:
            self._console.print(f"{result.seconds:.2f}s {shown(test)}", markup=False)

    def end_line(self) -> None:
        """Before somebody else writes to the terminal."""
        if self._column:
            self._console.print()
            self._column = 0
