"""Parses what mtr prints while it runs tests, and writes it as TAP."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

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
wrong. A test that prints such a line itself is run again, and then taken to have crashed."""

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


def parse_output(lines: Iterable[str], tests: Collection[str]) -> Iterator[MtrResult]:
    """The results of these tests, as they are printed. A failure is known when the next test has a line, or when mtr
    sums up: its story comes after its line, and only that distinguishes a failure from a crash. If the output ends
    before, it is not reported. What looks like a result of another test is part of a story."""
    failure: _Failure | None = None
    for line in lines:
        line = line.rstrip("\n")
        found = _LINE.fullmatch(line)
        test = id_of(found["name"], found["combinations"]) if found else ""
        if found is None or test not in tests or found["word"] not in _OUTCOMES:
            if failure is not None:
                failure.add(line)
            continue
        if failure is not None:
            yield failure.result()
            failure = None
        outcome = _OUTCOMES[found["word"]]
        if outcome is Outcome.FAILED:
            failure = _Failure(test, found["rest"])
        elif outcome is Outcome.SKIPPED:
            yield MtrResult(test, outcome, 0.0, found["rest"].strip())
        else:
            yield MtrResult(test, outcome, _milliseconds(found["rest"]) / 1000, "")
    if failure is not None and failure.is_over:
        yield failure.result()


class _Failure:
    """A test that failed, while mtr goes on to say how."""

    def __init__(self, test: str, rest: str) -> None:
        self._test = test
        self._outcome = Outcome.TIMED_OUT if _TIMED_OUT.match(rest) else Outcome.FAILED
        self._story = [rest.strip()]
        self.is_over = False

    def add(self, line: str) -> None:
        if self._outcome is Outcome.FAILED and _BROKE_OFF.match(line):
            self._outcome = Outcome.CRASHED
        self.is_over = self.is_over or _CLOSING.fullmatch(line) is not None
        if not self.is_over and len(self._story) < _STORY_LINES and not _HOUSEKEEPING.match(line):
            self._story.append(line)

    def result(self) -> MtrResult:
        return MtrResult(self._test, self._outcome, 0.0, "\n".join(self._story).strip(" \n-"))


def _milliseconds(text: str) -> float:
    text = text.strip()
    return float(text) if text.isdecimal() else 0.0


class TapFile:
    """One test after another, each whole or not at all as far as a reader is concerned."""

    def __init__(self, file: Path, tests: int) -> None:
        self._stream: TextIO = open(file, "w", encoding="utf-8")  # noqa: SIM115 - closed by close
        self._count = 0
        self._write(f"TAP version 14\n1..{tests}\n")

    def add(self, one: MtrResult) -> None:
        self._count += 1
        self._write("".join(f"{line}\n" for line in _lines(self._count, one)))

    def close(self) -> None:
        self._stream.close()

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def _lines(number: int, one: MtrResult) -> Iterator[str]:
    word = "not ok" if one.outcome is Outcome.FAILED else "ok"
    line = f"{word} {number} - {one.test.replace('#', chr(92) + '#')}"
    story = one.story.splitlines()
    if one.outcome is Outcome.SKIPPED:
        line, story = f"{line} # SKIP {' '.join(story)}", []
    yield line
    yield from ("  ---", f"  duration_ms: {one.seconds * 1000:.0f}", "  ...")
    yield from (f"# {text}" for text in story)
