"""What was found out about one test."""

from dataclasses import dataclass
from enum import StrEnum

from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.suite import Order, TestId


class BlameVerdict(StrEnum):
    DEPENDENT = "dependent"
    """It needs other tests, or others break it: both are proved."""
    FLAKY = "flaky"
    """Its outcome differs in the same order."""
    FAILING = "failing"
    """It failed in every order that was tried, and alone."""
    PASSING = "passing"
    """It passed in every order that was tried, and alone."""
    UNEXPLAINED = "unexplained"
    """It failed in some order, and nothing could be proved."""
    CRASHING = "crashing"
    """It ends the process that runs it."""


@dataclass(frozen=True)
class Tried:
    """An order that ended with the test, in words, and the outcome of the test there."""

    what: str
    order: Order
    outcome: Outcome


@dataclass(frozen=True)
class Blame:
    """`dependencies` are those of the test and of the tests that it needs. `finished`: nothing stopped the search."""

    test: TestId
    verdict: BlameVerdict
    dependencies: Dependencies
    tried: tuple[Tried, ...]
    finished: bool


@dataclass(frozen=True)
class NamedOrder:
    """An order in which the test is said to fail, and where it comes from."""

    what: str
    order: Order
