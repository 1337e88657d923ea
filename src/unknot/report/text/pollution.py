"""State that tests leave behind: by place as text, by test as JSON."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from unknot.model.dependencies import Dependencies
from unknot.model.reason import shortened, users_frame
from unknot.model.recording import REMOVED, Left, Recording
from unknot.model.suite import Order, TestId
from unknot.report.polluted_places import PollutedPlace
from unknot.report.roles import Roles
from unknot.report.text.lines import Lines
from unknot.report.wording import counted
from unknot.store.lock import stack_to_json

_MOST_TESTS = 5


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


def pollution_text(found: Sequence[PollutedPlace], tests: int, limit: int, *, has_lock: bool) -> Text:
    """What is left behind, place by place."""
    lines = Lines()
    if not found:
        lines.line(f"None of {counted(tests, 'test')} leaves state behind.", "bold")
        return lines.text
    writers = {writer for place in found for writer in place.writers}
    verb = "leaves" if len(writers) == 1 else "leave"
    lines.line(
        f"{len(writers):,} of {counted(tests, 'test')} {verb} state behind, in {counted(len(found), 'place')}.", "bold"
    )
    for place in found[:limit]:
        lines.line()
        lines.title(place.location.kind, _titled(place))
        lines.tests("left by", place.writers, most=_MOST_TESTS, rest="--format json")
        lines.tests("breaks", place.breaks, most=_MOST_TESTS, rest="unknot report")
        lines.tests("needed by", place.needed_by, most=_MOST_TESTS, rest="unknot report")
        others = len(place.readers)
        lines.field("read by", [counted(others, "other test") if others else "no other test"])
    if len(found) > limit:
        lines.line()
        lines.line(f"and {counted(len(found) - limit, 'more place')}: --limit {len(found)}")
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


def _titled(place: PollutedPlace) -> str:
    """The name; what it held, if that is always the same; and the line that wrote it, likewise."""
    values = {shortened(value) for value in place.values}
    (value,) = values if len(values) == 1 else ("",)
    held = "" if not value else " (removed)" if value == REMOVED else f" = {value}"
    frames = {users_frame(stack) for stack in place.written}
    (frame,) = frames if len(frames) == 1 else (None,)
    return f"{place.location.name}{held}" + (f", {frame.file}:{frame.line}" if frame else "")
