"""Tests as generators handle them: paths on a navigation graph, before and after they ran."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

from unknot.model.navigation_graph import Transition
from unknot.web.crawl.trace import TakenStep

Values = tuple[tuple[str, str], ...]
"""Of the parameters of an action, by name."""


@dataclass(frozen=True)
class PlannedCall:
    """A transition to take, with the values of its parameters."""

    transition: Transition
    values: Values = ()


Path = tuple[PlannedCall, ...]


def is_well_formed(path: Sequence[PlannedCall], start: str) -> bool:
    """Whether it begins at the page and each call begins where the one before it ends."""
    page = start
    for call in path:
        if call.transition.source != page:
            return False
        page = call.transition.target
    return True


def end_of(path: Sequence[PlannedCall], start: str) -> str:
    return path[-1].transition.target if path else start


class CallOutcome(Enum):
    """`NOT_POSSIBLE`: another page is in view, or the action is not on it; `REFUSED`: its guard does not hold."""

    WORKED = "worked"
    REFUSED = "refused"
    NOT_POSSIBLE = "not possible"


@dataclass(frozen=True)
class ExecutedCall:
    """`taken` is the transition that the application took, if the call worked; its target may be another page than the
    planned one. `source` is the page that was in view."""

    planned: PlannedCall
    outcome: CallOutcome
    source: str
    taken: Transition | None = None
    refusal: str = ""

    @property
    def diverged(self) -> bool:
        return self.taken is None or self.taken.target != self.planned.transition.target


@dataclass(frozen=True)
class ExecutedPath:
    """The calls of a test in their order, those that failed included. `walk` is what happened in the application: a
    reset, and the steps that were performed, with what was in view."""

    calls: tuple[ExecutedCall, ...]
    walk: tuple[TakenStep, ...] = field(default=(), compare=False, repr=False)

    @property
    def diverged(self) -> bool:
        return any(each.diverged for each in self.calls)

    def taken(self) -> Iterator[Transition]:
        """The transitions, each as often as it was taken."""
        return (each.taken for each in self.calls if each.taken is not None)

    def feasible_prefix(self) -> Path:
        """The calls before the first one that failed or led elsewhere, and what that one did if it worked."""
        kept: list[PlannedCall] = []
        for each in self.calls:
            if each.taken is None:
                break
            kept.append(PlannedCall(each.taken, each.planned.values))
            if each.diverged:
                break
        return tuple(kept)

    def without_failures(self) -> Path:
        """The calls that worked, as the application took them: a well-formed path, because a call that fails leaves
        the page as it is."""
        return tuple(PlannedCall(each.taken, each.planned.values) for each in self.calls if each.taken is not None)
