"""What mtr prints while it runs tests, test by test."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from unknot.model.outcome import Outcome

_STORY_LINES = 200
_LINE = re.compile(
    r"(?P<name>\S+\.\S+)(?: '(?P<combinations>[^']*)')? +(?:w\d+ )?\[ (?P<word>[a-z-]+) \](?P<rest>.*)", re.DOTALL
)
_ID = re.compile(r"\w[\w/+-]*\.[\w#+-]+(?:,[\w.+-]+)*", re.ASCII)
_OUTCOMES = {
    "pass": Outcome.PASSED,
    "fail": Outcome.FAILED,
    "exp-fail": Outcome.FAILED,
    "skipped": Outcome.SKIPPED,
    "disabled": Outcome.SKIPPED,
}
_TIMED_OUT = re.compile(r" *timeout after \d+ seconds")
_BROKE_OFF = re.compile(
    r"Server .* failed during test run|Failed to start mysqld|Failed to execute '|The server .* crashed while running"
    r"|testprogram crashed\(returned code|mysqltest failed with unexpected return code"
    r"|Could not open test tool report|.*mysqltest failed but provided no output"
)
"""mtr calls these failures too. They say that a program died or could not be started, not that the test's claim is
wrong. Somebody who prints such a line in a test is asked again, and then believed to have crashed."""

_CLOSING = re.compile(r"The servers were restarted \d+ times")
"""The first line of what mtr says at its end."""

_HOUSEKEEPING = re.compile(r"        Test ended at |CURRENT_TEST: | - (?:skipping|saving|found) '")
"""Says nothing about the test, and something else each time."""


@dataclass(frozen=True)
class MtrResult:
    """One test. `outcome` is crashed or timed out where mtr only says that it failed."""

    test: str
    outcome: Outcome
    seconds: float
    story: str

    @property
    def broke_off(self) -> bool:
        return not self.outcome.is_verdict


def id_of(name: str, combinations: str | None) -> str:
    """As mtr takes it on its command line: `suite.test`, or `suite.test,one,other`."""
    return f"{name},{combinations}" if combinations else name


def is_id(text: str) -> bool:
    """Whether mtr could have such a test. Everything else might be taken for an option, or worse."""
    return _ID.fullmatch(text) is not None


def told(lines: Iterable[str], asked: Collection[str]) -> Iterator[MtrResult]:
    """What is said about the tests asked for, as it is said. A failure is known when the next test is spoken of, or
    when mtr sums up: its story comes after its line, and only that tells a failure from a crash. If mtr falls silent
    before, it is not told. What looks like a verdict on somebody else is part of a story."""
    failure: _Failure | None = None
    for line in lines:
        line = line.rstrip("\n")
        found = _LINE.fullmatch(line)
        test = id_of(found["name"], found["combinations"]) if found else ""
        if found is None or test not in asked or found["word"] not in _OUTCOMES:
            if failure is not None:
                failure.hears(line)
            continue
        if failure is not None:
            yield failure.told()
            failure = None
        outcome = _OUTCOMES[found["word"]]
        if outcome is Outcome.FAILED:
            failure = _Failure(test, found["rest"])
        elif outcome is Outcome.SKIPPED:
            yield MtrResult(test, outcome, 0.0, found["rest"].strip())
        else:
            yield MtrResult(test, outcome, _milliseconds(found["rest"]) / 1000, "")
    if failure is not None and failure.is_over:
        yield failure.told()


class _Failure:
    """A test that failed, while mtr goes on to say how."""

    def __init__(self, test: str, rest: str) -> None:
        self._test = test
        self._outcome = Outcome.TIMED_OUT if _TIMED_OUT.match(rest) else Outcome.FAILED
        self._story = [rest.strip()]
        self.is_over = False

    def hears(self, line: str) -> None:
        if self._outcome is Outcome.FAILED and _BROKE_OFF.match(line):
            self._outcome = Outcome.CRASHED
        self.is_over = self.is_over or _CLOSING.fullmatch(line) is not None
        if not self.is_over and len(self._story) < _STORY_LINES and not _HOUSEKEEPING.match(line):
            self._story.append(line)

    def told(self) -> MtrResult:
        return MtrResult(self._test, self._outcome, 0.0, "\n".join(self._story).strip(" \n-"))


def _milliseconds(text: str) -> float:
    text = text.strip()
    return float(text) if text.isdecimal() else 0.0
