"""The parts of one line of TAP that tells a test."""

import re
from dataclasses import dataclass

from unknot.model.outcome import Outcome
from unknot.runners.command.results.seconds import parse_seconds

# Node's tap and Vitest write how long it took as if it were a directive, and open a brace for what follows.
_TIME = re.compile(r"\s#\s*time=([0-9.]+(?:ms|s)?)(\s*\{)?$")
_DIRECTIVE = re.compile(r"#\s*(skip(?:ped)?|todo)(?:[\s:]+(.*))?$", re.IGNORECASE | re.DOTALL)
_NUMBER = re.compile(r"[0-9]{1,9}(?=\s|$)")
_ESCAPED = re.compile(r"\\([\\#])")


@dataclass(frozen=True, slots=True)
class TestPoint:
    """`number` is 0 if the line has none; `opens` says that its subtests follow in braces."""

    __test__ = False

    number: int
    description: str
    outcome: Outcome
    reason: str
    seconds: float
    opens: bool


def parse_test_point(line: str) -> TestPoint | None:
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
    return TestPoint(
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
