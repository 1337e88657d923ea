"""What a runner's author hands over to be checked."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from unknot.model.suite import Order
from unknot.oracle.protocol import Oracle

Answers = TypeVar("Answers", bound=Oracle, covariant=True)


@dataclass(frozen=True)
class Opened(Generic[Answers]):
    """A runner that is ready to be asked about one planted suite, and the tests that it listed, in its order."""

    oracle: Answers
    listed: Order


class Feature(StrEnum):
    """What not every runner has. One that lacks something says so, with the reason."""

    FAILURES = "tests that fail by themselves"
    SKIPS = "tests that skip"
    CRASHES = "tests that take their process down"
    HANGS = "tests that hang"
    STORIES = "stories of bad outcomes"
    SECONDS = "seconds of each test"
    OUTPUT = "tests that print"
    HOSTILE_NAMES = "names with spaces, quotes and worse"
    WORKERS = "several orders at the same time"
    PROCESSES = "processes of its own"
    LEFTOVERS = "tests that leave a process running"
    DETECTION = "a detection in bearable time"
