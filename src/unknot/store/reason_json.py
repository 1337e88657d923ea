"""Reasons as JSON values: members that are empty are left out."""

from typing import Any

from unknot.model.reason import NOWHERE, Reason, ReasonKind
from unknot.model.recording import Frame, Location, Stack
from unknot.model.sanitise import shown
from unknot.model.suite import TestId
from unknot.store.cursor import Cursor

_TEXTS = ("writer", "reader", "setter", "cleaner", "shown", "writing", "reading", "unseen")


def reason_to_json(reason: Reason) -> dict[str, Any]:
    """Guarantee: `reason_from_json` gives an equal reason back."""
    texts = {key: getattr(reason, key) for key in _TEXTS if getattr(reason, key)}
    location = reason.location
    return {
        "kind": reason.kind.value,
        **({"location": {"kind": location.kind, "name": location.name}} if location != NOWHERE else {}),
        **texts,
        **({"written": stack_to_json(reason.written)} if reason.written else {}),
        **({"read": stack_to_json(reason.read)} if reason.read else {}),
        **({} if reason.sure else {"sure": False}),
    }


def stack_to_json(stack: Stack) -> list[dict[str, Any]]:
    return [{"file": frame.file, "line": frame.line, "function": frame.function} for frame in stack]


def reason_from_json(item: Cursor) -> Reason:
    """Raises Fault."""

    def text(key: str) -> str:
        return item.optional(key, "").text()

    return Reason(
        _kind(item.member("kind")),
        writer=TestId(text("writer")),
        reader=TestId(text("reader")),
        setter=TestId(text("setter")),
        cleaner=TestId(text("cleaner")),
        shown=text("shown"),
        writing=text("writing"),
        reading=text("reading"),
        unseen=text("unseen"),
        location=_location(item.member("location")) if "location" in item.object() else NOWHERE,
        written=_stack(item.optional("written", [])),
        read=_stack(item.optional("read", [])),
        sure=item.optional("sure", True).truth(),
    )


def _kind(item: Cursor) -> ReasonKind:
    try:
        return ReasonKind(item.text())
    except ValueError:
        raise item.fault(f"unknown kind of reason {shown(item.text())!r}") from None


def _location(item: Cursor) -> Location:
    return Location(item.member("kind").text(), item.member("name").text())


def _stack(item: Cursor) -> Stack:
    return tuple(
        Frame(frame.member("file").text(), frame.member("line").count(), frame.member("function").text())
        for frame in item.items()
    )
