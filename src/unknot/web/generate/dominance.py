"""Which of several solutions with several objectives are better; all objectives are minimised.

Reference
    K. Deb, A. Pratap, S. Agarwal, T. Meyarivan, "A fast and elitist multiobjective genetic algorithm: NSGA-II", IEEE
    Trans. Evolutionary Computation 6(2), 2002.
"""

from collections.abc import Iterator, Sequence

Objectives = tuple[float, ...]


def dominates(one: Objectives, other: Objectives) -> bool:
    """
    >>> dominates((1, 2), (1, 3)), dominates((1, 2), (1, 2)), dominates((0, 3), (1, 2))
    (True, False, False)
    """
    return one != other and all(left <= right for left, right in zip(one, other, strict=True))


def fronts(solutions: Sequence[Objectives]) -> Iterator[list[int]]:
    """The places of the solutions that no other dominates, then of those that only these dominate, and so on. Cost: a
    comparison for each pair and front."""
    left = list(range(len(solutions)))
    while left:
        front = [each for each in left if not any(dominates(solutions[other], solutions[each]) for other in left)]
        yield front
        left = [each for each in left if each not in set(front)]


def crowding_distances(solutions: Sequence[Objectives]) -> list[float]:
    """How far each is from its neighbours; infinite for the best and the worst of an objective.

    >>> crowding_distances([(0, 4), (1, 1), (4, 0)])
    [inf, 2.0, inf]
    """
    distances = [0.0] * len(solutions)
    for objective in range(len(solutions[0]) if solutions else 0):
        order = sorted(range(len(solutions)), key=lambda place: solutions[place][objective])
        least, most = solutions[order[0]][objective], solutions[order[-1]][objective]
        if most == least:
            continue
        distances[order[0]] = distances[order[-1]] = float("inf")
        for before, place, after in zip(order, order[1:], order[2:], strict=False):
            distances[place] += (solutions[after][objective] - solutions[before][objective]) / (most - least)
    return distances
