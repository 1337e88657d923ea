"""What a genetic search does to tests, so that they stay paths of the navigation graph.

Reference
    M. Biagiola, F. Ricca, P. Tonella, "Search based path and input data generation for web application testing",
    SSBSE 2017 (SUBWEB).
Guarantee
    The result begins at the start of the graph, is well-formed, and is not empty.
"""

import random
from collections.abc import Sequence

from unknot.model.navigation_graph import Transition
from unknot.web.generate.call import Path, end_of
from unknot.web.generate.graph_paths import GraphPaths
from unknot.web.generate.input_values import InputValues

LONGEST_TEST = 40
_CONNECTION = 10
"""A random way between the two parts of a crossover takes the shortest way after so many steps."""


class Operators:
    def __init__(self, paths: GraphPaths, values: InputValues, chance: random.Random) -> None:
        self._paths = paths
        self._values = values
        self._chance = chance

    def random_test(self, target: Transition | None = None) -> Path:
        """A random walk of random length, then the shortest way to the target, if there is one; it ends when the target
        is taken. Empty if nothing leads on from the start."""
        walk: list[Transition] = []
        page = self._paths.start
        for each in self._paths.free_walk(page, self._chance, self._chance.randint(1, LONGEST_TEST)):
            walk.append(each)
            page = each.target
            if each == target:
                return self._values.path(walk)
        if target is not None and (way := self._paths.shortest(page, target.source)) is not None:
            walk += [*way, target]
        return self._values.path(walk)

    def crossover(self, head: Path, tail: Path, cut: float) -> Path:
        """The head of one test and the tail of the other, cut at the same relative place. If the page at which the head
        ends is not that at which the tail begins, a random way joins them; both are shortened until there is one."""
        before, after = head[: round(cut * len(head))], tail[round(cut * len(tail)) :]
        while after:
            page = end_of(before, self._paths.start)
            way = self._paths.walk(page, after[0].transition.source, self._chance, _CONNECTION)
            if way is not None:
                return (*before, *self._values.path(way), *after)
            # From the start every page of a test can be reached, so this ends.
            before, after = (before[:-1], after) if before else (before, after[1:])
        return before or head

    def delete(self, test: Path, place: int) -> Path:
        """Removes the calls after the one at this place, up to one that begins at the page where that one ends; if
        there is none, to the end."""
        page = test[place].transition.target
        rest = range(place + 1, len(test))
        following = next((each for each in rest if each > place + 1 and test[each].transition.source == page), None)
        return test[: place + 1] if following is None else (*test[: place + 1], *test[following:])

    def insert(self, test: Path, uncovered: Sequence[Transition]) -> Path:
        """Appends a random way to one of these transitions, and the transition; the test as it is if there is none."""
        if not uncovered:
            return test
        target = self._chance.choice(uncovered)
        page = end_of(test, self._paths.start)
        way = self._paths.walk(page, target.source, self._chance, _CONNECTION)
        return test if way is None else (*test, *self._values.path((*way, target)))

    def change(self, test: Path, place: int) -> Path:
        """Another action between the same pages with new inputs, or the same one with new inputs."""
        known = test[place].transition
        same = [each for each in self._paths.outgoing(known.source) if each.target == known.target]
        call = self._values.call(self._chance.choice(same or [known]))
        return (*test[:place], call, *test[place + 1 :])

    def mutate(self, test: Path, uncovered: Sequence[Transition]) -> Path:
        """Each operator with probability a third, deletion and change at each place with one over the length."""
        if self._chance.random() < 1 / 3:
            for place in reversed(range(len(test))):
                if place < len(test) and self._chance.random() < 1 / len(test):
                    test = self.delete(test, place)
        if self._chance.random() < 1 / 3:
            for place in range(len(test)):
                if self._chance.random() < 1 / len(test):
                    test = self.change(test, place)
        if self._chance.random() < 1 / 3:
            share = 1.0
            while len(test) < LONGEST_TEST and self._chance.random() < share:
                longer = self.insert(test, uncovered)
                if longer == test:
                    break
                test, share = longer, share / 2
        return test
