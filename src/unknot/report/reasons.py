"""Reasons as sentences. They are made here and nowhere else, and no code reads them."""

from collections.abc import Callable, Iterable, Mapping

from unknot.model.reason import Reason, ReasonKind, shortened, users_frame
from unknot.model.recording import REMOVED, Frame, Stack
from unknot.model.suite import TestId

NOTHING_RECORDED = (
    "no shared state was recorded: it may be held by C code, by an external service, by another process or by the clock"
)
MEMORY_NOT_RECORDED = (
    "not known: memory was not recorded, as unknot was installed without its parts in C. Install it from a wheel, or"
    " with a C compiler, and run `unknot detect` again"
)

_VERBS = {
    "environment": ("sets", "reads"),
    "file": ("writes the file", "reads"),
    "directory": ("changes the contents of the directory", "lists"),
    "table": ("writes", "reads"),
    "process": ("changes", "depends on"),
    "port": ("uses the port", "uses"),
    "subprocess": ("starts", "starts"),
}
"""By kind of location, what the writer does with it and what the reader does."""


def sentences(reasons: Iterable[Reason]) -> tuple[str, ...]:
    """One sentence each, in the same sequence; equal ones once."""
    return tuple(dict.fromkeys(map(sentence, reasons)))


def sentence(reason: Reason) -> str:
    """The reason on one line:

    test_add leaves `shop.cart.CART` = {'alice': …} (cart.py:41, called from test_cart.py:12); test_total reads it
    (cart.py:57)
    """
    return _SENTENCES[reason.kind](reason)


def place(stack: Stack) -> str:
    """The innermost line of the user's own code, and the one that led there: `cart.py:41, called from
    test_cart.py:12`. Lines of libraries are shown only if there is no other."""
    if not stack:
        return ""
    first, last = users_frame(stack) or stack[0], stack[-1]
    here = _line(first)
    return here if (first.file, first.line) == (last.file, last.line) else f"{here}, called from {_line(last)}"


def short_name(test: TestId) -> str:
    """The id without its file."""
    return test.partition("::")[2] or test


def _flow(reason: Reason) -> str:
    writer, reader = _short_names(reason.writer, reason.reader)
    text = f"{writer} {_leaves(reason)}{_in_brackets(reason.written)}; "
    if reason.unseen:
        finds = "uses what that leaves" if reason.location.kind == "subprocess" else "reads it"
        return f"{text}whether {reader} {finds} cannot be recorded ({reason.unseen})"
    verb = _VERBS.get(reason.location.kind, ("", "reads"))[1]
    text += f"{reader} {verb} it{_in_brackets(reason.read)}"
    if reason.cleaner:
        text += f"; {short_name(reason.cleaner)} writes it in between"
    return text


def _leaves(reason: Reason) -> str:
    kind, name = reason.location.kind, f"`{reason.location.name}`"
    shown = shortened(reason.shown)
    if shown == REMOVED:
        return f"removes {name}"
    if kind == "memory":
        return f"leaves {name} = {shown}" if shown else f"changes {name}"
    leaves = f"{_VERBS.get(kind, ('changes', ''))[0]} {name}"
    is_short = kind in ("environment", "process") and shown
    return f"{leaves} to {shown}" if is_short else leaves


def _restored(reason: Reason) -> str:
    return (
        f"{short_name(reason.writer)} restores `{reason.location.name}`{_in_brackets(reason.written)};"
        f" {short_name(reason.reader)} needs it as {short_name(reason.setter)} leaves it"
    )


def _set_up_again(reason: Reason) -> str:
    return (
        f"no shared state was recorded, but any test from outside {reason.location.name} that runs in between makes"
        f" pytest set up again what {short_name(reason.setter)} changed for {short_name(reason.reader)}"
    )


def _string(reason: Reason) -> str:
    return f"`{reason.shown}` is submitted{_at(reason.written)} and used{_at(reason.read)}"


def _by_name(verb: str) -> Callable[[Reason], str]:
    def text(reason: Reason) -> str:
        about = f", both about {reason.shown}" if reason.shown else ""
        return f"by name: `{reason.reading}` {verb} what `{reason.writing}` writes{about}"

    return text


def _stored(what: str) -> Callable[[Reason], str]:
    def text(reason: Reason) -> str:
        kind, name = reason.location.kind, reason.location.name
        return f"the cookie {name} {what}" if kind == "cookie" else f"{kind} {name} {what}"

    return text


_SENTENCES: Mapping[ReasonKind, Callable[[Reason], str]] = {
    ReasonKind.FLOW: _flow,
    ReasonKind.RESTORED: _restored,
    ReasonKind.SET_UP_AGAIN: _set_up_again,
    ReasonKind.NOTHING: lambda reason: NOTHING_RECORDED,
    ReasonKind.MEMORY_NOT_RECORDED: lambda reason: MEMORY_NOT_RECORDED,
    ReasonKind.STRING: _string,
    ReasonKind.NAME_READS: _by_name("reads"),
    ReasonKind.NAME_CHANGES: _by_name("changes"),
    ReasonKind.VALUE_SENT: lambda r: f"{r.writing} created {r.shown}, which {r.reading} sends",
    ReasonKind.VALUE_SHOWN: lambda r: f"{r.writing} created {r.shown}, which {r.reading} shows",
    ReasonKind.ITEM_REQUESTED: lambda r: f"{r.writing} wrote {r.shown}, which {r.reading} requests",
    ReasonKind.ITEM_SENT: lambda r: f"{r.writing} changed what {r.shown} belongs to, which {r.reading} sends",
    ReasonKind.ITEM_SHOWN: lambda r: f"{r.writing} changed what {r.shown} belongs to, which {r.reading} shows",
    ReasonKind.ITEM_LINKED: lambda r: f"{r.writing} wrote {r.shown}, to which {r.reading} links",
    ReasonKind.PLACE_VISITED: lambda r: f"{r.writing} wrote to {r.shown}, which {r.reading} visits",
    ReasonKind.VALUE_FREED: lambda r: f"{r.writing} removed {r.shown}, which {r.reading} sends again",
    ReasonKind.PAGE_CHANGED: lambda r: f"{r.reading} shows something different since {r.writing}",
    ReasonKind.STORED: _stored("was left in the browser"),
    ReasonKind.STORED_REMOVED: _stored("was removed"),
    ReasonKind.PAGE_LEFT_OPEN: lambda r: f"it starts on a page that was left open: {r.reading}",
    ReasonKind.TEXT: lambda reason: reason.shown,
}


def _in_brackets(stack: Stack) -> str:
    return f" ({place(stack)})" if stack else ""


def _at(stack: Stack) -> str:
    return f" at {stack[0].file}:{stack[0].line}" if stack else ""


def _line(frame: Frame) -> str:
    file = frame.file
    if file.startswith("/"):
        # A library: the last two parts of the path are enough, and the same on every machine.
        file = "/".join(file.split("/")[-2:]).lstrip("/")
    return f"{file}:{frame.line}"


def _short_names(one: TestId, other: TestId) -> tuple[str, str]:
    """Without their files, if that still distinguishes them."""
    first, second = short_name(one), short_name(other)
    return (first, second) if first != second else (one, other)
