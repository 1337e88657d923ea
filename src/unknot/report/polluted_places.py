"""State that tests leave behind, by place: the entries of one variable, or the table of a database, are one place."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from unknot.model.cause import dependent, state_of
from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.recording import Location, Recording, Stack
from unknot.model.suite import TestId

_TEMPORARY = re.compile(
    r"(^|/)(pytest-of-[^/]*|unknot-[^/]*|\.unknot|\.pytest_cache|__pycache__|unknot\.lock\.json)(/|$)"
)
"""pytest's temporary directories, which no other test is given, and what pytest and unknot write themselves."""

_A_DIRECTORY = "a directory"


@dataclass
class PollutedPlace:
    """`writers` are the tests that leave it changed, `readers` the other tests that read it, before or after. `breaks`
    and `needed_by` come from the lock file: the tests of the dependencies that go through it."""

    location: Location
    writers: list[TestId] = field(default_factory=list)
    readers: list[TestId] = field(default_factory=list)
    breaks: list[TestId] = field(default_factory=list)
    needed_by: list[TestId] = field(default_factory=list)
    values: set[str] = field(default_factory=set)
    written: list[Stack] = field(default_factory=list)


def polluted_places(recording: Recording, dependencies: Dependencies | None) -> tuple[PollutedPlace, ...]:
    """First those through which most tests are broken, then those that most tests read, then those that most leave. A
    directory or a database file is left out if what changed in it is there, and so are temporary files."""
    found: dict[Location, PollutedPlace] = {}
    for left in recording.left:
        if _counts(left.location, left.shown):
            place = found.setdefault(state_of(left.location), PollutedPlace(state_of(left.location)))
            _add(place.writers, [left.test])
            place.values.add(left.shown)
            place.written.append(left.written)
            account = recording.account_of.get(left.location)
            _add(place.readers, [read.test for read in account.reads] if account else [])
    for place in found.values():
        place.readers = [test for test in place.readers if place.writers != [test]]
    if dependencies is not None:
        _add_dependents(found, (*dependencies.needs, *dependencies.conflicts))
    order = {test: number for number, test in enumerate(recording.tests)}
    kept = [place for location, place in found.items() if not _holds_another(location, found)]
    return tuple(sorted(kept, key=lambda place: (*_importance(place), order.get(place.writers[0], len(order)))))


def _importance(place: PollutedPlace) -> tuple[int, int, int, int]:
    return -len(place.breaks), -len(place.needed_by), -len(place.readers), -len(place.writers)


def _counts(location: Location, shown: str) -> bool:
    return location.kind not in ("file", "directory") or not (_TEMPORARY.search(location.name) or shown == _A_DIRECTORY)


def _holds_another(location: Location, found: Iterable[Location]) -> bool:
    """Whether it is a database file with a table among them, or a directory with one of them in it."""
    if location.kind not in ("file", "directory"):
        return False
    return any(other.name.startswith((f"{location.name}: ", f"{location.name}/")) for other in found)


def _add_dependents(found: Mapping[Location, PollutedPlace], claims: Iterable[Need | Conflict]) -> None:
    """Through the places of a claim's reasons; where none is known, through those that one test leaves and the other
    reads."""
    for claim in claims:
        places = [place for reason in claim.why if (place := found.get(state_of(reason.location)))]
        if not claim.why:
            others = claim.any_of if isinstance(claim, Need) else claim.polluters
            places = [
                each for each in found.values() if dependent(claim) in each.readers and _meet(others, each.writers)
            ]
        for place in places:
            _add(place.breaks if isinstance(claim, Conflict) else place.needed_by, [dependent(claim)])


def _meet(some: Iterable[TestId], others: Iterable[TestId]) -> bool:
    return not set(some).isdisjoint(others)


def _add(tests: list[TestId], more: Iterable[TestId]) -> None:
    tests.extend(test for test in dict.fromkeys(more) if test not in tests)
