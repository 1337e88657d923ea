"""Causes: the state behind several dependencies. If it is reset between tests, all of them end."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.reason import NOWHERE, Reason, ReasonKind
from unknot.model.recording import Location
from unknot.model.suite import Order, TestId

_VARIABLE = re.compile(r"(?!sys\.modules\[)(?:<[^>]*>|[^\[{<])+")
"""The name of a location in memory up to its first entry: modules have nothing else in common."""

_SCHEMA = " (schema)"


@dataclass(frozen=True)
class Cause:
    """Dependencies for which the same location was recorded. Each dependency has at most one cause."""

    location: Location
    needs: tuple[Need, ...]
    conflicts: tuple[Conflict, ...]

    @property
    def claims(self) -> tuple[Need | Conflict, ...]:
        return (*self.needs, *self.conflicts)

    @property
    def dependencies(self) -> int:
        return len(self.claims)

    @property
    def tests(self) -> Order:
        """The dependents and victims, each once."""
        return tuple(dict.fromkeys(map(dependent, self.claims)))


def dependent(claim: Need | Conflict) -> TestId:
    return claim.dependent if isinstance(claim, Need) else claim.victim


def causes(dependencies: Dependencies) -> tuple[Cause, ...]:
    """The causes of all dependencies with a known location, those of most dependencies first.

    A dependency with several locations is given to the one that explains most of the dependencies that are left.
    Entries of one variable are one location. Cost: linear in the reasons for each cause.
    """
    claims: tuple[Need | Conflict, ...] = (*dependencies.needs, *dependencies.conflicts)
    left = {claim: found for claim in claims if (found := _locations(claim.why))}
    groups: list[Cause] = []
    while left:
        counts: dict[Location, list[Need | Conflict]] = {}
        for claim, found in left.items():
            for location in found:
                counts.setdefault(location, []).append(claim)
        location = max(counts, key=lambda one: len(counts[one]))
        taken = counts[location]
        needs = tuple(claim for claim in taken if isinstance(claim, Need))
        conflicts = tuple(claim for claim in taken if isinstance(claim, Conflict))
        groups.append(Cause(location, needs, conflicts))
        for claim in taken:
            del left[claim]
    return tuple(groups)


def shared_causes(dependencies: Dependencies) -> tuple[Cause, ...]:
    """The causes of more than one dependency: the others say no more than the dependency itself."""
    return tuple(cause for cause in causes(dependencies) if cause.dependencies > 1)


def _locations(reasons: Iterable[Reason]) -> tuple[Location, ...]:
    """Where only one side was recorded, another reason is better."""
    reasons = sorted(reasons, key=lambda reason: not reason.sure)
    found = [(reason.sure, location) for reason in reasons if (location := _shared_state(reason)).name]
    return tuple(dict.fromkeys(location for sure, location in found if sure is found[0][0]))


def _shared_state(reason: Reason) -> Location:
    """The location that a fix would have to reset; nowhere if the reason names none."""
    if reason.kind is ReasonKind.PAGE_CHANGED:
        return Location("page", reason.reading)
    if reason.kind is ReasonKind.PLACE_VISITED:
        return Location("page", reason.shown)
    if reason.kind is ReasonKind.SET_UP_AGAIN:
        return NOWHERE
    return state_of(reason.location)


def state_of(location: Location) -> Location:
    """The whole that a location belongs to: the variable of an entry, the table of a schema."""
    if location.kind == "table":
        return Location("table", location.name.removesuffix(_SCHEMA))
    whole = _VARIABLE.match(location.name) if location.kind == "memory" else None
    return Location("memory", whole[0]) if whole else location
