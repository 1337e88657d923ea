"""The simulated oracle answers as a runner must, as far as its tests can do what is planted."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

from unknot.conformance import Feature, Opened, OracleConformance, PlantedSuite
from unknot.model.suite import TestId
from unknot.oracle.protocol import Oracle
from unknot.oracle.simulated import HiddenConflict, HiddenTruth, SimulatedOracle

_NO_SUCH_TESTS = "its tests only need and break each other"


def _tests(names: frozenset[str]) -> frozenset[TestId]:
    return frozenset(map(TestId, names))


def _hidden(suite: PlantedSuite) -> HiddenTruth:
    graph = suite.graph()
    needs: dict[TestId, tuple[frozenset[TestId], ...]] = {}
    for dependent, any_of in sorted(graph.needs, key=lambda need: sorted(need[1])):
        needs[TestId(dependent)] = (*needs.get(TestId(dependent), ()), _tests(any_of))
    conflicts = tuple(
        HiddenConflict(TestId(victim), _tests(frozenset({polluter})), _tests(cleaners))
        for victim, polluter, cleaners in graph.conflicts
    )
    return HiddenTruth(needs, conflicts)


class TestSimulated(OracleConformance):
    lacks: ClassVar = {
        Feature.FAILURES: _NO_SUCH_TESTS,
        Feature.CRASHES: _NO_SUCH_TESTS,
        Feature.HANGS: _NO_SUCH_TESTS,
        Feature.OUTPUT: _NO_SUCH_TESTS,
        Feature.SECONDS: "its seconds are not real",
    }

    @contextmanager
    def make(self, suite: PlantedSuite, directory: Path) -> Iterator[Opened[Oracle]]:  # noqa: ARG002
        oracle = SimulatedOracle(_hidden(suite), workers=suite.workers)
        yield Opened(oracle, tuple(map(TestId, suite.names)))
