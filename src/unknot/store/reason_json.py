"""Reasons as JSON values: members that are empty are left out."""

from typing import Any

from unknot.model.reason import NOWHERE, Reason
from unknot.model.recording import Stack

_TEXTS = ("writer", "reader", "setter", "cleaner", "shown", "writing", "reading", "unseen")


def reason_to_json(reason: Reason) -> dict[str, Any]:
    """Guarantee: read as a Reason it is equal."""
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
