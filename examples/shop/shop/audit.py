"""The audit log: who did what, kept in memory while the shop runs."""

from __future__ import annotations

import itertools
from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    topic: str
    text: str


_entries: list[Entry] = []
_references = itertools.count(1)
_paused = False


def record(topic: str, text: str) -> None:
    """Add an entry, unless the log is paused."""
    if not _paused:
        _entries.append(Entry(topic, text))


def entries(topic: str) -> list[Entry]:
    return [entry for entry in _entries if entry.topic == topic]


def pause() -> None:
    """Stop recording, for bulk work that would flood the log."""
    global _paused
    _paused = True


def resume() -> None:
    global _paused
    _paused = False


def is_paused() -> bool:
    return _paused


def next_reference() -> int:
    """A number not handed out before in this process."""
    return next(_references)
