"""One test that a worker has run: who, when, and what came of it."""

from dataclasses import dataclass

from unknot.model.run import Result
from unknot.model.suite import TestId


@dataclass(frozen=True, slots=True)
class Execution:
    """`worker` counts from 0; `request` is the number, among all that this runner was asked, of the first request
    that the test was run for; `started` and `ended` are readings of `time.monotonic` in this process. A test that took
    its process down has one too."""

    worker: int
    request: int
    test: TestId
    result: Result
    started: float
    ended: float
