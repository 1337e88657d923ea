"""Candidates: dependencies that look likely before any test ran, and the texts in test code they are found by."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import attrgetter

from unknot.model.errors import UsageError
from unknot.model.graph import DependencyGraph
from unknot.model.reason import Reason
from unknot.model.recording import Frame
from unknot.model.suite import Suite

MOST_PAIRS = 2_000_000
"""Each pair is an object with its reasons; this many take half a gigabyte."""


def check_pairs(count: int) -> None:
    """Raises UsageError if there are more candidate pairs than can be handled."""
    if count > MOST_PAIRS:
        raise UsageError(
            f"at least {count:,} candidate pairs; at most {MOST_PAIRS:,} can be handled",
            hint="Select a part of the suite, or drop values that nearly all tests share"
            " (`unknot candidates --review`). Without hints there is no limit.",
            slug="too-many-candidates",
        )


@dataclass(frozen=True)
class Mention:
    """A text in the code of a test, and its line, if that is known."""

    text: str
    place: Frame | None = None


@dataclass(frozen=True)
class StringUse:
    """The texts of one test. `submitted` are the values that it types, selects or uploads; `used` is every text that it
    mentions, including submitted ones; each text once, at its first place. `gaps` describes, each with its place, what
    could not be followed: a file that does not parse, a page object that was not found. If a test has a gap, nothing
    follows from a text that it does not mention."""

    submitted: tuple[Mention, ...] = ()
    used: tuple[Mention, ...] = ()
    gaps: tuple[str, ...] = ()

    @property
    def is_known(self) -> bool:
        return not self.gaps


@dataclass(frozen=True, slots=True)
class Candidate:
    """An untried edge: the test at `dependent` may need the one at `prerequisite`. `strings` are the values that both
    use; `reasons` say why this is likely; `gaps` say what could not be read or recorded of the two, so that the pair
    cannot be ruled out. A gap does not explain a dependency."""

    dependent: int
    prerequisite: int
    strings: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()
    gaps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Candidates:
    """All candidate edges, by dependent and then prerequisite, each pair once. `extracted` counts the edges before
    filters dropped some. `notes` are for the reader: what could not be read or classified."""

    suite: Suite
    edges: tuple[Candidate, ...] = ()
    extracted: int = 0
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, suite: Suite, edges: Iterable[Candidate], notes: Iterable[str] = ()) -> "Candidates":
        """Merges the edges that several sources give for the same pair. Drops an edge from a test to itself."""
        others = [edge for edge in edges if edge.dependent != edge.prerequisite]
        others.sort(key=_PAIR)
        ordered = tuple(_joined(list(same)) for _, same in groupby(others, key=_PAIR))
        return cls(suite, ordered, len(ordered), tuple(dict.fromkeys(notes)))

    @cached_property
    def graph(self) -> DependencyGraph:
        return DependencyGraph(len(self.suite), ((edge.dependent, edge.prerequisite) for edge in self.edges))


_PAIR = attrgetter("dependent", "prerequisite")


def _joined(edges: list[Candidate]) -> Candidate:
    """One edge for all of a pair."""
    first = edges[0]
    if len(edges) == 1:
        return first
    return Candidate(
        first.dependent,
        first.prerequisite,
        tuple(dict.fromkeys(string for edge in edges for string in edge.strings)),
        tuple(dict.fromkeys(reason for edge in edges for reason in edge.reasons)),
        tuple(dict.fromkeys(gap for edge in edges for gap in edge.gaps)),
    )
