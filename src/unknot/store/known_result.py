"""The result of the last detection, put together: the lock file, how long tests take, and what the detection cost."""

import json
from dataclasses import replace
from pathlib import Path

from unknot.model.dependencies import Cost, Dependencies
from unknot.model.errors import StorageError
from unknot.store.atomic import write_atomically
from unknot.store.durations import read_durations, with_durations
from unknot.store.fingerprint import file_digest
from unknot.store.lock import DIGITS, LockContent, read_lock_content
from unknot.store.state_directory import StateDirectory
from unknot.store.typed_json import PLAIN, Fault, load

_FORMAT = 1


def read_known_result(lock: Path, state: StateDirectory, durations: Path | None = None) -> Dependencies:
    """The content of the lock file, with times from `durations`, or else from the state directory, where there are any.
    Raises StorageError."""
    return read_known_lock(lock, state, durations).dependencies


def read_known_lock(lock: Path, state: StateDirectory, durations: Path | None = None) -> LockContent:
    """The same, with all that the lock file has. Raises StorageError."""
    content = read_lock_content(lock)
    found = content.dependencies
    if durations is not None or state.durations.exists():
        found = with_durations(found, read_durations(durations or state.durations))
    return replace(content, dependencies=found if found.cost.is_known else replace(found, cost=_read_cost(lock, state)))


def is_written_here(lock: Path, state: StateDirectory) -> bool:
    """Whether a detection with this state directory has written the lock file as it is now."""
    try:
        return PLAIN.read(str, load(state.last_detection, known_format=_FORMAT), "lock") == file_digest(lock)
    except (Fault, StorageError):
        return False


def write_cost(lock: Path, state: StateDirectory, cost: Cost) -> None:
    """Keeps what the detection that wrote this lock file cost. Raises StorageError."""
    document = {
        "format": _FORMAT,
        "lock": file_digest(lock),
        "cost": cost_to_json(cost),
    }
    write_atomically(state.last_detection, json.dumps(document, indent=1, allow_nan=False) + "\n")


def is_explained(lock: Path, state: StateDirectory) -> bool:
    """Whether a detection with this state directory has recorded the suite, or tried to, for the lock file as it is
    now."""
    try:
        return state.explained.read_text(encoding="utf-8").strip() == file_digest(lock)
    except (OSError, ValueError, StorageError):
        return False


def write_explained(lock: Path, state: StateDirectory) -> None:
    """Keeps that this was done. Raises StorageError."""
    write_atomically(state.explained, file_digest(lock) + "\n")


def cost_to_json(cost: Cost) -> dict[str, object]:
    return {
        "algorithm": cost.algorithm,
        "orders": cost.orders,
        "tests": cost.tests,
        "seconds": round(cost.seconds, DIGITS),
        **({"choice": cost.choice} if cost.choice else {}),
    }


def _read_cost(lock: Path, state: StateDirectory) -> Cost:
    """Unknown if another lock file has taken the place of the one that was written then, or the file is damaged."""
    try:
        document = load(state.last_detection, known_format=_FORMAT)
        is_same = PLAIN.read(str, document, "lock") == file_digest(lock)
        return PLAIN.read(Cost, document, "cost") if is_same else Cost()
    except (Fault, StorageError):
        return Cost()
