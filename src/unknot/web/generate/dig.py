"""DIG: tests that are as different as possible from those that ran before.

Reference
    M. Biagiola, A. Stocco, F. Ricca, P. Tonella, "Diversity-based web test generation", ESEC/FSE 2019.
Idea
    Choose a transition that no test has taken, make fifty random tests that end with it, and run the one whose distance
    to the nearest test that ran before is largest. What failed in it is cut off.
Assumptions
    The navigation graph is known; its guards are not. Different tests cover different things.
Guarantee
    Every candidate is a path of the graph from its start. When all transitions are covered, they are chosen again.
Cost
    Up to fifty distances to each test that ran, for each test that runs.
Differs from the paper
    As in the study's program, a walk that does not meet its target within 40 steps takes the shortest way to it, where
    the one of the paper goes on; and candidates are compared with the tests that ran without their failed calls, where
    those of the paper are compared with the whole tests.
"""

import random
from collections.abc import Iterator

from unknot.model.navigation_graph import NavigationGraph, Transition
from unknot.web.generate.archive import Archive
from unknot.web.generate.call import ExecutedPath, Path
from unknot.web.generate.distance import PathDistance
from unknot.web.generate.execution import PathExecution
from unknot.web.generate.graph_paths import GraphPaths
from unknot.web.generate.input_values import InputValues

CANDIDATES = 50
LONGEST_WALK = 40


class Dig:
    """`with_inputs`: the distance counts inputs, too. `by_length`: the longest candidate runs, whatever its distance;
    with one candidate a random one runs. These are for comparison."""

    def __init__(
        self,
        graph: NavigationGraph,
        seed: int,
        *,
        with_inputs: bool = False,
        candidates: int = CANDIDATES,
        by_length: bool = False,
    ) -> None:
        self._paths = GraphPaths(graph)
        self._chance = random.Random(seed)
        self._values = InputValues(self._chance)
        self._with_inputs = with_inputs
        self._candidates = candidates
        self._by_length = by_length
        self._archive = Archive()
        self._executed: list[PathDistance] = []

    def generate(self, execution: PathExecution) -> Iterator[ExecutedPath]:
        while execution.goes_on():
            chosen = self._next_test()
            if chosen is None:
                return
            test = execution.run(chosen)
            self._archive.add(test)
            if kept := test.without_failures():
                self._executed.append(PathDistance(kept, with_inputs=self._with_inputs))
            yield test

    def _next_test(self) -> Path | None:
        """None if no transition can be reached."""
        reachable = [each for each in self._paths.transitions if self._paths.reaches(self._paths.start, each.source)]
        uncovered = [each for each in reachable if not self._archive.covers(each)]
        if not reachable:
            return None
        target = self._chance.choice(uncovered or reachable)
        candidates = [self._candidate(target) for _ in range(self._candidates)]
        if self._by_length:
            return max(candidates, key=len)
        return self._most_different(candidates)

    def _candidate(self, target: Transition) -> Path:
        walk = self._paths.walk_until(self._paths.start, target, self._chance, LONGEST_WALK)
        return self._values.path(walk or ())

    def _most_different(self, candidates: list[Path]) -> Path:
        """The first of several."""
        best, farthest = candidates[0], -1.0
        for candidate in candidates:
            from_candidate = PathDistance(candidate, with_inputs=self._with_inputs)
            nearest = float("inf")
            for each in self._executed:
                nearest = min(nearest, each.to(from_candidate))
                if nearest <= farthest:
                    break
            if nearest > farthest:
                best, farthest = candidate, nearest
        return best
