"""What a detector may be told. Every detector takes all of it and uses what concerns it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from unknot.detect.engine.session import Progress
from unknot.hints.recorded import Recorded
from unknot.model.dependencies import Dependencies
from unknot.model.graph import DependencyGraph
from unknot.model.suite import Reference, Suite, TestId
from unknot.oracle.protocol import Oracle

ProgressCallback = Callable[[Progress], None]


def no_progress(progress: Progress) -> None:
    """Tells nobody."""


@dataclass(frozen=True)
class Options:
    """`reorders` looks for trouble in any order, not only among tests that keep the reference order. `thorough` asks
    for certainty on pairs whatever it costs. `file_of` names the file (or other group) of a test. `reference`, where
    it is known, is not asked for again. `candidates` is the graph, dependent to prerequisite, that refining detectors
    start from; without it every test is suspected to need every earlier one. `bound` is the k of k-bounded detectors.
    `most_sequences` bounds what a detector that keeps sequences may keep. `brittle` is the share of tests that fail
    alone, where it is known from another day: a guide for what to ask. `recorded` is what was seen to flow between
    tests when the suite was recorded: our own detectors try those first. With `trusts_recording` they look at nobody
    else, and do not call what they found complete."""

    reorders: bool = True
    thorough: bool = False
    seed: int = 0
    file_of: Callable[[TestId], str] = lambda test: test.partition("::")[0]
    reference: Reference | None = None
    candidates: DependencyGraph | None = None
    bound: int = 2
    most_sequences: int = 1_000_000
    brittle: float | None = None
    recorded: Recorded | None = None
    trusts_recording: bool = False


DEFAULT_OPTIONS = Options()


class Detector(Protocol):
    """Detects. Stops early, with a true but incomplete result, when the oracle raises BudgetExhausted or on Ctrl-C."""

    def __call__(
        self,
        suite: Suite,
        oracle: Oracle,
        options: Options = DEFAULT_OPTIONS,
        on_progress: ProgressCallback = no_progress,
    ) -> Dependencies: ...
