"""What came of generating a suite."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class GeneratedTest:
    """`checks` counts its assertions."""

    file: str
    name: str
    checks: int


@dataclass(frozen=True)
class DroppedTest:
    """A test that was not green each time. `when` says in which run, `why` is the first line of what it said."""

    name: str
    when: str
    why: str


@dataclass(frozen=True)
class SeenFault:
    """`actions` are the steps that show it, in words; `text` is what the application said. All of it is hostile."""

    kind: str
    text: str
    actions: tuple[str, ...]


@dataclass(frozen=True)
class GeneratedSuite:
    """`tests` are those in the directory now, in their order. `repeated` counts those of which others make the same
    transitions and checks, `unwritten` the drafts that became no test, by the reason. `dependent` counts tests that
    need others or are broken by them. `made` are files of the user that were missing, `removed` files of an earlier
    suite that has tests which this one has not. `problem` says why exploring ended before its time."""

    directory: str
    tests: tuple[GeneratedTest, ...]
    dropped: tuple[DroppedTest, ...] = ()
    repeated: int = 0
    unwritten: Mapping[str, int] = field(default_factory=dict)
    dependent: int = 0
    made: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    faults: tuple[SeenFault, ...] = ()
    problem: str = ""
    walks: int = 0
    steps: int = 0
    exploring_seconds: float = 0.0
    proving_seconds: float = 0.0
