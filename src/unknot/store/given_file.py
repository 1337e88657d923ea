"""A JSON file of a suite that the user names: read whole, or refused with words that name the place."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol, TypeVar

from unknot.model.errors import NoTestsError, UsageError
from unknot.model.sanitise import shown
from unknot.model.suite import Order, Suite, TestId
from unknot.store.typed_json import (
    ErrorTemplate,
    Fault,
    JsonReader,
    Problem,
    explained,
    load,
)

_MOST_BYTES = 100_000_000
_MOST_TESTS = 20_000
"""Detectors and plans keep a few bits for every pair of tests: with so many, some hundred megabytes."""


class _HasSuite(Protocol):
    @property
    def suite(self) -> Suite: ...


_Found = TypeVar("_Found", bound=_HasSuite)


def read_given(path: Path, hint: str, build: Callable[[object], _Found]) -> _Found:
    """What `build` makes of the document. Raises StorageError if the file cannot be read, UsageError, with the hint, if
    it holds something else, and NoTestsError if it holds no tests."""
    too_large = "a file of so many bytes is too large; take a part of it"
    errors: Mapping[Problem, ErrorTemplate] = {
        "missing": ErrorTemplate(slug="file-not-found", hint="give the path of a file that is there"),
        "too large": ErrorTemplate(slug="file-too-large", hint=too_large, error=UsageError),
        "not UTF-8": ErrorTemplate(slug="file-not-utf8", hint=hint, error=UsageError),
        "damaged": ErrorTemplate(slug="file-invalid", hint=hint, error=UsageError),
    }
    with explained(path, errors):
        found = build(load(path, most_bytes=_MOST_BYTES))
    if not found.suite.tests:
        raise NoTestsError(f"{shown(str(path))}: there are no tests in it", hint=hint, slug="no-tests")
    return found


def check_size(tests: int) -> None:
    if tests > _MOST_TESTS:
        raise Fault(f"{tests:,} tests; at most {_MOST_TESTS:,} can be handled")


def _check_order(tests: Order) -> None:
    place: dict[TestId, int] = {}
    for number, test in enumerate(tests):
        if test in place:
            raise Fault(f"{shown(test)} stands twice, at {place[test]} already", f"[{number}]")
        place[test] = number
    check_size(len(tests))


ORDERED = JsonReader(checks={Order: _check_order})
"""Reads the names of a suite as different tests, and not too many."""
