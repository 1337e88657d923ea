"""The planted suites, by letter."""

from dataclasses import dataclass
from pathlib import Path

from bench.knotted.drawn import HUNDRED, WHOLE, write_suite
from bench.knotted.written import (
    SuiteWriter,
    failing_polluters,
    hidden_polluter,
    one_cause,
    outside,
    setter_last,
)
from unknot.model.dependencies import Dependencies

SEED = 7


@dataclass(frozen=True)
class Planted:
    """`write` fills a new directory and returns the truth. `goal` is the most test runs over tests that a detection may
    take; `seconds` the most wall seconds until it is complete, and until its first claim. `fails_first`: polluters act
    only when they fail themselves."""

    letter: str
    name: str
    write: SuiteWriter
    goal: float | None = None
    seconds: tuple[float, float] | None = None
    fails_first: bool = False


def _knotted(directory: Path) -> Dependencies:
    return write_suite(directory, HUNDRED, SEED)


def _knotted_300(directory: Path) -> Dependencies:
    return write_suite(directory, WHOLE, SEED)


def _unseen(directory: Path) -> Dependencies:
    return write_suite(directory, HUNDRED, SEED, hidden=True)


SUITES = (
    Planted("a", "knotted 100", _knotted, goal=20),
    Planted("b", "knotted 300", _knotted_300, goal=25),
    Planted("c", "knotted 100, not recordable", _unseen, goal=45),
    Planted("d", "hidden polluter", hidden_polluter),
    Planted("e", "one cause", one_cause, seconds=(60, 10)),
    Planted("f", "outside the project", outside),
    Planted("g", "setter last", setter_last),
    Planted("h", "failing polluters", failing_polluters, fails_first=True),
)
