"""A JSON file that the user names: read whole, or refused with words that name the place."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from unknot.model.errors import StorageError, UsageError
from unknot.model.sanitise import shown
from unknot.model.suite import Suite, TestId
from unknot.store.cursor import Cursor, Fault
from unknot.store.json_document import parsed

_MOST_BYTES = 100_000_000
_MOST_TESTS = 20_000
"""Detectors and plans keep a few bits for every pair of tests: with so many, some hundred megabytes."""

_Found = TypeVar("_Found")


def read_given(path: Path, hint: str, made: Callable[[Cursor], _Found]) -> _Found:
    """What `made` makes of the document. Raises StorageError if the file cannot be read, and UsageError, with the hint,
    if it holds something else."""
    name = shown(str(path))
    data = _bytes(path, name)
    if len(data) > _MOST_BYTES:
        too_large = "a file of so many bytes is too large; take a part of it"
        raise UsageError(f"{name}: more than {_MOST_BYTES // 1_000_000} MB", hint=too_large, slug="file-too-large")
    try:
        return made(Cursor(parsed(data.decode("utf-8-sig"))))
    except UnicodeDecodeError as error:
        raise UsageError(f"{name}: not UTF-8 (byte {error.start})", hint=hint, slug="file-not-utf8") from error
    except Fault as fault:
        raise UsageError(f"{name}: {fault}", hint=hint, slug="file-invalid") from fault


def ordered_suite(root: Cursor) -> Suite:
    """The names in `order`, each once. Raises Fault."""
    names = list(root.member("order").items())
    check_size(len(names))
    place: dict[TestId, int] = {}
    for item in names:
        test = TestId(item.text())
        if test in place:
            raise item.fault(f"{shown(test)} stands twice, at {place[test]} already")
        place[test] = len(place)
    return Suite(tuple(place))


def check_size(tests: int) -> None:
    if tests > _MOST_TESTS:
        raise Fault("", f"{tests:,} tests; at most {_MOST_TESTS:,} can be handled")


def _bytes(path: Path, name: str) -> bytes:
    """A little more than allowed at most: the path may lead to a pipe or a device that never ends."""
    try:
        with path.open("rb") as file:
            return file.read(_MOST_BYTES + 1)
    except FileNotFoundError as error:
        raise StorageError(
            f"{name}: there is no such file", hint="give the path of a file that is there", slug="file-not-found"
        ) from error
    except (OSError, ValueError) as error:
        # A path with a NUL in it is a ValueError.
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        hint = "check that it is a file that you may read"
        raise StorageError(f"cannot read {name}: {reason}", hint=hint, slug="file-unreadable") from error
