"""The check that all others serve: a detection finds what was planted, all of it and nothing else."""

from unknot.conformance.asking import Asking
from unknot.conformance.opened import Answers, Feature
from unknot.conformance.planted import PlantedGraph, PlantedSuite
from unknot.conformance.suites import KNOTTED
from unknot.detect.sieve.sieve import sieve
from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.suite import Suite, TestId


class DetectionCheck(Asking[Answers]):
    def test_a_detection_finds_the_planted_graph(self) -> None:
        self.needs(Feature.DETECTION)
        oracle = self.opened(KNOTTED).oracle
        found = sieve(Suite(self.ids(KNOTTED, KNOTTED.names)), oracle)
        assert set(found.outcomes.values()) == {Outcome.PASSED}
        assert found.complete
        assert not found.flaky
        assert self._graph(KNOTTED, found) == KNOTTED.graph()

    def _graph(self, suite: PlantedSuite, found: Dependencies) -> PlantedGraph:
        names = {TestId(self.id_of(test)): test.name for test in suite.tests}
        for conflict in found.conflicts:
            assert len(conflict.polluters) == 1, f"one polluter is enough for {conflict.victim}"
        return PlantedGraph(
            frozenset((names[need.dependent], frozenset(names[test] for test in need.any_of)) for need in found.needs),
            frozenset(
                (
                    names[conflict.victim],
                    names[conflict.polluters[0]],
                    frozenset(names[test] for test in conflict.cleaners),
                )
                for conflict in found.conflicts
            ),
        )
