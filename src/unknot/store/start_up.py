"""What runs of this suite have cost besides their tests on this machine: a file beside the durations."""

import json
from collections.abc import Mapping
from pathlib import Path

from unknot.model.errors import StorageError
from unknot.model.start_up import USUAL_REST, StartUp
from unknot.store.atomic import write_atomically
from unknot.store.typed_json import PLAIN, ErrorTemplate, Problem, explained, load

_FORMAT = 1
_DIGITS = 3
_ERRORS: Mapping[Problem, ErrorTemplate] = {
    "missing": ErrorTemplate(slug="file-not-found", hint="`unknot detect` and `unknot run` write it"),
    "damaged": ErrorTemplate(slug="file-invalid", hint="Delete the file; the next run writes it again"),
}


def read_start_up(path: Path) -> StartUp | None:
    """None if nothing was measured yet, or the file is damaged: it only helps to predict."""
    if not path.exists():
        return None
    try:
        with explained(path, _ERRORS):
            document = load(path, known_format=_FORMAT)
            return StartUp(PLAIN.read(float, document, "collecting"), PLAIN.read(float, document, "rest"))
    except StorageError:
        return None


def update_start_up(path: Path, *, collecting: float, rest: float | None = None) -> None:
    """Adds what was measured, if anything: the mean of that and what is known. Raises StorageError."""
    if not collecting:
        return
    known = read_start_up(path) or StartUp(collecting, USUAL_REST if rest is None else rest)
    more = known.rest if rest is None else rest
    found = StartUp((known.collecting + collecting) / 2, (known.rest + more) / 2)
    document = {"format": _FORMAT, "collecting": round(found.collecting, _DIGITS), "rest": round(found.rest, _DIGITS)}
    write_atomically(path, json.dumps(document, allow_nan=False) + "\n")
