"""Changes that `unknot fix` has tried and that worked, for the report: a file in the state directory."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from unknot.model.suite import Order, TestId
from unknot.store.atomic import write_atomically
from unknot.store.lock import escape_surrogates
from unknot.store.typed_json import PLAIN, Fault, load

_FORMAT = 1


@dataclass(frozen=True)
class TriedFix:
    """`test` depends on `others`, and no longer does with `diff` applied. `path` is the file that it changes, from the
    project's root, and `digest` what the file was then."""

    test: TestId
    others: Order
    summary: str
    path: str
    digest: str
    diff: str


def remember_fixes(path: Path, fixes: Iterable[TriedFix]) -> None:
    """Adds to those in the file; a new fix of the same dependency replaces the old one. Raises StorageError."""
    known = {(fix.test, fix.others): fix for fix in (*read_tried_fixes(path), *fixes)}
    document = {"format": _FORMAT, "fixes": [asdict(fix) for fix in known.values()]}
    write_atomically(path, escape_surrogates(json.dumps(document, ensure_ascii=False, indent=1)) + "\n")


def read_tried_fixes(path: Path) -> tuple[TriedFix, ...]:
    """None if there is no file, or it cannot be read: they are only shown, and `unknot fix` finds them again."""
    try:
        return PLAIN.read(tuple[TriedFix, ...], load(path, known_format=_FORMAT), "fixes")
    except Fault:
        return ()
