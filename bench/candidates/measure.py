"""One configuration on one suite: what is suspected, what TEDD makes of it, and what sieve does with it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.candidates.subjects import Subject
from bench.kit.failure import BenchFailure
from unknot.detect.engine.options import Detector, Options
from unknot.detect.engine.session import Progress
from unknot.detect.published.tedd import tedd
from unknot.detect.sieve.sieve import sieve
from unknot.hints.recording import flows_from_candidates
from unknot.model.candidates import Candidates
from unknot.model.dependencies import Dependencies
from unknot.oracle.count import CountingOracle, PredictedOracle
from unknot.oracle.simulated import SimulatedOracle
from unknot.web.hints.configurations import STRINGS, candidates_for, parse_configuration
from unknot.web.hints.strings import string_candidates

_AFTER_VALIDATION = "running what follows from the graph"


@dataclass(frozen=True)
class Asked:
    """`orders`, `tests` and `seconds` are the search's own; `with_proofs` counts the orders that show what was found,
    too. `right` says that the graph found is the true one."""

    orders: int
    tests: int
    seconds: float
    with_proofs: int
    right: bool


@dataclass(frozen=True)
class Row:
    """Edges, and what was asked. `filtered` were dropped because of dependency-free values or names; `kept` = `false` +
    `manifest`; `final` = `manifest` + `recovered` + `disconnected`: those found in validation, and those found later.
    `lost` of the true edges were not among those kept. `sieve` is given the kept ones as candidates."""

    suite: str
    configuration: str
    extracted: int
    filtered: int
    kept: int
    false: int
    manifest: int
    recovered: int
    disconnected: int
    final: int
    lost: int
    tedd: Asked
    sieve: Asked


def measure(subject: Subject, configuration: str) -> Row:
    suspects = _suspects(subject, configuration, subject.free)
    extracted = _suspects(subject, configuration, frozenset()).extracted
    kept = {(edge.dependent, edge.prerequisite) for edge in suspects.edges}
    options = Options(False, reference=subject.reference, candidates=suspects.graph)
    validated, asked = _detected(subject, tedd, options)
    final = _edges(subject, validated)
    early = _found_in_validation(subject, options)
    return Row(
        suite=subject.name,
        configuration=configuration,
        extracted=extracted,
        filtered=extracted - len(kept),
        kept=len(kept),
        false=len(kept - final),
        manifest=len(kept & final),
        recovered=len(final & early - kept),
        disconnected=len(final - early - kept),
        final=len(final),
        lost=len(set(subject.true.edges()) - kept),
        tedd=asked,
        sieve=sieved(subject, suspects),
    )


def sieved(subject: Subject, suspects: Candidates | None) -> Asked:
    recorded = flows_from_candidates(suspects) if suspects else None
    return _detected(subject, sieve, Options(False, reference=subject.reference, recorded=recorded))[1]


def _suspects(subject: Subject, configuration: str, free: frozenset[str]) -> Candidates:
    sources = {STRINGS: lambda: string_candidates(subject.suite, subject.uses, free)}
    return candidates_for(parse_configuration(configuration), subject.suite, sources)


def _detected(subject: Subject, detector: Detector, options: Options) -> tuple[Dependencies, Asked]:
    predicted = PredictedOracle(SimulatedOracle(subject.truth))
    counted = CountingOracle(predicted)
    dependencies = detector(subject.suite, counted, options)
    seconds = predicted.seconds(dependencies.cost.orders)
    right = dependencies.complete and _edges(subject, dependencies) == set(subject.true.edges())
    return dependencies, Asked(
        dependencies.cost.orders, dependencies.cost.tests, round(seconds, 3), counted.orders, right
    )


def _found_in_validation(subject: Subject, options: Options) -> set[tuple[int, int]]:
    """What TEDD has seen when it first looks at the parts that no longer hang together: it is stopped there."""
    stopped = False

    def stop(progress: Progress) -> None:
        nonlocal stopped
        if progress.step == _AFTER_VALIDATION:
            stopped = True
            raise KeyboardInterrupt

    dependencies = tedd(subject.suite, SimulatedOracle(subject.truth), options, stop)
    if not stopped:
        raise BenchFailure(f"tedd has no step called {_AFTER_VALIDATION!r} any more")
    return _edges(subject, dependencies)


def _edges(subject: Subject, dependencies: Dependencies) -> set[tuple[int, int]]:
    index = subject.suite.index
    return {(index[need.dependent], index[other]) for need in dependencies.needs for other in need.any_of}


def saving(rows: Sequence[Asked], baseline: Sequence[Asked], cost: Callable[[Asked], float]) -> float:
    """Over all suites together, in percent."""
    return 100 * (1 - sum(map(cost, rows)) / sum(map(cost, baseline)))
