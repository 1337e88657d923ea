"""How the tests were started, kept beside the journal, so that `report` and `explain` print the same commands."""

import json
from pathlib import Path

from unknot.store.atomic import write_atomically

_NAME = "invocation.json"
_DEFAULT = ("pytest",)


def remember(state: Path, words: tuple[str, ...]) -> None:
    write_atomically(state / _NAME, json.dumps(words) + "\n")


def recall(state: Path) -> tuple[str, ...]:
    """`pytest` where nothing is known, as in a fresh clone that has only the lock file."""
    try:
        words = json.loads((state / _NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return _DEFAULT
    if isinstance(words, list) and words and all(isinstance(word, str) for word in words):
        return tuple(words)
    return _DEFAULT
