"""A reason in words: one sentence, for lock files and reports."""

from dataclasses import dataclass

from unknot.model.recording import Frame, Location, Stack
from unknot.model.suite import TestId

NOTHING = (
    "nothing was seen to flow: what passes between them may be held by C code, by a service outside, by another"
    " process, or by the clock"
)

REMOVED = "<removed>"
"""What is shown of a location that is no more."""

_LEAVES = {
    "environment": ("sets", "reads"),
    "file": ("writes the file", "reads"),
    "directory": ("changes what is in the directory", "lists"),
    "table": ("writes", "reads"),
    "process": ("changes", "depends on"),
    "port": ("uses the port", "uses"),
    "subprocess": ("starts", "starts"),
}
_MOST_SHOWN = 80


@dataclass(frozen=True)
class Reason:
    """`writer` leaves this in `location`, and `reader` reads it. `sure` says that both were seen; `unseen` says why
    nobody can see the reading, where that is so; `cleaner` is a test between them that writes the same location."""

    location: Location
    writer: TestId
    reader: TestId
    written: Stack = ()
    read: Stack = ()
    shown: str = ""
    sure: bool = True
    unseen: str = ""
    cleaner: TestId | None = None


def why(reason: Reason) -> str:
    """The whole of it, on one line:

    test_add leaves `shop.cart.CART` = {'alice': …} (cart.py:41, called from test_cart.py:12); test_total reads it
    (cart.py:57)
    """
    writer, reader = _short_names(reason.writer, reason.reader)
    said = f"{writer} {_left(reason)}{_in_brackets(reason.written)}; "
    if reason.unseen:
        finds = "finds what that leaves" if reason.location.kind == "subprocess" else "reads it"
        return f"{said}whether {reader} {finds} cannot be seen ({reason.unseen})"
    verb = _LEAVES.get(reason.location.kind, ("", "reads"))[1]
    said += f"{reader} {verb} it{_in_brackets(reason.read)}"
    if reason.cleaner is not None:
        said += f"; {short(reason.cleaner)} writes it in between"
    return said


def place(stack: Stack) -> str:
    """The line where it happens and the user's line from which all began: `cart.py:41, called from test_cart.py:12`."""
    if not stack:
        return ""
    first, last = stack[0], stack[-1]
    here = _line(first)
    return here if (first.file, first.line) == (last.file, last.line) else f"{here}, called from {_line(last)}"


def _left(reason: Reason) -> str:
    kind, name = reason.location.kind, f"`{reason.location.name}`"
    shown = _cut(reason.shown)
    if shown == REMOVED:
        return f"removes {name}"
    if kind == "memory":
        return f"leaves {name} = {shown}" if shown else f"changes {name}"
    leaves = f"{_LEAVES.get(kind, ('changes', ''))[0]} {name}"
    is_short = kind in ("environment", "process") and shown
    return f"{leaves} to {shown}" if is_short else leaves


def _in_brackets(stack: Stack) -> str:
    return f" ({place(stack)})" if stack else ""


def _line(frame: Frame) -> str:
    file = frame.file
    if file.startswith("/"):
        # Somebody else's: the last two names say enough, and the same on every machine.
        file = "/".join(file.split("/")[-2:])
    return f"{file}:{frame.line}"


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 1] + "…"


def _short_names(one: TestId, other: TestId) -> tuple[str, str]:
    """Without their files, if that still tells them apart."""
    first, second = short(one), short(other)
    return (first, second) if first != second else (one, other)


def short(test: TestId) -> str:
    """Without its file."""
    return test.partition("::")[2] or test
