"""Tests by what they leave behind: worst first, for a person and for programs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from unknot.model.dependencies import Dependencies
from unknot.model.recording import Left, Recording
from unknot.model.suite import Order, TestId
from unknot.recorder.sentences import REMOVED, place
from unknot.report.text.lines import Lines
from unknot.report.wording import counted

_MOST_PLACES = 5
_MOST_VALUE = 80


@dataclass(frozen=True)
class Trace:
    """One thing left behind, and the tests that read it, before or after."""

    left: Left
    readers: Order


@dataclass(frozen=True)
class Polluter:
    """`breaks` are the tests that the lock file says this one breaks, `needed_by` those that need it: for these what
    it leaves is no mere dirt."""

    test: TestId
    traces: tuple[Trace, ...]
    breaks: Order
    needed_by: Order

    @property
    def readers(self) -> int:
        return len({reader for trace in self.traces for reader in trace.readers})


def polluters(recording: Recording, dependencies: Dependencies | None) -> tuple[Polluter, ...]:
    """Every test that leaves something: those that break others first, then by how many read what they leave, then by
    how much that is. Of one test's traces, those that are read most come first."""
    breaks, needed_by = _victims(dependencies), _dependents(dependencies)
    traces: dict[TestId, list[Trace]] = {}
    for left in recording.left:
        account = recording.account_of.get(left.location)
        reads = account.reads if account is not None else ()
        readers = tuple(dict.fromkeys(read.test for read in reads if read.test != left.test))
        traces.setdefault(left.test, []).append(Trace(left, readers))
    found = [
        Polluter(
            test,
            tuple(sorted(many, key=lambda trace: (-len(trace.readers), trace.left.location))),
            tuple(breaks.get(test, ())),
            tuple(needed_by.get(test, ())),
        )
        for test, many in traces.items()
    ]
    place_of = {test: number for number, test in enumerate(recording.tests)}
    return tuple(
        sorted(
            found,
            key=lambda one: (-len(one.breaks), -one.readers, -len(one.traces), place_of.get(one.test, len(place_of))),
        )
    )


def pollution_text(found: Sequence[Polluter], tests: int, limit: int, *, has_lock: bool) -> Text:
    lines = Lines()
    if not found:
        lines.line(f"None of {counted(tests, 'test')} was seen to leave anything behind.", "bold")
        return lines.text
    verb = "leaves" if len(found) == 1 else "leave"
    lines.line(f"{len(found):,} of {counted(tests, 'test')} {verb} something behind.", "bold")
    for polluter in found[:limit]:
        lines.line()
        lines.title("leaves", polluter.test)
        lines.field("breaks", polluter.breaks)
        lines.field("needed by", polluter.needed_by)
        for trace in polluter.traces[:_MOST_PLACES]:
            lines.field(trace.left.location.kind, [_trace(trace)])
            lines.field("", filter(None, [place(trace.left.written)]))
        if len(polluter.traces) > _MOST_PLACES:
            lines.field("", [f"and {len(polluter.traces) - _MOST_PLACES} more: --format json has all"])
    if len(found) > limit:
        lines.line()
        lines.line(f"and {counted(len(found) - limit, 'more test')}: --limit {len(found)}")
    if not has_lock:
        lines.line()
        lines.line("Which of these break others is not known: `unknot detect` finds out.")
    return lines.text


def pollution_json(found: Sequence[Polluter]) -> list[dict[str, Any]]:
    return [
        {
            "test": one.test,
            "breaks": list(one.breaks),
            "needed_by": list(one.needed_by),
            "left": [
                {
                    "kind": trace.left.location.kind,
                    "location": trace.left.location.name,
                    "shown": trace.left.shown,
                    "written": [
                        {"file": frame.file, "line": frame.line, "function": frame.function}
                        for frame in trace.left.written
                    ],
                    "readers": list(trace.readers),
                }
                for trace in one.traces
            ],
        }
        for one in found
    ]


def _trace(trace: Trace) -> str:
    held, name = trace.left.shown, trace.left.location.name
    value = "" if not held else " (removed)" if held == REMOVED else f" = {_cut(held)}"
    readers = f"read by {counted(len(trace.readers), 'other test')}" if trace.readers else "read by no other test"
    return f"{name}{value}, {readers}"


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_VALUE else text[: _MOST_VALUE - 1] + "…"


def _victims(dependencies: Dependencies | None) -> Mapping[TestId, dict[TestId, None]]:
    found: dict[TestId, dict[TestId, None]] = {}
    for conflict in dependencies.conflicts if dependencies is not None else ():
        for polluter in conflict.polluters:
            found.setdefault(polluter, {})[conflict.victim] = None
    return found


def _dependents(dependencies: Dependencies | None) -> Mapping[TestId, dict[TestId, None]]:
    found: dict[TestId, dict[TestId, None]] = {}
    for need in dependencies.needs if dependencies is not None else ():
        for option in need.any_of:
            found.setdefault(option, {})[need.dependent] = None
    return found
