"""Tests ranked by the state they leave behind, as text and as JSON."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from unknot.model.dependencies import Dependencies
from unknot.model.reason import shortened
from unknot.model.recording import REMOVED, Left, Recording
from unknot.model.suite import Order, TestId
from unknot.report.reasons import place
from unknot.report.roles import Roles
from unknot.report.text.lines import Lines
from unknot.report.wording import counted
from unknot.store.lock import stack_to_json

_MOST_PLACES = 5


@dataclass(frozen=True)
class LeftBehind:
    """One piece of state left behind, and the tests that read it, before or after."""

    left: Left
    readers: Order


@dataclass(frozen=True)
class Polluter:
    """`breaks` and `needed_by` come from the lock file: the tests that this one breaks, and those that need the state
    it leaves behind."""

    test: TestId
    leftovers: tuple[LeftBehind, ...]
    breaks: Order
    needed_by: Order

    @property
    def readers(self) -> int:
        return len({reader for item in self.leftovers for reader in item.readers})


def polluters(recording: Recording, dependencies: Dependencies | None) -> tuple[Polluter, ...]:
    """Every test that leaves state behind. First those that break most tests, then those whose state most tests read,
    then those that leave most. Within a test, state with most readers comes first."""
    roles = Roles(dependencies) if dependencies is not None else None
    leftovers: dict[TestId, list[LeftBehind]] = {}
    for left in recording.left:
        account = recording.account_of.get(left.location)
        reads = account.reads if account is not None else ()
        readers = tuple(dict.fromkeys(read.test for read in reads if read.test != left.test))
        leftovers.setdefault(left.test, []).append(LeftBehind(left, readers))
    found = [
        Polluter(
            test,
            tuple(sorted(many, key=lambda item: (-len(item.readers), item.left.location))),
            roles.pollutes.get(test, ()) if roles is not None else (),
            roles.needed_by.get(test, ()) if roles is not None else (),
        )
        for test, many in leftovers.items()
    ]
    place_of = {test: number for number, test in enumerate(recording.tests)}
    return tuple(
        sorted(
            found,
            key=lambda one: (
                -len(one.breaks),
                -one.readers,
                -len(one.leftovers),
                place_of.get(one.test, len(place_of)),
            ),
        )
    )


def pollution_text(found: Sequence[Polluter], tests: int, limit: int, *, has_lock: bool) -> Text:
    lines = Lines()
    if not found:
        lines.line(f"None of {counted(tests, 'test')} leaves state behind.", "bold")
        return lines.text
    verb = "leaves" if len(found) == 1 else "leave"
    lines.line(f"{len(found):,} of {counted(tests, 'test')} {verb} state behind.", "bold")
    for polluter in found[:limit]:
        lines.line()
        lines.title("leaves", polluter.test)
        lines.field("breaks", polluter.breaks)
        lines.field("needed by", polluter.needed_by)
        for item in polluter.leftovers[:_MOST_PLACES]:
            lines.field(item.left.location.kind, [_leftover(item)])
            lines.field("", filter(None, [place(item.left.written)]))
        if len(polluter.leftovers) > _MOST_PLACES:
            lines.field("", [f"and {len(polluter.leftovers) - _MOST_PLACES} more: use --format json to see all"])
    if len(found) > limit:
        lines.line()
        lines.line(f"and {counted(len(found) - limit, 'more test')}: --limit {len(found)}")
    if not has_lock:
        lines.line()
        lines.line("Run `unknot detect` to find which of these break other tests.")
    return lines.text


def pollution_json(found: Sequence[Polluter]) -> list[dict[str, Any]]:
    return [
        {
            "test": one.test,
            "breaks": list(one.breaks),
            "needed_by": list(one.needed_by),
            "left": [
                {
                    "kind": item.left.location.kind,
                    "location": item.left.location.name,
                    "shown": item.left.shown,
                    "written": stack_to_json(item.left.written),
                    "readers": list(item.readers),
                }
                for item in one.leftovers
            ],
        }
        for one in found
    ]


def _leftover(item: LeftBehind) -> str:
    held, name = item.left.shown, item.left.location.name
    value = "" if not held else " (removed)" if held == REMOVED else f" = {shortened(held)}"
    readers = f"read by {counted(len(item.readers), 'other test')}" if item.readers else "read by no other test"
    return f"{name}{value}, {readers}"
