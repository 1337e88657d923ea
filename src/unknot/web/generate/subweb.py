"""SUBWEB: a genetic search for a suite that takes all transitions.

Reference
    M. Biagiola, F. Ricca, P. Tonella, "Search based path and input data generation for web application testing",
    SSBSE 2017; the whole-suite fitness is that of G. Fraser, A. Arcuri, IEEE Trans. Software Eng. 39(2), 2013.
Idea
    An individual is a suite. Its fitness, minimised, is the sum over all transitions of the normalised distance of the
    nearest of its tests. Suites exchange tests; tests are crossed, shortened, extended and changed so that they stay
    paths of the graph.
Assumptions
    The navigation graph is known. A test behaves the same when it runs again: what it did is remembered.
Guarantee
    Tests that run are well-formed. The best suite is never lost. Ends before the budget does if a hundred suites in a
    row have no test that has not run: small graphs have few paths.
Cost
    Running each new test once.
Differs from the paper
    Sizes of populations and suites are not given there: ten suites of up to five tests at first. A guard is true or
    false, so its distance is 0 or 1.
"""

import random
from collections.abc import Iterator
from operator import itemgetter

from unknot.model.navigation_graph import NavigationGraph, Transition
from unknot.web.generate.archive import Archive
from unknot.web.generate.call import ExecutedPath, Path
from unknot.web.generate.execution import PathExecution
from unknot.web.generate.goals import NEVER_CALLED, distances
from unknot.web.generate.graph_paths import GraphPaths
from unknot.web.generate.input_values import InputValues
from unknot.web.generate.operators import Operators

_Suite = tuple[Path, ...]

_POPULATION = 10
_FIRST_TESTS = 5
_MOST_TESTS = 50
_CROSSOVER = 0.75
_TEST_CROSSOVER = 0.5
_NEW_TEST = 0.1
_TOURNAMENT = 3
_MOST_WITHOUT_NEWS = 100


class Subweb:
    def __init__(self, graph: NavigationGraph, seed: int) -> None:
        paths = GraphPaths(graph)
        self._chance = random.Random(seed)
        self._operators = Operators(paths, InputValues(self._chance), self._chance)
        self._goals = [each for each in paths.transitions if paths.reaches(paths.start, each.source)]
        self._archive = Archive()
        self._distances: dict[Path, dict[Transition, float]] = {}
        self._ran: list[ExecutedPath] = []

    def generate(self, execution: PathExecution) -> Iterator[ExecutedPath]:
        if not self._goals:
            return
        population: list[tuple[float, _Suite]] = []
        without_news = 0
        while execution.goes_on() and without_news < _MOST_WITHOUT_NEWS:
            suite = self._first_suite() if len(population) < _POPULATION else self._child(population)
            fitness = self._evaluate(suite, execution)
            without_news = 0 if self._ran else without_news + 1
            yield from self._ran
            self._ran.clear()
            if len(population) < _POPULATION:
                population.append((fitness, suite))
                continue
            worst = max(range(_POPULATION), key=lambda place: population[place][0])
            if fitness <= population[worst][0]:
                population[worst] = fitness, suite

    def _first_suite(self) -> _Suite:
        return tuple(self._operators.random_test() for _ in range(self._chance.randint(1, _FIRST_TESTS)))

    def _child(self, population: list[tuple[float, _Suite]]) -> _Suite:
        one, other = (min(self._chance.sample(population, _TOURNAMENT), key=itemgetter(0))[1] for _ in range(2))
        suite = list(one)
        if self._chance.random() < _CROSSOVER:
            cut = self._chance.random()
            suite = [*one[: round(cut * len(one))], *other[round(cut * len(other)) :]] or list(one)
        uncovered = [each for each in self._goals if not self._archive.covers(each)]
        for place, test in enumerate(suite):
            if self._chance.random() < _CROSSOVER * _TEST_CROSSOVER / len(suite):
                test = self._operators.crossover(test, self._chance.choice(other), self._chance.random())
            if self._chance.random() < 1 / len(suite):
                test = self._operators.mutate(test, uncovered)
            suite[place] = test
        if self._chance.random() < _NEW_TEST and len(suite) < _MOST_TESTS:
            suite.append(self._operators.random_test())
        return tuple(dict.fromkeys(suite))

    def _evaluate(self, suite: _Suite, execution: PathExecution) -> float:
        """Runs the tests that have not run yet, as long as the budget lasts."""
        for test in suite:
            if test not in self._distances and execution.goes_on():
                executed = execution.run(test)
                self._archive.add(executed)
                self._ran.append(executed)
                self._distances[test] = distances(executed, self._goals)
        known = [self._distances[test] for test in suite if test in self._distances]
        nearest = (min((each[goal] for each in known), default=NEVER_CALLED) for goal in self._goals)
        return sum(distance / (1 + distance) for distance in nearest)
