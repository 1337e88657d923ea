"""Options of detectors. Every detector accepts all of them and uses those that concern it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from unknot.detect.engine.forecast import Forecast
from unknot.detect.engine.session import Progress
from unknot.hints.recording import RecordedFlows
from unknot.model.dependencies import Dependencies
from unknot.model.graph import DependencyGraph
from unknot.model.suite import Reference, Suite, TestId
from unknot.oracle.protocol import Oracle

ProgressCallback = Callable[[Progress], None]


def no_progress(progress: Progress) -> None:
    """Ignores all progress."""


@dataclass(frozen=True)
class Options:
    """`reorders` finds conflicts in any order, not only among tests that keep the reference order. `thorough` tries
    every pair, whatever it costs. `file_of` names the file (or other group) of a test. `reference`, if known, is not
    run again. `candidates` is the graph, dependent to prerequisite, that refining detectors start from; without it
    every test may need every earlier one. `bound` is the k of k-bounded detectors. `max_sequences` limits what a
    detector that keeps sequences may keep. `recorded` are the flows between tests that a recording has shown: our own
    detectors try those first. `recorded_meanwhile` waits for a recording that is under way and returns its flows, for a
    suite that has shown a dependency (true) or not; `recorded_so_far` returns what is known before the second look,
    which shows the setters of brittle tests, and is called for suites that have some. With `records_reference`, the
    oracle answers the reference order by a recording of it after other orders: our own detector runs those first. With
    `trusts_recording` they try no other pair, and do not call the result complete."""

    reorders: bool = True
    thorough: bool = False
    seed: int = 0
    file_of: Callable[[TestId], str] = lambda test: test.partition("::")[0]
    reference: Reference | None = None
    candidates: DependencyGraph | None = None
    bound: int = 2
    max_sequences: int = 1_000_000
    recorded: RecordedFlows | None = None
    recorded_meanwhile: Callable[[bool], RecordedFlows | None] | None = None
    recorded_so_far: Callable[[], RecordedFlows | None] = lambda: None
    records_reference: bool = False
    trusts_recording: bool = False
    on_claims: Callable[[Dependencies], None] = lambda dependencies: None
    """Gets what is proved so far, as a result that is not complete, while our own detector goes on."""
    on_forecast: Callable[[Forecast], None] = lambda expected: None
    """Gets what the search will cost, once the reference order has been run."""


DEFAULT_OPTIONS = Options()


class Detector(Protocol):
    """Stops early, with a true but incomplete result, when the oracle raises BudgetExhausted or on Ctrl-C."""

    def __call__(
        self,
        suite: Suite,
        oracle: Oracle,
        options: Options = DEFAULT_OPTIONS,
        on_progress: ProgressCallback = no_progress,
    ) -> Dependencies: ...
