"""Reasons: what was recorded, or found in test code, that explains a dependency. A reason proves nothing; two runs do.

Values only. `report/reasons.py` turns a reason into a sentence; nothing reads one back from a sentence.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from unknot.model.recording import Frame, Location, Stack
from unknot.model.suite import TestId

_LONGEST_VALUE = 80
"""A longer value would make lock files large and explain no more."""

NOWHERE = Location("", "")
NO_TEST = TestId("")


class ReasonKind(StrEnum):
    """What a reason is about. The values are part of the lock file; they never change meaning."""

    # From a recording of the suite.
    FLOW = "flow"
    """`writer` leaves `shown` in `location`, and `reader` reads it."""
    RESTORED = "restored"
    """`writer` restores `location`, which `reader` needs as `setter` leaves it."""
    SET_UP_AGAIN = "set-up-again"
    """A test from outside `location`, a class or file, makes pytest set up again what `setter` changed for `reader`."""
    NOTHING = "nothing"
    """The suite was recorded, and nothing was found."""
    MEMORY_NOT_RECORDED = "memory-not-recorded"
    """The suite was recorded without what it keeps in memory, and nothing was found elsewhere."""

    # From the code of web tests.
    STRING = "string"
    """`writer` submits the value `shown`, and `reader` uses it."""
    NAME_READS = "name-reads"
    """By their names (the verbs are `writing` and `reading`), `reader` reads what `writer` writes: `shown`."""
    NAME_CHANGES = "name-changes"
    """The same where `reader` changes it."""

    # From recorded browser traffic: `writing` and `reading` are requests.
    VALUE_SENT = "value-sent"
    """`writing` created the value `shown`, which `reading` sends."""
    VALUE_SHOWN = "value-shown"
    """`writing` created the value `shown`, which `reading` shows."""
    ITEM_REQUESTED = "item-requested"
    """`writing` wrote the item `shown`, which `reading` requests."""
    ITEM_SENT = "item-sent"
    """`writing` changed the item that the value `shown` belongs to, which `reading` sends."""
    ITEM_SHOWN = "item-shown"
    """`writing` changed the item that the value `shown` belongs to, which `reading` shows."""
    ITEM_LINKED = "item-linked"
    """`writing` wrote the item `shown`, to which `reading` links."""
    PLACE_VISITED = "place-visited"
    """`writing` wrote to the address `shown`, which `reading` visits."""
    VALUE_FREED = "value-freed"
    """`writing` removed the value `shown`, so that `reading` can send it again."""
    PAGE_CHANGED = "page-changed"
    """`reading` shows something else since `writing`."""

    # From a browser that several tests share: `location` is a cookie or another stored entry.
    STORED = "stored"
    """`location` was left in the browser."""
    STORED_REMOVED = "stored-removed"
    """`location` was removed from the browser."""
    PAGE_LEFT_OPEN = "page-left-open"
    """The test begins on a page that was left open, with the request `reading`."""

    TEXT = "text"
    """A sentence, `shown`, from a lock file of format 1."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason; `ReasonKind` says which members each kind uses, the others are empty.

    `written` and `read` are the lines where it happens. `sure` is false where only one side was recorded, or where the
    reader would create the same content itself. `unseen` says why a read cannot be recorded, where that is so.
    `cleaner` is a test in between that writes the same location.
    """

    kind: ReasonKind
    writer: TestId = NO_TEST
    reader: TestId = NO_TEST
    location: Location = NOWHERE
    shown: str = ""
    written: Stack = ()
    read: Stack = ()
    writing: str = ""
    reading: str = ""
    setter: TestId = NO_TEST
    cleaner: TestId = NO_TEST
    sure: bool = True
    unseen: str = ""

    @property
    def is_recorded(self) -> bool:
        """Whether a recording of the suite gave it, or found nothing to give."""
        return self.kind in _RECORDED

    @property
    def is_empty(self) -> bool:
        """Whether it only says that nothing was found."""
        return self.kind in _EMPTY

    def portable(self) -> "Reason":
        """The reason as a lock file holds it, the same on every machine: long values are cut, files outside of the
        project keep the last two parts of their path, and of a call stack the ends and the first line of the project
        remain. Applied twice it changes nothing."""
        return replace(
            self, shown=shortened(self.shown), written=_portable_stack(self.written), read=_portable_stack(self.read)
        )


_EMPTY = frozenset({ReasonKind.NOTHING, ReasonKind.MEMORY_NOT_RECORDED})
_RECORDED = frozenset({ReasonKind.FLOW, ReasonKind.RESTORED, ReasonKind.SET_UP_AGAIN, *_EMPTY})


def shortened(text: str, most: int = _LONGEST_VALUE) -> str:
    """
    >>> shortened("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"


def users_frame(stack: Stack) -> Frame | None:
    """The innermost line of the user's own code: a file with a path relative to the project. A frozen module of the
    interpreter is none."""
    return next((frame for frame in stack if not frame.file.startswith(("/", "<"))), None)


def _portable_stack(stack: Stack) -> Stack:
    if not stack:
        return ()
    kept = [stack[0], users_frame(stack), stack[-1]]
    return tuple(dict.fromkeys(_portable_frame(frame) for frame in kept if frame is not None))


def _portable_frame(frame: Frame) -> Frame:
    """A library file keeps a leading slash, by which it is recognised as one."""
    if not frame.file.startswith("/"):
        return frame
    return replace(frame, file="/" + "/".join(frame.file.split("/")[-2:]).lstrip("/"))
