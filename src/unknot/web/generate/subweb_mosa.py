"""SUBWEB as its authors' program runs it: a many-objective search, one goal for each transition.

Reference
    A. Panichella, F. M. Kifetew, P. Tonella, "Reformulating branch coverage as a many-objective optimization problem",
    ICST 2015 (MOSA); the settings are those of the program published with the ESEC/FSE 2019 study.
Idea
    An individual is a test. For each goal that is not covered, the test nearest to it, and the shortest of several,
    survives; then those that no other dominates, those first that are farthest from others. What covers a goal is
    archived.
Assumptions
    The navigation graph is known; its guards are not.
Guarantee
    Tests that run are well-formed. The archive has the shortest test for each goal.
Cost
    Running 50 tests for each generation; comparing each pair of 100.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from unknot.model.navigation_graph import NavigationGraph, Transition
from unknot.web.generate.archive import Archive
from unknot.web.generate.call import ExecutedPath, Path
from unknot.web.generate.dominance import crowding_distances, fronts
from unknot.web.generate.execution import PathExecution
from unknot.web.generate.goals import distances
from unknot.web.generate.graph_paths import GraphPaths
from unknot.web.generate.input_values import InputValues
from unknot.web.generate.operators import Operators

_POPULATION = 50
_CROSSOVER = 0.75
_NEW_BLOOD = 0.1
_TOURNAMENT = 2


@dataclass(frozen=True)
class _Individual:
    test: Path
    distances: Mapping[Transition, float]


class SubwebMosa:
    def __init__(self, graph: NavigationGraph, seed: int) -> None:
        paths = GraphPaths(graph)
        self._chance = random.Random(seed)
        self._operators = Operators(paths, InputValues(self._chance), self._chance)
        self._goals = [each for each in paths.transitions if paths.reaches(paths.start, each.source)]
        self._targets: list[Transition] = []
        """Of first tests: each goal once, in random order, before any comes again."""
        self._archive = Archive()

    def generate(self, execution: PathExecution) -> Iterator[ExecutedPath]:
        if not self._goals:
            return
        ranked: list[_Individual] = []
        while execution.goes_on():
            population: list[_Individual] = []
            for test in self._generation(ranked):
                if not execution.goes_on():
                    return
                executed = execution.run(test)
                self._archive.add(executed)
                population.append(_Individual(test, distances(executed, self._goals)))
                yield executed
            ranked = self._survivors([*ranked, *population])

    def _generation(self, ranked: Sequence[_Individual]) -> Iterator[Path]:
        for _ in range(_POPULATION):
            if not ranked:
                yield self._first_test()
            elif self._chance.random() < _NEW_BLOOD:
                yield self._new_blood()
            else:
                yield self._child(ranked)

    def _first_test(self) -> Path:
        if not self._targets:
            self._targets = self._chance.sample(self._goals, len(self._goals))
        return self._operators.random_test(self._targets.pop())

    def _new_blood(self) -> Path:
        archived = self._archive.tests()
        if not archived or self._chance.random() < 1 / 2:
            return self._first_test()
        test = self._chance.choice(archived)
        for _ in range(2):
            test = self._operators.mutate(test, self._uncovered())
        return test

    def _child(self, ranked: Sequence[_Individual]) -> Path:
        # The better one comes first.
        one, other = (
            ranked[min(self._chance.sample(range(len(ranked)), min(_TOURNAMENT, len(ranked))))].test for _ in range(2)
        )
        if self._chance.random() < _CROSSOVER:
            one = self._operators.crossover(one, other, self._chance.random())
        return self._operators.mutate(one, self._uncovered())

    def _survivors(self, individuals: list[_Individual]) -> list[_Individual]:
        """Best first."""
        uncovered = self._uncovered()
        preferred = dict.fromkeys(
            min(range(len(individuals)), key=lambda place: self._rank(individuals[place], goal)) for goal in uncovered
        )
        rest = [place for place in range(len(individuals)) if place not in preferred]
        vectors = [tuple(each.distances[goal] for goal in uncovered) for each in individuals]
        kept = list(preferred)
        for front in fronts([vectors[place] for place in rest]):
            if len(kept) >= _POPULATION:
                break
            crowded = crowding_distances([vectors[rest[place]] for place in front])
            kept += [rest[place] for _, place in sorted(zip(crowded, front, strict=True), key=lambda pair: -pair[0])]
        return [individuals[place] for place in kept[:_POPULATION]]

    @staticmethod
    def _rank(individual: _Individual, goal: Transition) -> tuple[float, int]:
        return individual.distances[goal], len(individual.test)

    def _uncovered(self) -> list[Transition]:
        return [each for each in self._goals if not self._archive.covers(each)]
