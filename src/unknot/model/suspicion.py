"""What makes a test suspicious of needing another before anything was tried, and what its code says."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from unknot.model.errors import UsageError
from unknot.model.graph import DependencyGraph
from unknot.model.recording import Frame
from unknot.model.suite import Suite

MOST_PAIRS = 2_000_000
"""Each is an object with its reasons: so many take half a gigabyte."""


def check_pairs(count: int) -> None:
    """Raises UsageError where more pairs would be suspected than can be handled."""
    if count > MOST_PAIRS:
        raise UsageError(
            f"at least {count:,} pairs would be suspected; at most {MOST_PAIRS:,} can be handled",
            hint="take a part of the suite, or drop values that nearly all tests share (`unknot suspects --review`);"
            " without --suspects any size will do",
        )


@dataclass(frozen=True)
class Mention:
    """A text that a test's code mentions, and the line where it does, if that is known."""

    text: str
    place: Frame | None = None


@dataclass(frozen=True)
class StringUse:
    """What one test says. `submitted` are the values that it types, selects or uploads; `used` is every text that it
    mentions anywhere, submitted ones too; each text once, at its first place. `gaps` says in words, each with its
    place, what could not be followed: a file that does not parse, a page object that was not found. Of a test with a
    gap nothing can be concluded from what it does not say."""

    submitted: tuple[Mention, ...] = ()
    used: tuple[Mention, ...] = ()
    gaps: tuple[str, ...] = ()

    @property
    def is_known(self) -> bool:
        return not self.gaps


@dataclass(frozen=True, slots=True)
class Suspicion:
    """An edge that nobody has tried: the test at `dependent` may need the one at `prerequisite`. `strings` are the
    values that both know; `reasons` say in words why they are suspected; `gaps` say what could not be read or seen of
    them, so that they are not cleared: that explains nothing, should the one turn out to need the other."""

    dependent: int
    prerequisite: int
    strings: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Suspects:
    """Every edge that is suspected, by dependent and then prerequisite, each pair once. `extracted` counts the edges
    before filters took some away. `notes` are for the reader: what could not be read or classed."""

    suite: Suite
    edges: tuple[Suspicion, ...] = ()
    extracted: int = 0
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, suite: Suite, edges: Iterable[Suspicion], notes: Iterable[str] = ()) -> "Suspects":
        """With what several sources say of the same pair put together; an edge from a test to itself is dropped."""
        joined: dict[tuple[int, int], Suspicion] = {}
        for edge in edges:
            key = (edge.dependent, edge.prerequisite)
            if edge.dependent == edge.prerequisite:
                continue
            known = joined.get(key)
            joined[key] = edge if known is None else _joined(known, edge)
        ordered = tuple(joined[key] for key in sorted(joined))
        return cls(suite, ordered, len(ordered), tuple(dict.fromkeys(notes)))

    @cached_property
    def graph(self) -> DependencyGraph:
        return DependencyGraph(len(self.suite), ((edge.dependent, edge.prerequisite) for edge in self.edges))


def _joined(one: Suspicion, other: Suspicion) -> Suspicion:
    return Suspicion(
        one.dependent,
        one.prerequisite,
        tuple(dict.fromkeys((*one.strings, *other.strings))),
        tuple(dict.fromkeys((*one.reasons, *other.reasons))),
        tuple(dict.fromkeys((*one.gaps, *other.gaps))),
    )
